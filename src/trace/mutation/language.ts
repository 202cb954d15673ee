import { basename, extname } from "node:path";
import { type Grammar, SCRIPT } from "./grammar.ts";
import { GRAMMARS } from "./sitter-grammars.ts";

/** How a file is looked at: as code of a language, as something that is no code, or not at all. */
export type Language =
  | { readonly kind: "code"; readonly grammar: Grammar }
  | { readonly kind: "no code" }
  /** Code, but nobody here reads it. */
  | { readonly kind: "unread" };

/** Tells by its name what a file holds. */
export function languageOf(path: string): Language {
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
