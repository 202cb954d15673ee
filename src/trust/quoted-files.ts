import { extname, resolve } from "node:path";
import { takesCode } from "../effects/programs/tell-program.ts";
import type { ReadFile } from "../fs/read-once.ts";
import { looksRun } from "./script-file.ts";
import { programIn } from "./script-references.ts";

/**
 * The files that a program in any language names between quotes and that look like code, or that an interpreter is
 * given: a path, the parts of a path one after the other, or an argument of a command line.
 */
export function quotedFiles(text: string, folders: readonly string[], read: ReadFile): string[] {
  const names = namesIn(text);
  return [...names].slice(0, MOST_NAMES).flatMap(([name, isCode]) => {
    const paths = folders.map((folder) => resolve(folder, name));
    return paths.filter((path) => {
      const bytes = read(path);
      return bytes !== undefined && (isCode || looksRun(bytes, "/"));
    });
  });
}

/** Names between quotes, each with whether a shell or an interpreter comes before it in the same list of arguments. */
function namesIn(text: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const add = (name: string, isCode: boolean) => {
    const isName = /\/\w|\w\/|^\w/.test(name) && (isCode || name.includes("/") || extname(name) !== "");
    if (isName) found.set(name, isCode || found.get(name) === true);
  };
  let [path, end, isCode] = ["", -1, false];
  for (const { 1: quoted = "", index, 0: whole } of text.matchAll(QUOTED)) {
    const between = end < 0 ? "." : text.slice(end, index);
    isCode &&= FOLLOWS.test(between);
    path = NEXT_PART.test(between) ? `${path}/${quoted}` : quoted;
    end = index + whole.length;
    add(path, false);
    if (isCode) add(quoted, true);
    const pieces = quoted.split(/\s+/);
    // A text that begins with the name of a program is a command line, any other is a sentence.
    const isCommand = programIn(pieces[0] ?? "") !== undefined;
    for (const piece of pieces) {
      add(piece, isCode);
      const program = isCommand ? programIn(piece) : undefined;
      isCode ||= program !== undefined && takesCode(program);
    }
  }
  return found;
}

const QUOTED = /["'`]([\w./@ -]{1,200})["'`]/g;
/** Between the parts of a path, and between the arguments of a call. */
const NEXT_PART = /^\s*[,/+]\s*$/;
const FOLLOWS = /^\s*,\s*\[?\s*$/;
const MOST_NAMES = 500;
