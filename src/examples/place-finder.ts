import { type ConfigDocument, parseDocument, readDocument } from "../config/document.ts";
import { findHookList, type HookList } from "../config/hook-list.ts";
import { type ConfigTree, offsetAt, type Path } from "../config/tree.ts";
import type { Hook } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import type { Place } from "../problem/problem.ts";

/** Finds the place of a part of a hook; `line` and `column` are relative to a text. */
export type FindPlace = (hook: Hook, path: Path, line?: number, column?: number) => Place | undefined;

/** Looks into the files that hooks came from, each once; a draft is read instead of its file. */
export function placeFinder(drafts?: ReadonlyMap<string, string>): FindPlace {
  const known = new Map<string, { readonly document: ConfigDocument; readonly list: HookList } | undefined>();
  const fileNamed = (file: string) => {
    if (!known.has(file)) {
      const draft = drafts?.get(file);
      const read = draft === undefined ? readDocument(file) : parseDocument(file, draft);
      const document = read.state === "read" ? read.document : undefined;
      known.set(file, document && { document, list: findHookList(document) });
    }
    return known.get(file);
  };
  return (hook, path, line, column) => {
    const { origin } = hook;
    const { document, list } = (origin?.place && fileNamed(origin.place.file)) ?? {};
    const tree = list?.entries[origin?.index ?? -1]?.tree;
    if (document === undefined || tree === undefined || document.place(tree.at).line !== origin?.place.line) {
      return origin?.place;
    }
    const at = offsetAt(tree, asWritten(tree, path), "value");
    const place = document.place(at);
    if (line === undefined) return place;
    if (column !== undefined) return document.place(offsetInText(document.text, at, line, column));
    const isBlock = /[|>]/.test(document.text.charAt(at));
    return { file: place.file, line: (place.line ?? 1) + line - (isBlock ? 0 : 1) };
  };
}

/** The first key as the file spells it. */
function asWritten(tree: ConfigTree, [first, ...rest]: Path): Path {
  if (first === undefined || tree.kind !== "map") return [];
  const name = fieldNamed(String(first));
  return [tree.members.find(({ key }) => fieldNamed(key) === name)?.key ?? first, ...rest];
}

/** The place of a line and a column of a text in its file; `at` is where the text begins, as near as is known. */
export function offsetInText(source: string, at: number, line: number, column: number): number {
  const first = source.charAt(at);
  if (first === "|") return inBlock(source, at, line, column);
  if (first === '"') return inQuotes(source, at, line, column);
  return line === 1 && first !== ">" ? at + (first === "'" ? column : column - 1) : at;
}

/** Every line of a block is on a line of its own, after the indentation of the first line. */
function inBlock(source: string, at: number, line: number, column: number): number {
  const begin = source.indexOf("\n", at) + 1;
  if (begin === 0) return at;
  const indentation = /^(?:[ \t]*\r?\n)*( *)/.exec(source.slice(begin))?.[1]?.length ?? 0;
  let start = begin;
  for (let count = 1; count < line; count++) {
    const end = source.indexOf("\n", start);
    if (end === -1) return at;
    start = end + 1;
  }
  return start + indentation + column - 1;
}

/** Line breaks and quotes are written with a backslash. */
function inQuotes(source: string, at: number, line: number, column: number): number {
  let [here, reached, passed] = [at + 1, 1, 1];
  while (here < source.length && (reached < line || passed < column)) {
    const sign = /^(?:\\u[\da-f]{4}|\\[\s\S]|[^"\n])/i.exec(source.slice(here, here + 6))?.[0];
    if (sign === undefined) return reached < line ? at : here;
    const isBreak = sign === "\\n";
    if (isBreak && reached === line) return here;
    reached += isBreak ? 1 : 0;
    passed = isBreak ? 1 : passed + 1;
    here += sign.length;
  }
  return here;
}
