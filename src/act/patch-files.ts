/** A file that a patch touches. */
export interface PatchedFile {
  readonly path: string;
  readonly act: "write" | "delete";
}

/** The files that patches in these texts touch, in the forms that agents and programs write. */
export function patchedFiles(texts: readonly string[]): PatchedFile[] {
  return texts.flatMap((text) => [...envelope(text), ...unified(text)]);
}

/** `*** Update File: a.ts`, as agents write it; a move names the file that comes and the one that goes. */
function envelope(text: string): PatchedFile[] {
  if (!text.includes("*** ")) return [];
  const found: PatchedFile[] = [];
  for (const [, act = "", path = ""] of text.matchAll(ENVELOPE)) {
    const last = found.at(-1);
    if (act === "Move to" && last !== undefined) found[found.length - 1] = { path: last.path, act: "delete" };
    found.push({ path: path.trim(), act: act === "Delete File" ? "delete" : "write" });
  }
  return found;
}

/** `--- a/x` and `+++ b/x`, as programs write it. */
function unified(text: string): PatchedFile[] {
  const lines = [...text.matchAll(/^(---|\+\+\+) ([^\t\n\r]+)/gm)];
  return lines.flatMap(([, sign, name = ""], index): PatchedFile[] => {
    if (name === "/dev/null") return [];
    const path = name.replace(/^[ab]\//, "");
    if (sign === "+++") return [{ path, act: "write" }];
    return lines[index + 1]?.[2] === "/dev/null" ? [{ path, act: "delete" }] : [];
  });
}

const ENVELOPE = /^\*\*\* (Add File|Update File|Delete File|Move to): ([^\n\r]+)/gm;
