import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { compose } from "./read-yaml.ts";
import type { Path } from "./tree.ts";

/**
 * A text with a key of one of its objects set to a value. Only the lines of that value change; a key that is new gets lines of its own
 * after the last one. Undefined if the object is not there, or is not written in the text itself.
 */
export function withKey(text: string, holder: Path, key: string, value: unknown): string | undefined {
  const map = nodeAt(text, holder);
  if (!isMap(map)) return undefined;
  const pair = pairOf(map, key);
  if (pair !== undefined) return withValue(text, map, pair, value);
  if (map.flow) return withFlowItem(text, map, flowPair(key, value));
  const [first] = map.items;
  if (first === undefined) return undefined;
  const indent = " ".repeat(columnOf(text, startOf(first)));
  return withLines(text, endOfLines(text, map), blockText({ [key]: value }, indent, eolOf(text)));
}

/** A text without a key of one of its objects, and without its value. */
export function withoutKey(text: string, holder: Path, key: string): string | undefined {
  const map = nodeAt(text, holder);
  const pair = isMap(map) ? pairOf(map, key) : undefined;
  if (!isMap(map) || pair === undefined) return undefined;
  if (map.items.length === 1 && !map.flow) return spliced(text, startOf(pair), trimmedEnd(text, pair), "{}");
  if (map.flow) return withoutFlowItem(text, map, map.items.indexOf(pair));
  const [from, next] = [startOf(pair), map.items[map.items.indexOf(pair) + 1]];
  const lineStart = startOfLine(text, from);
  if (text.slice(lineStart, from).trim() === "") return spliced(text, lineStart, endOfLines(text, pair), "");
  // It is after the dash of its entry: the next key takes its place, unless there is a comment in between.
  if (next === undefined) return undefined;
  const isNear = text.slice(endOfLines(text, pair), startOf(next)).trim() === "";
  return spliced(text, from, isNear ? startOf(next) : trimmedEnd(text, pair), "");
}

/** A text with more items at the end of one of its lists, in the form of those that are there. */
export function withItems(text: string, path: Path, values: readonly unknown[]): string | undefined {
  const list = nodeAt(text, path);
  if (isSeq(list) && list.items.length > 0) {
    if (list.flow)
      return values.reduce<string | undefined>((now, value) => {
        const again = now === undefined ? undefined : nodeAt(now, path);
        return now === undefined || !isSeq(again) ? undefined : withFlowItem(now, again, flowText(value));
      }, text);
    return withBlockItems(text, list, values);
  }
  const key = path.at(-1);
  const holder = nodeAt(text, path.slice(0, -1));
  const pair = isMap(holder) && typeof key === "string" ? pairOf(holder, key) : undefined;
  return isMap(holder) && pair !== undefined ? withValue(text, holder, pair, values) : undefined;
}

/** A text without one item of a list in square brackets. */
export function withoutItem(text: string, path: Path, index: number): string | undefined {
  const list = nodeAt(text, path);
  if (!isSeq(list)) return undefined;
  if (list.flow) return withoutFlowItem(text, list, index);
  const item = list.items[index] as Node | undefined;
  if (item?.range == null) return undefined;
  if (list.items.length === 1) {
    const from = text.slice(0, startOf(list)).trimEnd().length;
    return spliced(text, from, trimmedEnd(text, item), " []");
  }
  return spliced(text, startOfLine(text, item.range[0]), endOfLines(text, item), "");
}

/** The end of a line in this text. */
export function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** A value as lines of YAML, each beginning with `indent`. */
export function blockText(value: unknown, indent: string, eol: string): string {
  const lines = new Document(value).toString({ lineWidth: 0 });
  return lines.replaceAll(/^(?=.)/gm, indent).replaceAll("\n", eol);
}

