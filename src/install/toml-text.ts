import type { Uneditable } from "../config/json-text.ts";
import { isObject } from "../event/json.ts";
import { tomlIn } from "./import/foreign-hooks.ts";
import type { Mark, SettingsEntry } from "./settings-text.ts";

/** Whether a TOML text has hooks in tables of their own (`[[hooks.…]]`), and none written in a way that forbids more. */
export function takesTables(text: string): boolean {
  const lines = topLines(text);
  const root = lines.slice(0, lines.findIndex(isHeader));
  return lines.some((line) => TABLE.test(line)) && !root.some((line) => INLINE.test(line)) && !hasHooksTable(lines);
}

/** The text with exactly these entries, as one block at its end; everything else stays as it is. */
export function withBlock(text: string, mark: Mark, entries: readonly SettingsEntry[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [BEGIN, ...entries.map(tablesOf), END, ""].join("\n").replaceAll("\n", eol);
  return text.includes(`${eol}${block}`) ? text : `${withoutBlock(text, mark)}${eol}${block}`;
}

/** The text without our block. What others have put between its marks stays. */
export function withoutBlock(text: string, mark: Mark): string {
  return text.replaceAll(BLOCK, (_, inside: string) => foreign(inside, mark));
}

/** Whether a text has our block. */
export function holdsBlock(text: string): boolean {
  return text.search(BLOCK) !== -1;
}

/** The parts of a block that are not ours: other tables, and groups without a command of ours. */
function foreign(inside: string, mark: Mark): string {
  const parts = inside.split(/^(?=[ \t]*\[)/m);
  const ours = parts.map((part) => mark(commandIn(part)));
  const kept = parts.filter((part, index) => {
    if (part.trim() === "" || ours[index]) return false;
    const holdsOurs = TABLE.test(part) && !NESTED.test(part) && ours[index + 1];
    return !holdsOurs;
  });
  return kept.length === 0 ? "" : `\n${kept.join("")}`;
}

function commandIn(part: string): unknown {
  const quoted = /^[ \t]*command[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'[^']*')/m.exec(part)?.[1];
  if (quoted === undefined) return undefined;
  try {
    return quoted.startsWith("'") ? quoted.slice(1, -1) : JSON.parse(quoted);
  } catch {
    return quoted;
  }
}

function tablesOf({ at, value }: SettingsEntry): string {
  const tables = Object.entries(value).filter((entry): entry is [string, object[]] => isTables(entry[1]));
  const plain = Object.entries(value).filter(([, inner]) => !isTables(inner));
  return [
    `[[${at.map(tomlKey).join(".")}]]`,
    ...plain.map(([key, inner]) => `${tomlKey(key)} = ${tomlValue(inner)}`),
    ...tables.flatMap(([key, inner]) => inner.map((item) => tablesOf({ at: [...at, key], value: item }))),
  ].join("\n");
}

function isTables(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
}

/** A value as TOML writes it. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${tomlKey(key)} = ${tomlValue(inner)}`)
    .join(", ")} }`;
}

/** A key as TOML writes it. */
function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** `[hooks]` with lists of its own: `PreToolUse = [ … ]`. Notes about trust lie deeper, and are none. */
function hasHooksTable(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => /^\s*\[\s*hooks\s*\]/.test(line));
  if (start === -1) return false;
  const next = lines.slice(start + 1).findIndex(isHeader);
  const own = lines.slice(start + 1, next === -1 ? undefined : start + 1 + next);
  return own.some((line) => /^\s*["'\w-]+\s*=\s*\[/.test(line));
}

function isHeader(line: string): boolean {
  return /^\s*\[/.test(line);
}

/** The lines that do not lie inside a text of several lines. */
function topLines(text: string): string[] {
  return text.replaceAll(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, '""').split(/\r?\n/);
}

const BEGIN = "# >>> sluice";
const END = "# <<< sluice";
/** The line break before the block is ours too, so that a text without a final one gets back its end. */
const BLOCK = /\r?\n# >>> sluice\r?\n([\s\S]*?)# <<< sluice(?:\r?\n|$)/g;
const TABLE = /^\s*\[\[\s*hooks\s*\./;
const NESTED = /^\s*\[\[\s*hooks\s*\.[^\]]*\.\s*hooks\s*\]\]/;
const INLINE = /^\s*hooks\s*(?:\.|=)/;

/** The table of a server in a TOML text; `"unreadable"` if it is written in a way that cannot be edited as a table. */
export function tableIn(text: string, at: readonly string[]): object | "unreadable" | undefined {
  const isTableHere = partsOf(text).some((part) => isTable(part, at));
  const settings = tomlIn(text);
  if (settings === undefined) return isTableHere ? "unreadable" : undefined;
  let value: unknown = settings;
  for (const key of at) value = isObject(value) ? value[key] : undefined;
  if (value === undefined) return undefined;
  return isTableHere && isObject(value) && typeof value.command === "string" ? value : "unreadable";
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
    return [...(text === "" ? [] : [text]), SERVER_BEGIN, header, ...lines, SERVER_END, ""].join(eol);
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
  const outside = text.replaceAll(SERVER_BLOCK, (_, inside: string) => {
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

/** What is before the first table, empty or not, then each table with its lines. */
function partsOf(text: string): string[] {
  const parts = text.split(ANY_TABLE);
  return ANY_TABLE.test(parts[0] ?? "") ? ["", ...parts] : parts;
}

function isTable(part: string, at: readonly string[]): boolean {
  return new RegExp(`^[ \\t]*\\[\\s*${keysOf(at)}\\s*\\]`).test(part);
}

function isBelow(part: string, at: readonly string[]): boolean {
  return new RegExp(`^[ \\t]*\\[\\s*${keysOf(at)}\\s*[.\\]]`).test(part);
}

function keysOf(at: readonly string[]): string {
  return at.map((key) => `(?:${key}|"${key}"|'${key}')`).join("\\s*\\.\\s*");
}

const SERVER_BEGIN = "# >>> sluice mcp";
const SERVER_END = "# <<< sluice mcp";
/** The line break before the block is ours too, so that a text without a final one gets back its end. */
const SERVER_BLOCK = /(?:\r?\n|^)# >>> sluice mcp\r?\n([\s\S]*?)# <<< sluice mcp(?:\r?\n|$)/g;
const ANY_TABLE = /^(?=[ \t]*\[{1,2}[\w"'])/m;
const COMMAND = /^([ \t]*command[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')/m;
const ARGS = /^([ \t]*args[ \t]*=[ \t]*)(\[(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\]"'])*\])/m;
