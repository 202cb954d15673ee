import { basename, extname } from "node:path";
import type { MutationClass } from "../change/change-record.ts";
import type { FileState } from "../change/file-state.ts";
import { isExtracted } from "./extracted.ts";
import { type Grammar, SCRIPT } from "./grammar.ts";
import { isMoved, isRenamed } from "./renamed.ts";
import { GRAMMARS } from "./sitter-grammars.ts";
import { keyOf, type Parse, type Parsed } from "./syntax-tree.ts";

/** Tells how a change of one file relates to what the file does. Never throws: what cannot be told is `UNKNOWN`. */
export async function classifyFile(
  path: string,
  before: FileState | undefined,
  after: FileState,
): Promise<MutationClass> {
  const language = languageOf(path);
  if (language.kind === "no code" || after.kind === "bytes") return language.kind === "code" ? "UNKNOWN" : "NON_CODE";
  if (before === undefined || before.kind === "other" || before.kind === "bytes") return "UNKNOWN";
  if (language.kind === "unread") return "UNKNOWN";
  // A file of code that comes or goes does something that was not done, or does it no longer.
  if (before.kind === "missing" || after.kind === "missing" || after.kind === "other") return "INTENT_EVOLUTION";
  return classifyTexts(path, before.text, after.text, language.grammar);
}

/** The same for two texts of code. */
async function classifyTexts(path: string, before: string, after: string, grammar: Grammar): Promise<MutationClass> {
  if (Math.max(before.length, after.length) > LONGEST) return "UNKNOWN";
  try {
    const parse = await parserOf(grammar);
    if (parse === undefined) return withoutParser(before, after);
    const [old, young] = [parse(path, before), parse(path, after)];
    if (old === undefined || young === undefined) return "UNKNOWN";
    return compareParsed(old, young, grammar, isModule(path, before) && isModule(path, after));
  } catch {
    return "UNKNOWN";
  }
}

/** Without a parser only blanks at the ends of lines and empty lines are certain to mean nothing, and not in every text. */
function withoutParser(before: string, after: string): MutationClass {
  const plain = (text: string) => text.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  return plain(before) === plain(after) ? "FORMAT_ONLY" : "UNKNOWN";
}

/** The packages of parsers that are not installed, without which changes of code have no class. */
export async function missingParsers(): Promise<string[]> {
  const found = await Promise.all([SCRIPT, GRAMMARS.python].map(parserOf));
  return PARSER_PACKAGES.filter((_, index) => found[index] === undefined);
}

const PARSER_PACKAGES = ["oxc-parser", "web-tree-sitter with @vscode/tree-sitter-wasm"];

async function parserOf(grammar: Grammar): Promise<Parse | undefined> {
  const known = PARSERS.get(grammar.name) ?? load(grammar);
  PARSERS.set(grammar.name, known);
  return known;
}

async function load(grammar: Grammar): Promise<Parse | undefined> {
  if (grammar.wasm === undefined) return (await import("./oxc.ts")).loadOxc();
  return (await import("./tree-sitter.ts")).loadTreeSitter(grammar);
}

/** Names of a file's own are seen by others where files share one space of names. */
function isModule(path: string, text: string): boolean {
  if (!/\.[cm]?[jt]sx?$/i.test(path)) return false;
  return !/\.js$/i.test(path) || /^[^\S\n]*(?:import|export)\b|\brequire\(|\bmodule\.exports\b/m.test(text);
}

const PARSERS = new Map<string, Promise<Parse | undefined>>();
const LONGEST = 1024 * 1024;

/** Compares two texts of one file by their trees. What cannot be shown to be the same counts as something else. */
function compareParsed(before: Parsed, after: Parsed, grammar: Grammar, isModule: boolean): MutationClass {
  const [old, young] = [before.tree, after.tree];
  const areDirectivesSame = before.directives.join("\n") === after.directives.join("\n");
  if (!areDirectivesSame) return "INTENT_EVOLUTION";
  if (keyOf(old) === keyOf(young)) return "FORMAT_ONLY";
  const isRefactored =
    isRenamed(old, young, grammar, isModule) ||
    isMoved(old, young, grammar) ||
    isExtracted(old, young, grammar) ||
    isExtracted(young, old, grammar);
  return isRefactored ? "AST_REFACTOR" : "INTENT_EVOLUTION";
}

/** How a file is looked at: as code of a language, as something that is no code, or not at all. */
type Language =
  | { readonly kind: "code"; readonly grammar: Grammar }
  | { readonly kind: "no code" }
  /** Code in a language that Sluice does not parse. */
  | { readonly kind: "unread" };

/** Tells by its name what a file holds. */
function languageOf(path: string): Language {
  const ending = extname(path).toLowerCase();
  const grammar = BY_ENDING.get(ending);
  if (grammar !== undefined) return { kind: "code", grammar };
  const name = basename(path).toLowerCase();
  if (NO_CODE.has(ending) || NO_CODE_NAMES.test(name)) return { kind: "no code" };
  return { kind: "unread" };
}

const BY_ENDING = new Map<string, Grammar>(
  [SCRIPT, ...Object.values(GRAMMARS)].flatMap((grammar) =>
    grammar.endings.map((ending) => [ending, grammar] as const),
  ),
);

/** Documents, data, settings and pictures: programs may read them, but nothing in them runs. */
const NO_CODE = new Set(
  `.md .mdx .markdown .rst .adoc .txt .text .log .csv .tsv .json .jsonc .json5 .jsonl .ndjson .yaml .yml .toml .ini .cfg .conf
  .properties .env .xml .svg .lock .png .jpg .jpeg .gif .webp .avif .ico .bmp .tiff .pdf .doc .docx .xls .xlsx .ppt .pptx .odt
  .mp3 .mp4 .wav .ogg .webm .mov .zip .gz .tar .tgz .bz2 .xz .7z .woff .woff2 .ttf .otf .eot .po .pot .mo .snap .patch .diff
  .bib .tex .ipynb_checkpoints .map .pem .crt .cer .der .editorconfig .gitignore .gitattributes .npmrc .nvmrc`
    .trim()
    .split(/\s+/),
);
const NO_CODE_NAMES =
  /^(?:readme|license|licence|copying|notice|authors|contributors|changelog|changes|codeowners|\.gitignore|\.gitattributes|\.editorconfig|\.npmrc|\.nvmrc|\.env(?:\..+)?|\.intentignore|\.dockerignore|\.prettierrc|\.eslintignore)$/;

/** What a call that changed several files is called: by the file that says most about behaviour. */
export function overallClass(classes: readonly MutationClass[]): MutationClass {
  return ORDER.find((one) => classes.includes(one)) ?? "UNKNOWN";
}

const ORDER: readonly MutationClass[] = ["INTENT_EVOLUTION", "UNKNOWN", "AST_REFACTOR", "FORMAT_ONLY", "NON_CODE"];
