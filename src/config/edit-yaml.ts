import { type CST, Document, isMap, isPair, isScalar, isSeq, type Node, stringify, type YAMLMap } from "yaml";
import { compose } from "./read-yaml.ts";
import type { HookData, ListEdit } from "./list-edit.ts";
import type { Path } from "./tree.ts";

/** Puts the list together from the lines of its entries, so that what stays keeps its form and its comments. */
export function editYaml(text: string, listPath: Path | undefined, steps: readonly ListEdit[]): string | undefined {
  const { document } = compose(text);
  if (document === undefined) return undefined;
  if (listPath === undefined) return append(text, document, steps);
  const list = document.getIn(listPath, true);
  if (!isSeq(list) || list.srcToken?.type !== "block-seq") return undefined;
  const lines = cut(text, list.srcToken, list.items as Node[], listPath.length > 0);
  if (lines === undefined) return undefined;
  const { chunks, indent, from, to } = lines;
  const gap = chunks.slice(1).some(({ before }) => /^[ \t]*\r?\n/.test(before)) ? eolOf(text) : "";
  const pieces = steps.map((step, index) => {
    if (step.kind === "add") return (index > 0 ? gap : "") + write([step.value], indent, eolOf(text));
    const chunk = chunks[step.index];
    if (chunk === undefined) return "";
    const body = step.kind === "keep" ? chunk.body : changed(chunk, text, indent, step);
    return chunk.before + (body.endsWith("\n") ? body : body + eolOf(text));
  });
  const inside = pieces.length === 0 ? `${indent}  []${eolOf(text)}` : pieces.join("");
  return text.slice(0, from) + inside + text.slice(to);
}

/** Sets the whole list anew; comments outside of it stay, their lines may be set anew as well. */
export function rewriteYaml(text: string, path: Path, list: readonly unknown[]): string | undefined {
  const { document } = compose(text);
  if (document === undefined) return undefined;
  if (path.length === 0) document.contents = document.createNode(list) as typeof document.contents;
  else document.setIn(path, document.createNode(list));
  return withEol(document.toString({ lineWidth: 0 }), eolOf(text));
}

/** A file that has no list yet gets one at its end. */
function append(text: string, { contents }: Document.Parsed, steps: readonly ListEdit[]): string | undefined {
  if (contents !== null && (!isMap(contents) || contents.flow || contents.has("hooks"))) return undefined;
  const eol = eolOf(text);
  const values = steps.flatMap((step) => (step.kind === "add" ? [step.value] : []));
  const start = text === "" || text.endsWith("\n") ? text : text + eol;
  return start + withEol(stringify({ hooks: values }, { lineWidth: 0 }), eol);
}

/** The lines of one entry, and the blank lines and comments before them. */
interface Chunk {
  readonly before: string;
  readonly body: string;
  /** Where the body begins in the text. */
  readonly at: number;
  readonly node: Node;
}

interface Lines {
  readonly chunks: readonly Chunk[];
  readonly indent: string;
  readonly from: number;
  readonly to: number;
}

function cut(text: string, token: CST.BlockSequence, nodes: readonly Node[], ownsComments: boolean): Lines | undefined {
  const dashes = token.items.flatMap(({ start }) => start.filter(({ type }) => type === "seq-item-ind"));
  const starts = dashes.map(({ offset }) => text.lastIndexOf("\n", offset - 1) + 1);
  const indents = dashes.map(({ offset }, index) => text.slice(starts[index], offset));
  const [indent, first] = [indents[0], starts[0]];
  if (indent === undefined || first === undefined || dashes.length !== nodes.length) return undefined;
  if (indents.some((other) => other !== indent || other.trim() !== "")) return undefined;
  const from = ownsComments ? aboveComments(text, first, indent) : first;
  let end = from;
  const chunks = nodes.map((node, index): Chunk => {
    const at = starts[index] ?? end;
    const before = text.slice(end, at);
    const valueEnd = Math.max(node.range?.[1] ?? 0, (dashes[index]?.offset ?? 0) + 1);
    const lineEnd = text.indexOf("\n", text.slice(0, valueEnd).trimEnd().length);
    end = lineEnd === -1 ? text.length : lineEnd + 1;
    return { before, body: text.slice(at, end), at, node };
  });
  return { chunks, indent, from, to: end };
}

/** Comments right above the first entry, and in line with it, are about that entry. */
function aboveComments(text: string, start: number, indent: string): number {
  const above = text.lastIndexOf("\n", start - 2) + 1;
  return start > 0 && text.startsWith(`${indent}#`, above) ? aboveComments(text, above, indent) : start;
}

function changed(
  { before, body, at, node }: Chunk,
  text: string,
  indent: string,
  { set, remove }: { readonly set: HookData; readonly remove: readonly string[] },
): string {
  if (!isMap(node)) return body;
  const inPlace = node.flow || remove.length > 0 ? undefined : setInPlace(node, body, at, text, set);
  if (inPlace !== undefined) return inPlace;
  for (const key of remove) node.delete(key);
  for (const [key, value] of Object.entries(set)) node.set(key, value);
  // The comment above the entry is written with the text before the entry.
  const inside = node.commentBefore?.split("\n").filter((line) => !before.includes(`#${line}`)) ?? [];
  node.commentBefore = inside.length === 0 ? null : inside.join("\n");
  return write([node], indent, eolOf(text));
}

/** Replaces values where they stand, and adds what is new as a line at the end. */
function setInPlace(map: YAMLMap, body: string, at: number, text: string, set: HookData): string | undefined {
  const eol = eolOf(text);
  const keyAt = map.range?.[0] ?? at;
  const column = keyAt - (text.lastIndexOf("\n", keyAt - 1) + 1);
  let edited = body.endsWith("\n") ? body : body + eol;
  const edits: { from: number; to: number; value: unknown }[] = [];
  for (const [key, value] of Object.entries(set)) {
    const pair = map.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key);
    if (pair === undefined) edited += write({ [key]: value }, " ".repeat(column), eol);
    else if (
      isScalar(pair.value) &&
      pair.value.range &&
      !/^[|>]/.test(text.slice(pair.value.range[0])) &&
      isSimple(value)
    )
      edits.push({ from: pair.value.range[0] - at, to: pair.value.range[1] - at, value });
    else return undefined;
  }
  for (const { from, to, value } of edits.sort((one, other) => other.from - one.from))
    edited = edited.slice(0, from) + stringify(value, { lineWidth: 0 }).trimEnd() + edited.slice(to);
  return edited;
}

function isSimple(value: unknown): boolean {
  return typeof value === "string" ? !value.includes("\n") : typeof value !== "object" || value === null;
}

/** A value as lines, each beginning with `indent`. */
function write(value: unknown, indent: string, eol: string): string {
  const lines = new Document(value).toString({ lineWidth: 0 });
  return withEol(lines.replaceAll(/^(?=.)/gm, indent), eol);
}

function withEol(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll(/\r?\n/g, eol);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
