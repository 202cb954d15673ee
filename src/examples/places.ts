import { type ConfigDocument, readDocument } from "../config/document.ts";
import { findHookList } from "../config/hook-list.ts";
import { offsetInText } from "../config/text-place.ts";
import { offsetAt, type Path, type Tree } from "../config/tree.ts";
import type { Hook } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import type { Place } from "../problem/problem.ts";

/** Finds where a part of a hook stands; `line` and `column` count inside a text. */
export type FindPlace = (hook: Hook, path: Path, line?: number, column?: number) => Place | undefined;

/** Looks into the files that hooks came from, each once. */
export function placeFinder(): FindPlace {
  const documents = new Map<string, ConfigDocument | undefined>();
  const documentOf = (file: string) => {
    if (!documents.has(file)) {
      const read = readDocument(file);
      documents.set(file, read.state === "read" ? read.document : undefined);
    }
    return documents.get(file);
  };
  return (hook, path, line, column) => {
    const { origin } = hook;
    const document = origin?.place && documentOf(origin.place.file);
    const tree = document && findHookList(document).entries[origin.index]?.tree;
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
function asWritten(tree: Tree, [first, ...rest]: Path): Path {
  if (first === undefined || tree.kind !== "map") return [];
  const name = fieldNamed(String(first));
  return [tree.members.find(({ key }) => fieldNamed(key) === name)?.key ?? first, ...rest];
}
