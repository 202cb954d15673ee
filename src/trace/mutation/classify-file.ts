import { basename, extname } from "node:path";
import type { ChangeRecord, MutationClass } from "../change/change-record.ts";
import type { FileState } from "../change/file-state.ts";
import { isExtracted } from "./extracted.ts";
import { type Grammar, SCRIPT } from "./grammar.ts";
import { isMoved, isRenamed } from "./renamed.ts";
import { GRAMMARS } from "./sitter-grammars.ts";
import { keyOf, type Parse, type Parsed } from "./syntax-tree.ts";

/** Returns how a change of one file relates to its behaviour. Never throws: the result is `UNKNOWN` if it cannot be determined. */
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

/** A parser that is not installed, and which recorded changes it would classify. */
export interface MissingParser {
  /** The packages, as arguments of `npm install`. */
  readonly packages: string;
  readonly languages: readonly string[];
}

/** The parsers that are not installed and that changes of these records lack: their class is `UNKNOWN`. */
export async function missingParsers(
  records: Iterable<Pick<ChangeRecord, "mutation_class" | "files">>,
): Promise<MissingParser[]> {
  const needed = new Set<Grammar>();
  for (const { mutation_class, files } of records)
    for (const file of files) {
      if ((file.mutation_class ?? mutation_class) !== "UNKNOWN") continue;
      const language = languageOf(file.relative_path);
      if (language.kind === "code") needed.add(language.grammar);
    }
  const missing: Grammar[] = [];
  for (const grammar of needed) if ((await parserOf(grammar)) === undefined) missing.push(grammar);
  return PARSERS_BY_PACKAGE.flatMap(({ packages, parses }) => {
    const languages = missing.filter(parses).map(({ name }) => name);
    return languages.length === 0 ? [] : [{ packages, languages }];
  });
}

const PARSERS_BY_PACKAGE = [
  { packages: "oxc-parser", parses: ({ wasm }: Grammar) => wasm === undefined },
  { packages: "web-tree-sitter @vscode/tree-sitter-wasm", parses: ({ wasm }: Grammar) => wasm !== undefined },
];

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

/** Compares two texts of one file by their trees. Whatever cannot be proven to be the same is a difference. */
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

/** How a file is compared: as code of a language, as something other than code, or not at all. */
type Language =
  | { readonly kind: "code"; readonly grammar: Grammar }
  | { readonly kind: "no code" }
  /** Code in a language that Sluice does not parse. */
  | { readonly kind: "unread" };

/** Determines the kind of a file by its name. */
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

/** The class of a call that changed several files: that of the file that affects behaviour most. */
export function overallClass(classes: readonly MutationClass[]): MutationClass {
  return ORDER.find((one) => classes.includes(one)) ?? "UNKNOWN";
}

const ORDER: readonly MutationClass[] = ["INTENT_EVOLUTION", "UNKNOWN", "AST_REFACTOR", "FORMAT_ONLY", "NON_CODE"];
