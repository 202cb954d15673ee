import { extname, resolve } from "node:path";
import type { ReadFile } from "../fs/read-once.ts";
import { looksRun } from "./script-file.ts";

/**
 * The files that a program in any language names between quotes and that look like code: a path, the parts of a path one
 * after the other, or a word of a command line.
 */
export function quotedFiles(text: string, folders: readonly string[], read: ReadFile): string[] {
  const names = [...new Set(namesIn(text))].slice(0, MOST_NAMES);
  const paths = names.flatMap((name) => folders.map((folder) => resolve(folder, name)));
  return paths.filter((path) => {
    const bytes = read(path);
    return bytes !== undefined && looksRun(bytes, "/");
  });
}

function namesIn(text: string): string[] {
  const found: string[] = [];
  let [path, end] = ["", -1];
  for (const { 1: quoted = "", index, 0: whole } of text.matchAll(QUOTED)) {
    const isNext = end >= 0 && /^\s*[,/+]\s*$/.test(text.slice(end, index));
    path = isNext ? `${path}/${quoted}` : quoted;
    end = index + whole.length;
    found.push(path, ...quoted.split(/\s+/));
  }
  return found.filter((name) => /\/\w|\w\/|^\w/.test(name) && (name.includes("/") || extname(name) !== ""));
}

const QUOTED = /["'`]([\w./@ -]{1,200})["'`]/g;
const MOST_NAMES = 500;
