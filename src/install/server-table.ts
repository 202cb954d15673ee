import type { Uneditable } from "./editable.ts";
import { tomlKey, tomlValue } from "./toml-block.ts";

/** The command and the arguments of a server in a TOML text; `"unreadable"` when it is there and says neither. */
export function tableIn(text: string, at: readonly string[]): object | "unreadable" | undefined {
  const own = partsOf(text).find((part) => isTable(part, at));
  if (own === undefined) return isInline(text, at) ? "unreadable" : undefined;
  const command = stringsIn(COMMAND.exec(own)?.[2] ?? "");
  const args = stringsIn(ARGS.exec(own)?.[2] ?? "[]");
  return command?.[0] === undefined || args === undefined ? "unreadable" : { command: command[0], args };
}

/** Why no table can be put there: the tables are written as one value, which takes no more. */
export function whyNoTable(text: string, at: readonly string[]): Uneditable | undefined {
  const [root = ""] = partsOf(text);
  const inline = new RegExp(`^[ \\t]*${tomlKey(at[0] ?? "")}[ \\t]*=`, "m").exec(root);
  return inline === null ? undefined : { why: `its \`${at[0]}\` takes no more tables`, offset: inline.index };
}

/** The text with this table: its two lines are written anew where it is there, else it goes to the end, between two lines of comment. */
export function withTable(text: string, at: readonly string[], value: Readonly<Record<string, unknown>>): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = Object.entries(value).map(([key, inner]) => `${tomlKey(key)} = ${tomlValue(inner)}`);
  const header = `[${at.map(tomlKey).join(".")}]`;
  if (tableIn(text, at) === undefined)
    return [...(text === "" ? [] : [text]), BEGIN, header, ...lines, END, ""].join(eol);
  const renew = (part: string) =>
    part
      .replace(COMMAND, (_, lead) => `${lead}${tomlValue(value.command)}`)
      .replace(ARGS, (_, lead) => `${lead}${tomlValue(value.args)}`);
  return partsOf(text)
    .map((part) => (isTable(part, at) ? renew(part) : part))
    .join("");
}

/** The text without the table and what hangs on it; what others have written between our two lines stays. */
export function withoutTable(text: string, at: readonly string[]): string {
  const outside = text.replaceAll(BLOCK, (_, inside: string) => {
    const kept = partsOf(inside).filter((part) => part.trim() !== "" && !isBelow(part, at));
    return kept.length === 0 ? "" : `\n${kept.join("")}`;
  });
  return partsOf(outside)
    .map((part) => (isBelow(part, at) ? behind(part) : part))
    .join("");
}

/** What follows the last line of a table that says something: blanks and comments there belong to the next one. */
function behind(part: string): string {
  const lines = part.split(/(?<=\n)/);
  return lines.slice(lines.findLastIndex((line) => !/^(?:#.*)?$/.test(line.trim())) + 1).join("");
}

/** What stands before the first table, empty or not, then each table with its lines. */
function partsOf(text: string): string[] {
  const parts = text.split(TABLE);
  return TABLE.test(parts[0] ?? "") ? ["", ...parts] : parts;
}

function isTable(part: string, at: readonly string[]): boolean {
  return new RegExp(`^[ \\t]*\\[\\s*${keysOf(at)}\\s*\\]`).test(part);
}

function isBelow(part: string, at: readonly string[]): boolean {
  return new RegExp(`^[ \\t]*\\[\\s*${keysOf(at)}\\s*[.\\]]`).test(part);
}

/** Whether the server stands there without a table of its own. */
function isInline(text: string, at: readonly string[]): boolean {
  const [name = "", holder] = [at.at(-1), at.slice(0, -1)];
  const dotted = new RegExp(`^[ \\t]*${keysOf(at)}\\s*[.=]`, "m");
  const own = new RegExp(`^[ \\t]*${keysOf([name])}\\s*[.=]`, "m");
  const [root = "", ...parts] = partsOf(text);
  return dotted.test(root) || parts.some((part) => isTable(part, holder) && own.test(part));
}

function keysOf(at: readonly string[]): string {
  return at.map((key) => `(?:${key}|"${key}"|'${key}')`).join("\\s*\\.\\s*");
}

/** Strings of a TOML value that is one, or a list of them; nothing for any other value. */
function stringsIn(value: string): string[] | undefined {
  const rest = value.replaceAll(STRING, "").replaceAll(/#[^\n]*/g, "");
  if (/[^\s,[\]]/.test(rest)) return undefined;
  try {
    return [...value.matchAll(STRING)].map(([text]) => (text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text)));
  } catch {
    return undefined;
  }
}

const BEGIN = "# >>> sluice mcp";
const END = "# <<< sluice mcp";
/** The line break before the block is ours too, so that a text without a final one gets back its end. */
const BLOCK = /(?:\r?\n|^)# >>> sluice mcp\r?\n([\s\S]*?)# <<< sluice mcp(?:\r?\n|$)/g;
const TABLE = /^(?=[ \t]*\[{1,2}[\w"'])/m;
const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;
const COMMAND = /^([ \t]*command[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')/m;
const ARGS = /^([ \t]*args[ \t]*=[ \t]*)(\[(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\]"'])*\])/m;
