import { GAP } from "./parse/command.ts";
import { climbsBehindName } from "./paths.ts";

/** A path as seen from a folder, without `.`, `..` and doubled slashes. */
export function joinPath(folder: string, path: string): string {
  if (PLAIN.test(path)) {
    if (folder === ".") return path;
    if (!UNTIDY.test(folder)) return `${folder}/${path}`;
  }
  const isAbsolute = path.startsWith("/") || path.startsWith("~");
  const whole = isAbsolute ? path : `${folder}/${path}`;
  const root = whole.startsWith("/") ? "/" : "";
  const kept: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    const last = kept.at(-1);
    if (part !== ".." || last === ".." || (last === undefined && root === "") || last?.includes(GAP) || last === "~")
      kept.push(part);
    else kept.pop();
  }
  return root + kept.join("/") || (root === "" ? "." : root);
}

/** The folder that a program goes to by itself: `..` behind a name stays, because from a link it leads elsewhere. */
export function folderGoneTo(folder: string, path: string): string {
  const whole = path.startsWith("/") || path.startsWith("~") ? path : `${folder}/${path}`;
  return climbsBehindName(whole) ? whole : joinPath(folder, path);
}

/** Most paths: names, one below the other. */
const UNTIDY = /^$|^~|\uFFFC|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|\/$/;
const PLAIN = /^[\w@+-][\w.@+-]*(?:\/[\w@+-][\w.@+-]*)*$/;
