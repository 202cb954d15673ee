import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of Markdown, and what it shows as code. */
export interface Page {
  readonly file: string;
  readonly blocks: readonly Block[];
}

/** One fenced block. */
export interface Block {
  /** `file:line` of the fence. */
  readonly place: string;
  /** The first word behind the fence. */
  readonly language: string;
  /** The words behind the language: `file=.sluice/hooks.yaml`. */
  readonly words: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Every page that people read: those beside the README, and all below `docs/`. */
export function readPages(root: string): Page[] {
  const docs = join(root, "docs");
  const below = existsSync(docs) ? readdirSync(docs, { recursive: true, encoding: "utf8" }) : [];
  return [...readdirSync(root), ...below.map((file) => join("docs", file))]
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => readPage(file, readFileSync(join(root, file), "utf8")));
}

/** Reads the fenced blocks of one page; a fence may be indented, as in a list. */
export function readPage(file: string, text: string): Page {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const open = /^(\s*)(`{3,}|~{3,})\s*(\S*)\s*(.*)$/.exec(lines[index] ?? "");
    if (open === null) continue;
    const [, indent = "", fence = "", language = "", words = ""] = open;
    const first = index + 1;
    const isClosing = (line: string) =>
      line.trim().startsWith(fence) && line.trim().replaceAll(fence.charAt(0), "") === "";
    const length = lines.slice(first).findIndex(isClosing);
    const last = length < 0 ? lines.length : first + length;
    const body = lines.slice(first, last).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ place: `${file}:${first}`, language, words: readWords(words), text: `${body.join("\n")}\n` });
    index = last;
  }
  return { file, blocks };
}

function readWords(words: string): Record<string, string> {
  const found = words.split(/\s+/).filter((word) => word !== "");
  return Object.fromEntries(found.map((word) => [word.split("=")[0] ?? "", word.split("=").slice(1).join("=")]));
}
