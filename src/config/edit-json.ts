import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";
import type { ListEdit, TextEditor } from "./hook-list.ts";
import { appended, cutOut, habits, isMultiline, oneLiner } from "./json-text.ts";
import type { Path } from "./tree.ts";

/** Changes texts of JSON, so that what stays keeps its form and its comments. */
export const jsonEditor: TextEditor = { withKey, withoutKey, withItems, withoutItem, withOrder, rewritten };

function withKey(text: string, holder: Path, key: string, value: unknown): string | undefined {
  const object = nodeAt(text, holder);
  if (object?.type !== "object") return undefined;
  const old = propertyOf(object, key)?.children?.[1];
  if (old === undefined) {
    const separator = /^:\s*/.exec(text.slice(keyEnd(object)))?.[0] ?? ": ";
    const isOneLine = !isMultiline(text, object);
    const indent = isOneLine ? "" : indentInside(text, object);
    return appended(text, object, JSON.stringify(key) + separator + written(text, value, indent, isOneLine));
  }
  const indent = indentAt(text, old.offset);
  const isOneLine = !text.slice(old.offset, old.offset + old.length).includes("\n") && !isMultiline(text, object);
  const now = written(text, value, indent, isOneLine);
  return text.slice(0, old.offset) + now + text.slice(old.offset + old.length);
}

function withoutKey(text: string, holder: Path, key: string): string | undefined {
  const object = nodeAt(text, holder);
  const property = object && propertyOf(object, key);
  return object === undefined || property === undefined ? undefined : cutOut(text, object, property);
}

function withItems(text: string, list: Path, values: readonly unknown[]): string | undefined {
  return values.reduce<string | undefined>((now, value) => {
    const array = now === undefined ? undefined : nodeAt(now, list);
    if (now === undefined || array?.type !== "array") return undefined;
    const isOneLine = !isMultiline(now, array);
    const addition = written(now, value, isOneLine ? "" : indentInside(now, array), isOneLine);
    return appended(now, array, addition);
  }, text);
}

function withoutItem(text: string, list: Path, index: number): string | undefined {
  const array = nodeAt(text, list);
  const item = array?.children?.[index];
  return array === undefined || item === undefined ? undefined : cutOut(text, array, item);
}

function nodeAt(text: string, path: Path): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [...path]);
}

function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.find(({ children: [name] = [] }) => name?.value === key);
}

/** After the first key of an object; after its bracket if it does not have a key. */
function keyEnd({ offset, children: [first] = [] }: Node): number {
  const name = first?.children?.[0];
  return name === undefined ? offset + 1 : name.offset + name.length;
}

/** A value as this file would have it; its further lines begin with `indent`. */
function written(text: string, value: unknown, indent: string, isOneLine: boolean): string {
  const { unit, eol } = habits(text);
  if (isOneLine) return oneLiner(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

/** The blanks before the children of a list or an object. */
function indentInside(text: string, { offset, children: [first] = [] }: Node): string {
  return first === undefined ? indentAt(text, offset) + habits(text).unit : indentAt(text, first.offset);
}

/** Puts the list together from the texts of its entries. */
function withOrder(text: string, listPath: Path, steps: readonly ListEdit[]): string | undefined {
  const list = nodeAt(text, listPath);
  if (list?.type !== "array") return undefined;
  const { chunks, rest, endsWithComma } = cut(text, list);
  const write = writerFor(text, list);
  const pieces = steps.flatMap((step): Chunk[] => {
    if (step.kind === "add") return [write(step.value)];
    const chunk = chunks[step.index];
    return chunk === undefined ? [] : [chunk];
  });
  const entries = pieces.map(({ before, body, after }, index) => {
    const comma = index < pieces.length - 1 || endsWithComma ? "," : "";
    return `${before}${body}${comma}${after}`;
  });
  const wasEmpty = chunks.length === 0;
  const inside = wasEmpty ? rest.trimEnd() + entries.join("") + endOfNewList(text, list) : entries.join("") + rest;
  return text.slice(0, list.offset + 1) + inside + text.slice(list.offset + list.length - 1);
}

/** Sets the whole value anew; the rest of the file stays as it was. */
function rewritten(text: string, path: Path, value: unknown): string {
  const { unit, eol } = habits(text);
  if (parseTree(text, [], { allowEmptyContent: true }) === undefined)
    return `${text}${JSON.stringify(around(path, value), null, unit)}${eol}`;
  return applyEdits(text, modify(text, [...path], value, { formattingOptions: formatting(text) }));
}

/** An entry with the comments above it and after it on its line, without its comma. */
interface Chunk {
  readonly before: string;
  readonly body: string;
  readonly after: string;
}

function cut(text: string, { offset, length, children = [] }: Node) {
  const listEnd = offset + length - 1;
  let from = offset + 1;
  let endsWithComma = false;
  const chunks = children.map((child, index): Chunk => {
    const end = child.offset + child.length;
    const gap = text.slice(end, children[index + 1]?.offset ?? listEnd);
    const upToComma = TRIVIA.exec(gap)?.[0] ?? "";
    endsWithComma = gap[upToComma.length] === ",";
    const own = endsWithComma ? upToComma : "";
    const behind = REST_OF_LINE.exec(gap.slice(endsWithComma ? own.length + 1 : 0))?.[0] ?? "";
    const before = text.slice(from, child.offset);
    from = end + own.length + (endsWithComma ? 1 : 0) + behind.length;
    return { before, body: text.slice(child.offset, end), after: own + behind };
  });
  return { chunks, rest: text.slice(from, listEnd), endsWithComma };
}

function around(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inside, key) => ({ [key]: inside }), value);
}

/** Writes a new entry the way the others are written: on lines of its own, or all in one. */
function writerFor(text: string, list: Node): (value: unknown) => Chunk {
  const { unit, eol } = habits(text);
  const last = list.children?.at(-1);
  if (last !== undefined && !text.slice(list.offset, last.offset).includes("\n"))
    return (value) => ({ before: " ", body: JSON.stringify(value), after: "" });
  const indent = last === undefined ? indentAt(text, list.offset) + unit : indentAt(text, last.offset);
  return (value) => ({
    before: eol + indent,
    body: JSON.stringify(value, null, unit).replaceAll("\n", eol + indent),
    after: "",
  });
}

function endOfNewList(text: string, { offset }: Node): string {
  return habits(text).eol + indentAt(text, offset);
}

/** The blanks at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

function formatting(text: string) {
  const { unit, eol } = habits(text);
  return { insertSpaces: !unit.startsWith("\t"), tabSize: unit.length, eol };
}

const TRIVIA = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/;
/** Comments that end a line. What is followed by more on the same line belongs to that. */
const REST_OF_LINE = /^[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/;