function nodeAt(text: string, path: Path): unknown {
  const { document } = compose(text);
  return path.length === 0 ? document?.contents : document?.getIn(path, true);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

/** Replaces the value of a key by another. */
function withValue(text: string, map: YAMLMap, pair: Pair, value: unknown): string | undefined {
  const old = pair.value as Node | null;
  const colon = text.indexOf(":", rangeOf(pair.key as Node)[1]);
  if (old !== null && !hasText(old)) return afterColon(text, colon + 1, map, pair, value);
  if (old === null || old.range == null) return afterColon(text, colon + 1, map, pair, value);
  const [from] = rangeOf(old);
  if (map.flow || isFlow(old)) {
    const isEmpty = isSeq(old) && old.items.length === 0 && !map.flow;
    if (!isEmpty) return spliced(text, from, rangeOf(old)[1], flowText(value));
  }
  // A value on lines of its own is removed with them; comments above and after it stay.
  const isBelow = text.slice(colon, from).includes("\n");
  const without = isBelow
    ? spliced(text, startOfLine(text, from), endOfLines(text, old), "")
    : withoutScalar(text, colon + 1, old);
  return afterColon(without, colon + 1, map, pair, value, indentOfBlock(text, old));
}

/** Removes a value that begins on the line of its key, and keeps the comment after it. */
function withoutScalar(text: string, from: number, old: Node): string {
  const [start, end] = rangeOf(old);
  if (!isBlockScalar(old)) return spliced(text, from, end, "");
  const headEnd = text.indexOf("\n", start);
  const comment = /\s+#.*$/.exec(text.slice(start, headEnd).trimEnd())?.[0] ?? "";
  const eol = text.slice(0, headEnd).endsWith("\r") ? "\r\n" : "\n";
  return spliced(text, from, end, comment + eol);
}

/** Writes a value after a colon without one: on the same line, or on lines of its own below it. */
function afterColon(text: string, at: number, map: YAMLMap, pair: Pair, value: unknown, indent?: string): string {
  if (map.flow) return spliced(text, at, at, ` ${flowText(value)}`);
  const column = columnOf(text, startOf(pair));
  const inner = indent ?? " ".repeat(column + 2);
  const eol = eolOf(text);
  if (typeof value === "string" && value.includes("\n")) {
    const [first = "", ...lines] = blockText({ k: value }, "", "\n").trimEnd().split("\n");
    const head = first.slice("k:".length);
    // A header with a number sets how far its lines are indented.
    const before = /\d/.test(head) ? " ".repeat(column + 2) : inner;
    const body = lines.map((line) => (line === "" ? line : before + line.slice("  ".length)) + eol).join("");
    return withLines(spliced(text, at, at, head), endOfLine(text, at) + head.length, body);
  }
  if (isCollection(value)) return withLines(text, endOfLine(text, at), blockText(value, inner, eol));
  return spliced(text, at, at, ` ${stringify(value, { lineWidth: 0 }).trimEnd()}`);
}

function withBlockItems(text: string, list: YAMLSeq, values: readonly unknown[]): string | undefined {
  const token = list.srcToken;
  if (token?.type !== "block-seq") return undefined;
  const eol = eolOf(text);
  const indent = " ".repeat(columnOf(text, rangeOf(list)[0]));
  const items = list.items as Node[];
  const isApart = items.some((item, index) => {
    const before = items[index - 1];
    return before !== undefined && /\n[ \t]*\r?\n/.test(text.slice(endOfLines(text, before) - 1, rangeOf(item)[0]));
  });
  // Blank lines after a text that keeps them would become lines of that text.
  const isKeeping = keepsBlankLines(text, lastOf(list));
  const gap = (index: number) => (isApart && !(isKeeping && index === 0) ? eol : "");
  const lines = values.map((value, index) => gap(index) + blockText([value], indent, eol)).join("");
  return withLines(text, endOfLines(text, list), lines);
}

/** Puts an item after the last one of a collection in brackets; on a line of its own if the others are. */
function withFlowItem(text: string, holder: YAMLMap | YAMLSeq, item: string): string {
  const [from, to] = rangeOf(holder);
  const last = holder.items.at(-1);
  if (last === undefined) return spliced(text, from + 1, to - 1, ` ${item} `);
  const end = endOfItem(last);
  const comma = /^\s*,/.exec(text.slice(end, to));
  const start = startOf(last);
  if (!text.slice(from, startOf(holder.items[0])).includes("\n"))
    return comma === null
      ? spliced(text, end, end, `, ${item}`)
      : spliced(text, end + comma[0].length, end + comma[0].length, ` ${item},`);
  const line = `${eolOf(text)}${text.slice(startOfLine(text, start), start)}${item}${comma === null ? "" : ","}`;
  const lineEnd = text.slice(0, text.indexOf("\n", end)).trimEnd().length;
  const at = lineEnd > to - 1 ? text.slice(0, to - 1).trimEnd().length : lineEnd;
  return spliced(spliced(text, at, at, line), end, end, comma === null ? "," : "");
}

/** Takes an item out of a collection in brackets, with one comma. */
function withoutFlowItem(text: string, holder: YAMLMap | YAMLSeq, index: number): string | undefined {
  const [item, before, after] = [holder.items[index], holder.items[index - 1], holder.items[index + 1]];
  if (item === undefined) return undefined;
  if (after !== undefined) return spliced(text, startOf(item), startOf(after), "");
  if (before !== undefined) return spliced(text, endOfItem(before), endOfItem(item), "");
  return spliced(text, rangeOf(holder)[0] + 1, rangeOf(holder)[1] - 1, "");
}

/** A value on one line, as it may be written between brackets. */
function flowText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, inner]) => flowPair(key, inner));
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  // What YAML and JSON both read is safe between brackets; a string without quotes is one that YAML would write so too.
  const isBare = typeof value === "string" && /^[\w./@-][\w ./@-]*$/.test(value) && stringify(value) === `${value}\n`;
  return isBare ? String(value) : JSON.stringify(value);
}

function flowPair(key: string, value: unknown): string {
  return `${flowText(key)}: ${flowText(value)}`;
}

/** The end of the lines of a node, including a comment after it on its last line. */
function endOfLines(text: string, node: unknown): number {
  const last = lastOf(node);
  if (isBlockScalar(last)) {
    const [, end] = rangeOf(last);
    return text[end - 1] === "\n" ? end : endOfLine(text, end);
  }
  return endOfLine(text, last === undefined ? 0 : rangeOf(last)[1]);
}

/** The same without the line's own end, its comment and the blanks before them. */
function trimmedEnd(text: string, node: unknown): number {
  const last = lastOf(node);
  const end = last === undefined ? 0 : rangeOf(last)[1];
  return isBlockScalar(last) ? text.slice(0, end).trimEnd().length : end;
}

/** The last scalar or collection in brackets inside a node: where its text ends. */
function lastOf(node: unknown): Node | undefined {
  if (isMap(node) || isSeq(node)) {
    const inner = isFlow(node) ? undefined : node.items.at(-1);
    return inner === undefined ? node : lastOf(inner);
  }
  if (isPairLike(node)) return hasText(node.value) ? lastOf(node.value) : (node.key as Node);
  return node as Node;
}

function isPairLike(node: unknown): node is Pair {
  return typeof node === "object" && node !== null && "key" in node;
}

function endOfItem(item: unknown): number {
  const last = lastOf(item);
  return last === undefined ? 0 : rangeOf(last)[1];
}

function startOf(item: unknown): number {
  return rangeOf((isPairLike(item) ? item.key : item) as Node)[0];
}

function hasText(node: unknown): boolean {
  const range = (node as Node | null)?.range;
  return range != null && range[1] > range[0];
}

function isFlow(node: unknown): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function isBlockScalar(node: unknown): node is Scalar {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}

function keepsBlankLines(text: string, node: unknown): boolean {
  return isBlockScalar(node) && /^[|>]\d?\+/.test(text.slice(rangeOf(node)[0]));
}

/** The blanks before the lines of a value that has lines of its own. */
function indentOfBlock(text: string, node: Node): string | undefined {
  if (isBlockScalar(node)) return /\n( +)\S/.exec(text.slice(...(rangeOf(node).slice(0, 2) as [number, number])))?.[1];
  return isFlow(node) || isScalar(node) ? undefined : " ".repeat(columnOf(text, rangeOf(node)[0]));
}

function isCollection(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function rangeOf(node: Node): readonly [number, number] {
  const [from = 0, to = 0] = node.range ?? [];
  return [from, to];
}

function columnOf(text: string, at: number): number {
  return at - startOfLine(text, at);
}

function startOfLine(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** The position after the line break of the line. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** Inserts whole lines; a last line without a line end stays so. */
export function withLines(text: string, at: number, lines: string): string {
  if (at === 0 || text[at - 1] === "\n") return spliced(text, at, at, lines);
  const eol = eolOf(text);
  return spliced(text, at, at, eol + lines.slice(0, -eol.length));
}

function spliced(text: string, from: number, to: number, middle: string): string {
  return text.slice(0, from) + middle + text.slice(to);
}
