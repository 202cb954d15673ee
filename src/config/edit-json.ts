import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";
import type { HookData, ListEdit } from "./list-edit.ts";
import type { Path } from "./tree.ts";

/** Puts the list together from the texts of its entries, so that what stays keeps its form and its comments. */
export function editJson(text: string, listPath: Path | undefined, steps: readonly ListEdit[]): string | undefined {
  const root = parseTree(text);
  const list = listPath && root && findNodeAtLocation(root, [...listPath]);
  if (list?.type !== "array") return undefined;
  const { chunks, rest, endsWithComma } = cut(text, list);
  const write = writerFor(text, list);
  const pieces = steps.flatMap((step): Chunk[] => {
    if (step.kind === "add") return [write(step.value)];
    const chunk = chunks[step.index];
    if (chunk === undefined) return [];
    return [step.kind === "change" ? { ...chunk, body: changed(chunk.body, step) } : chunk];
  });
  const entries = pieces.map(({ before, body, after }, index) => {
    const comma = index < pieces.length - 1 || endsWithComma ? "," : "";
    return `${before}${body}${comma}${after}`;
  });
  const wasEmpty = chunks.length === 0;
  const inside = wasEmpty ? rest.trimEnd() + entries.join("") + endOfNewList(text, list) : entries.join("") + rest;
  return text.slice(0, list.offset + 1) + inside + text.slice(list.offset + list.length - 1);
}

/** Sets the whole list anew; the rest of the file stays as it was. */
export function rewriteJson(text: string, path: Path, list: readonly unknown[]): string {
  const { unit, eol } = habits(text);
  if (parseTree(text, [], { allowEmptyContent: true }) === undefined)
    return `${text}${JSON.stringify({ hooks: list }, null, unit)}${eol}`;
  return applyEdits(text, modify(text, [...path], list, { formattingOptions: formatting(text) }));
}

/** An entry with what belongs to it: the comments above it, and the one behind it on its line. Its comma is left out. */
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

function changed(
  body: string,
  { set, remove }: { readonly set: HookData; readonly remove: readonly string[] },
): string {
  const edits = [...Object.entries(set), ...remove.map((key) => [key, undefined] as const)];
  const indent = /\n([ \t]*)\S[^\n]*$/.exec(body)?.[1] ?? "";
  // The library indents from column 0, so it is shown the entry as if it began there.
  const flush = body.replaceAll(`\n${indent}`, "\n");
  const edited = edits.reduce(
    (now, [key, value]) => applyEdits(now, modify(now, [key], value, { formattingOptions: formatting(now) })),
    flush,
  );
  return edited.replaceAll("\n", `\n${indent}`);
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

function habits(text: string): { unit: string; eol: string } {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function formatting(text: string) {
  const { unit, eol } = habits(text);
  return { insertSpaces: !unit.startsWith("\t"), tabSize: unit.length, eol };
}

const TRIVIA = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/;
/** Comments that end a line. What is followed by more on the same line belongs to that. */
const REST_OF_LINE = /^[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/;
