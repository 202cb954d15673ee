import { type CST, isMap, isSeq, type Node } from "yaml";
import type { ListEdit, TextEditor } from "./hook-list.ts";
import { compose } from "./read-yaml.ts";
import type { Path } from "./tree.ts";
import { blockText, eolOf, withItems, withKey, withLines, withoutItem, withoutKey } from "./yaml-text.ts";

/** Changes texts of YAML, so that what stays keeps its form and its comments. */
export const yamlEditor: TextEditor = { withKey: withNewKey, withoutKey, withItems, withoutItem, withOrder, rewritten };

/** A key that the file does not have yet is added at its end, after all comments. */
function withNewKey(text: string, holder: Path, key: string, value: unknown): string | undefined {
  const inside = withKey(text, holder, key, value);
  if (holder.length > 0) return inside;
  const { document } = compose(text);
  const contents = document?.contents;
  if (document === undefined || (isMap(contents) && (contents.flow || contents.has(key)))) return inside;
  return withLines(text, text.length, blockText({ [key]: value }, "", eolOf(text)));
}

/** Puts the list together from the lines of its entries. */
function withOrder(text: string, listPath: Path, steps: readonly ListEdit[]): string | undefined {
  const list = compose(text).document?.getIn(listPath, true);
  if (!isSeq(list) || list.srcToken?.type !== "block-seq") return undefined;
  const lines = cut(text, list.srcToken, list.items as Node[], listPath.length > 0);
  if (lines === undefined) return undefined;
  const { chunks, indent, from, to } = lines;
  const gap = chunks.slice(1).some(({ before }) => /^[ \t]*\r?\n/.test(before)) ? eolOf(text) : "";
  const pieces = steps.map((step, index) => {
    if (step.kind === "add") return (index > 0 ? gap : "") + blockText([step.value], indent, eolOf(text));
    const chunk = chunks[step.index];
    if (chunk === undefined) return "";
    return chunk.before + (chunk.body.endsWith("\n") ? chunk.body : chunk.body + eolOf(text));
  });
  const inside = pieces.length === 0 ? `${indent}  []${eolOf(text)}` : pieces.join("");
  return text.slice(0, from) + inside + text.slice(to);
}

/** Sets the whole value anew; comments outside of it stay, their lines may be set anew as well. */
function rewritten(text: string, path: Path, value: unknown): string | undefined {
  const { document } = compose(text);
  if (document === undefined) return undefined;
  if (path.length === 0) document.contents = document.createNode(value) as typeof document.contents;
  else document.setIn(path, document.createNode(value));
  return document.toString({ lineWidth: 0 }).replaceAll(/\r?\n/g, eolOf(text));
}

/** The lines of one entry, and the blank lines and comments before them. */
interface Chunk {
  readonly before: string;
  readonly body: string;
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
    return { before, body: text.slice(at, end) };
  });
  return { chunks, indent, from, to: end };
}

/** Comments right above the first entry, and in line with it, are about that entry. */
function aboveComments(text: string, start: number, indent: string): number {
  const above = text.lastIndexOf("\n", start - 2) + 1;
  return start > 0 && text.startsWith(`${indent}#`, above) ? aboveComments(text, above, indent) : start;
}
