import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Every text of this repository that is written in a notation: its files, and the blocks of its pages. */
export function textsIn(notation: "yaml" | "json"): string[] {
  return FILES.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    if (extname(path) === ".md") return [...text.matchAll(FENCE)].filter(([, name]) => name === notation).map(blockOf);
    return extname(path) === `.${notation}` ? [text] : [];
  });
}

/** Whatever stands in quotes in the code and its tests, most of it in no notation at all. */
export function quotedTexts(): string[] {
  const code = FILES.filter((path) => [".ts", ".mjs", ".feature"].includes(extname(path)));
  return code.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return [...text.matchAll(QUOTED)].map(([quoted]) => withoutIndentation(unescaped(quoted)));
  });
}

function blockOf([, , block = ""]: RegExpExecArray): string {
  return block;
}

function unescaped(quoted: string): string {
  const inside = quoted.replace(/^("""|.)([\s\S]*)\1$/, "$2");
  return inside.replaceAll(/\\([\s\S])/g, (_, char: string) => ESCAPES[char] ?? char);
}

function withoutIndentation(text: string): string {
  const indent = /^\n( +)/.exec(text)?.[1] ?? "";
  return text.replaceAll(`\n${indent}`, "\n");
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FILES = ["README.md", "docs", "examples", "schema.json", "package.json", "scripts", "src", "tests"].flatMap(
  (name) => {
    if (extname(name) !== "") return [join(ROOT, name)];
    const found = readdirSync(join(ROOT, name), { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  },
);
const FENCE = /^```(\w+)[^\n]*\n([\s\S]*?)^```/gm;
const QUOTED = /"""[\s\S]*?"""|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };
