import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";

/** A text with something new at the end of a list or an object, one after the other; nothing else in it moves. */
export function appended(text: string, holder: Node, ...additions: readonly string[]): string {
  const last = holder.children?.at(-1);
  const { eol, unit } = habits(text);
  const indent = indentAt(text, holder.offset);
  if (last === undefined) {
    const inside = text.slice(holder.offset + 1, holder.offset + holder.length - 1);
    const kept = inside.trim() === "" ? "" : inside.trimEnd();
    const line = `${eol}${indent}${unit}`;
    const filled = `${kept}${line}${additions.join(`,${line}`)}${eol}${indent}`;
    return spliced(text, holder.offset + 1, holder.offset + holder.length - 1, filled);
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  if (!isMultiline(text, holder)) {
    const addition = additions.join(", ");
    return comma === undefined
      ? spliced(text, end, end, `, ${addition}`)
      : spliced(text, comma + 1, comma + 1, ` ${addition},`);
  }
  const line = eol + indentAt(text, last.offset);
  const lineEnd = endOfLine(text, comma === undefined ? end : comma + 1);
  const addition = additions.join(`,${line}`);
  if (comma !== undefined) return spliced(text, lineEnd, lineEnd, `${line}${addition},`);
  return spliced(spliced(text, lineEnd, lineEnd, line + addition), end, end, ",");
}

/** A text without one child of a list or an object, with its comma and its line. */
export function cutOut(text: string, holder: Node, child: Node): string {
  const children = holder.children ?? [];
  const index = children.indexOf(child);
  const [before, after] = [children[index - 1], children[index + 1]];
  if (before === undefined && after === undefined) return emptied(text, holder, child);
  const end = child.offset + child.length;
  const comma = commaAfter(text, end);
  const to = comma === undefined ? end : comma + 1;
  const behind = comments(text.slice(end, comma ?? end));
  if (isOnOwnLine(text, child.offset)) {
    const isAlone = behind === "" && BLANK_REST.test(text.slice(to, to + LONGEST_BLANK));
    const from = isAlone ? lineBreakBefore(text, child.offset) : child.offset;
    const without = spliced(text, from, isAlone ? to + blanksAt(text, to) : to, behind);
    const dangling = comma === undefined && before ? commaAfter(text, before.offset + before.length) : undefined;
    return dangling === undefined ? without : spliced(without, dangling, dangling + 1, "");
  }
  const start = before === undefined ? holder.offset + 1 : before.offset + before.length;
  const separator = before === undefined ? undefined : commaAfter(text, start);
  const lead = separator === undefined ? text.slice(start, child.offset) : text.slice(separator + 1, child.offset);
  // After the last child a comma of the file's own habit stays, the one before the child goes with it.
  if (after === undefined && separator !== undefined) {
    const kept = text.slice(start, separator) + comments(lead);
    return spliced(text, start, end, kept);
  }
  const from = separator === undefined ? start : separator + 1;
  const next = before === undefined && !/[^ \t]/.test(lead) ? to + blanksAt(text, to) : to;
  return spliced(text, from, next, (before === undefined ? lead : comments(lead)) + behind);
}

/** A gap between two children: empty, unless it has a comment. */
function comments(gap: string): string {
  return gap.trim() === "" ? "" : gap;
}

/** What is left of a list or an object without its only child: comments stay, blanks go. */
function emptied(text: string, holder: Node, child: Node): string {
  const [from, to] = [holder.offset + 1, holder.offset + holder.length - 1];
  const end = child.offset + child.length;
  const comma = commaAfter(text, end);
  const behind =
    comma === undefined ? text.slice(end, to) : comments(text.slice(end, comma)) + text.slice(comma + 1, to);
  const rest = text.slice(from, child.offset) + behind;
  return spliced(text, from, to, rest.trim() === "" ? "" : rest);
}

/** A value on one line, with room to breathe. */
export function oneLiner(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLiner).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${oneLiner(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** How this file is indented and how its lines end. */
export function habits(text: string): { readonly unit: string; readonly eol: string } {
  return { unit: /\n([ \t]+)["[{\]}]/.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** Whether the children of a list or an object are on lines of their own; true for an empty one. */
export function isMultiline(text: string, { offset, children = [] }: Node): boolean {
  const first = children[0];
  return first === undefined || text.slice(offset, first.offset).includes("\n");
}

/** Whether there is a comment between a key and its value. */
export function isCommented(text: string, value: Node): boolean {
  const [key] = value.parent?.children ?? [];
  return key !== undefined && text.slice(key.offset + key.length, value.offset).includes("/");
}

/** Whether a list or an object has this child and nothing else, not even a comment. */
export function isAlone(text: string, holder: Node, child: Node): boolean {
  const before = text.slice(holder.offset + 1, child.offset);
  const after = text.slice(child.offset + child.length, holder.offset + holder.length - 1);
  return /^\s*,?\s*$/.test(before + after);
}

function spliced(text: string, from: number, to: number, middle: string): string {
  return text.slice(0, from) + middle + text.slice(to);
}

/** The position of the comma after a child, past comments. */
function commaAfter(text: string, end: number): number | undefined {
  const trivia = TRIVIA.exec(text.slice(end))?.[0].length ?? 0;
  return text[end + trivia] === "," ? end + trivia : undefined;
}

/** The end of a line whose rest is only a comment; otherwise the place itself. */
function endOfLine(text: string, at: number): number {
  return at + (REST_OF_LINE.exec(text.slice(at))?.[0].length ?? 0);
}

function blanksAt(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0;
}

function isOnOwnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(lineUpTo(text, offset));
}

function lineBreakBefore(text: string, offset: number): number {
  const newline = text.lastIndexOf("\n", offset - 1);
  return text[newline - 1] === "\r" ? newline - 1 : Math.max(newline, 0);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineUpTo(text, offset))?.[0] ?? "";
}

function lineUpTo(text: string, offset: number): string {
  return text.slice(offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1, offset);
}

const TRIVIA = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/;
const REST_OF_LINE = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*)?(?=\r?\n|$)/;
const BLANK_REST = /^[ \t]*(?:\r?\n|$)/;
/** A line with more blanks than this after an entry keeps them. */
const LONGEST_BLANK = 1000;

/** Why a text cannot be edited, and where that shows. */
export interface Uneditable {
  readonly why: string;
  readonly offset: number;
}

/** Why a settings text cannot take entries in these lists: where it stops being JSON, or is not what the agent takes. */
export function whyUneditable(text: string, lists: readonly (readonly string[])[]): Uneditable | undefined {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, options);
  if (errors[0] !== undefined) return { why: "it is not JSON", offset: errors[0].offset };
  if (root === undefined) return undefined;
  if (root.type !== "object") return { why: "it is JSON and no object", offset: root.offset };
  const hooks = findNodeAtLocation(root, ["hooks"]);
  const twice =
    doubled(root, ["hooks"]) ??
    (hooks &&
      doubled(
        hooks,
        lists.map(([, name = ""]) => name),
      ));
  if (twice !== undefined) return { why: `\`${twice.value}\` is in it twice`, offset: twice.offset };
  if (hooks === undefined) return undefined;
  if (hooks.type !== "object") return { why: "its `hooks` is not an object", offset: hooks.offset };
  const odd = lists.map((at) => findNodeAtLocation(root, [...at])).find((list) => list && list.type !== "array");
  return odd === undefined ? undefined : { why: "a list of hooks is not a list", offset: odd.offset };
}

/** Whether two texts have the same meaning, apart from lists and objects that are empty. */
export function saysTheSame(one: string, other: string): boolean {
  return JSON.stringify(meaning(one)) === JSON.stringify(meaning(other));
}

function meaning(text: string): unknown {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true, allowEmptyContent: true });
  return errors.length > 0 ? { broken: text } : root && withoutEmpty(getNodeValue(root));
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? {});
  const members = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The second key of one of these names. */
export function doubled(holder: Node, names: readonly string[]): Node | undefined {
  const keys = (holder.children ?? []).flatMap(({ children }) => children?.[0] ?? []);
  return keys.find(
    (key, index) => names.includes(String(key.value)) && keys.slice(0, index).some(({ value }) => value === key.value),
  );
}
