/** A file that a patch touches. */
export interface PatchedFile {
  readonly path: string;
  readonly act: "write" | "delete";
}

/** How many names go from the front of a path; `prefix`: an `a/` or `b/`; `name`: all but the last. */
export type Strip = number | "prefix" | "name";

/** The files that a patch touches, in the forms that agents and programs write, each once. */
export function patchedFiles(text: string, strip: Strip): PatchedFile[] {
  const found = new Map<string, PatchedFile>();
  for (const file of [...envelope(text), ...diffed(text, strip)]) {
    const isWorse = file.act === "delete" && found.get(file.path)?.act === "write";
    if (file.path !== "" && (isWorse || !found.has(file.path))) found.set(file.path, file);
  }
  return [...found.values()];
}

/** The text that a patch adds, one a file: its new lines; of blocks to search and replace, what replaces. */
export function addedTexts(text: string): string[] {
  const replaced = [...text.matchAll(REPLACED)].map(([, lines = ""]) => lines);
  if (replaced.length > 0) return replaced;
  const isEnvelope = /^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Update) File: )/m.test(text);
  const left = { old: 0, new: 0 };
  const files: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    const isLine = isEnvelope ? !/^[ \t]*\*\*\* /.test(line) : isInside(line, left);
    if (isLine) {
      if (line.startsWith("+")) (files.at(-1) ?? files[files.push([]) - 1])?.push(line.slice(1));
      continue;
    }
    const [, counts] = /^@@ -(.*)$/.exec(line) ?? [];
    if (counts === undefined) files.push([]);
    else Object.assign(left, countsIn(counts));
  }
  return files.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
}

/** `*** Update File: a.ts`, as agents write it; a move names the file that comes and the one that goes. */
function envelope(text: string): PatchedFile[] {
  const found: PatchedFile[] = [];
  for (const [, act = "", path = ""] of text.includes("*** ") ? text.matchAll(ENVELOPE) : []) {
    const last = found.at(-1);
    if (act === "Move to" && last !== undefined) found[found.length - 1] = { path: last.path, act: "delete" };
    found.push({ path: path.trim(), act: act === "Delete File" ? "delete" : "write" });
  }
  return found;
}

/** `--- a/x`, `+++ b/x` and similar lines, as programs write them; the changed lines themselves name no file. */
function diffed(text: string, strip: Strip): PatchedFile[] {
  const found: PatchedFile[] = [];
  const left = { old: 0, new: 0 };
  let before = "";
  const tell = (name: string, act: PatchedFile["act"] = "write", by: Strip = strip) => {
    if (name !== NOTHING) found.push({ path: stripped(name, by), act });
  };
  for (const line of text.split(/\r?\n/)) {
    if (isInside(line, left)) continue;
    const [, sign = "", rest = ""] = HEADER().exec(line) ?? [];
    const name = nameIn(rest);
    switch (sign) {
      case "@@ -": {
        Object.assign(left, countsIn(rest));
        break;
      }
      case "--- ":
        if (/^\d+(?:,\d+)? ----/.test(rest)) break;
        before = name;
        tell(name);
        break;
      case "+++ ":
        tell(name === NOTHING ? before : name, name === NOTHING ? "delete" : "write");
        break;
      case "*** ":
        if (!/^(?:\d|(?:Begin|End) |(?:Add|Update|Delete) File: |Move to: )/.test(rest)) tell(name);
        break;
      case "diff --git ":
        before = changedByGit(rest);
        tell(before);
        break;
      case "deleted file ":
        tell(before, "delete");
        break;
      case "rename from ":
      case "rename to ":
      case "copy to ":
        tell(
          name,
          sign === "rename from " ? "delete" : "write",
          typeof strip === "number" ? Math.max(strip - 1, 0) : 0,
        );
        break;
      case "Index: ":
        tell(name);
        break;
    }
  }
  return found;
}

/** How many lines a change takes and gives: `1,4 +1,6 @@`. */
function countsIn(rest: string): { old: number; new: number } {
  const [, old = "1", now = "1"] = /^\d+(?:,(\d+))? \+\d+(?:,(\d+))?/.exec(rest) ?? [];
  return { old: Number(old), new: Number(now) };
}

/** Whether a line belongs to the change that was announced; it is then counted. */
function isInside(line: string, left: { old: number; new: number }): boolean {
  if (left.old <= 0 && left.new <= 0) return false;
  const sign = line[0] ?? " ";
  if (!/[-+ \\]/.test(sign)) {
    left.old = 0;
    left.new = 0;
    return false;
  }
  if (sign === "-" || sign === " ") left.old--;
  if (sign === "+" || sign === " ") left.new--;
  return true;
}

/** A name may be quoted, and may be followed by a date. */
function nameIn(text: string): string {
  const quoted = /^"((?:\\.|[^"\\])*)"/.exec(text)?.[1];
  if (quoted !== undefined) return unquoted(quoted);
  return text
    .replace(/\t.*$/s, "")
    .replace(/ +(?:\d{4}-\d\d-\d\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ).*$/, "")
    .trim();
}

function unquoted(text: string): string {
  const bytes = text.replace(/\\([0-7]{3}|.)/g, (_, sign: string) =>
    /^\d{3}$/.test(sign) ? `%${Number.parseInt(sign, 8).toString(16).padStart(2, "0")}` : sign,
  );
  try {
    return bytes.includes("%") ? decodeURIComponent(bytes) : bytes;
  } catch {
    return bytes;
  }
}

/** `a/x b/x`: the same name twice, or two words. */
function changedByGit(rest: string): string {
  if (rest.startsWith('"')) return nameIn(rest);
  const half = (rest.length - 1) / 2;
  if (rest[half] === " " && rest.slice(0, half).replace(/^[^/]*/, "") === rest.slice(half + 1).replace(/^[^/]*/, ""))
    return rest.slice(half + 1);
  return rest.split(" ").at(-1) ?? NOTHING;
}

function stripped(path: string, strip: Strip): string {
  if (strip === "prefix") return path.replace(/^[ab]\//, "");
  const pieces = path.split(/\/+/);
  if (strip === "name") return pieces.at(-1) ?? path;
  return pieces.slice(strip).join("/") || path;
}

const NOTHING = "/dev/null";
/** The blocks of editors that search and replace. */
const REPLACED = /^={5,}\r?\n(.*?)^>{5,} ?REPLACE/gms;
const ENVELOPE = /^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to): ([^\n\r]+)/gm;
const HEADER = () =>
  /^(@@ -|--- |\+\+\+ |\*\*\* |diff --git |deleted file |rename from |rename to |copy to |Index: )(.*)$/s;
