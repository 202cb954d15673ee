import { type Call, deletes, known, reads, writes } from "../call.ts";

/** Tells the files that a patch changes, where its text is in the line; else it may be any below the folder. */
export function tellPatch(call: Call, strip: number): void {
  const { input } = call.command;
  const text = call.told.piped === "" ? undefined : call.told.piped;
  const found = text === undefined ? [] : [...text.matchAll(/^(?:\+\+\+|---|rename to) ([^\t\n]+)/gm)];
  if (text === undefined && input.from !== "file") reads(call, call.operands.at(-1));
  const seen = new Set<string>();
  found.forEach(([line, name], at) => {
    const path = stripped(name ?? "", line.startsWith("rename") ? 0 : strip);
    if (path === "" || name === "/dev/null" || seen.has(path)) return;
    seen.add(path);
    const isRemoved = line.startsWith("---") && found[at + 1]?.[1] === "/dev/null";
    if (isRemoved) deletes(call, known(path));
    else writes(call, known(path));
  });
  if (seen.size === 0) writes(call, known("."), { isTree: true });
}

function stripped(path: string, count: number): string {
  return path.split("/").slice(count).join("/") || path;
}
