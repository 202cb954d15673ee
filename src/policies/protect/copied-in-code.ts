import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { CallEffects, SimpleCommand } from "../../effects/index.ts";
import { isWithin, realPath } from "../../fs/resolve-path.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { absolutePath } from "./written-protected-paths.ts";

/**
 * Whether code unpacks or copies a whole folder to a destination with protected places. An unknown destination matters only
 * in code that is in the call itself; a script on disk is checked by its other writes.
 */
export function copiesOverPlaces(
  { source: line, script }: SimpleCommand,
  call: CallEffects,
  paths: ProtectedPaths,
  root: string,
): boolean {
  // A command from a script only has its own line.
  const source = (script === undefined ? undefined : call.place.textAt?.(script)) ?? line;
  for (const found of source.matchAll(COPIES())) {
    const [name = ""] = found;
    const from = found.index + name.length;
    const args = argumentsAt(source, from);
    if (args === undefined) {
      if (isImported(source, found.index, from)) continue;
      if (script === undefined) return true;
      continue;
    }
    const place = PLACE_OF_TARGET.find(([names]) => names.test(name))?.[1] ?? 0;
    const named = args.find((text) => /^(?:path|extract_dir|dst|destination)\s*=[^=]/.test(text));
    const target = named?.replace(/^\w+\s*=/, "") ?? args[place];
    const ends = target === undefined ? ["."] : endsOf(target, source, 0);
    if (ends === undefined) {
      if (script === undefined || args.some((text) => bringsPlaces(text, call, paths, root))) return true;
      continue;
    }
    if (ends.some((end) => mayHoldPlaces(end, call, paths, root))) return true;
  }
  return false;
}

/** `import { cpSync } from`, `from shutil import copytree`: the name is imported, not called. */
function isImported(code: string, at: number, end: number): boolean {
  const [before, after] = [code.slice(Math.max(0, at - MAX_IMPORT), at), code.slice(end, end + 20)];
  return (
    /(?:\bimport\s[^;()=|]{0,400}|\{[\w\s,:$]{0,400})$/.test(before) &&
    /^\s*(?:[,}]|from\b|;|\n|$)/.test(after) &&
    !/^\s*(?:as\b|:)/.test(after)
  );
}

/** The possible paths of a destination, relative or absolute. `…/` marks a path whose beginning is not known. */
function endsOf(expression: string, code: string, depth: number): readonly string[] | undefined {
  const text = expression.trim();
  if (text === "" || depth > MAX_DEPTH) return undefined;
  if (HERE().test(text)) return ["."];
  if (HOME().test(text)) return ["~"];
  const written = textOf(text);
  if (written !== undefined) return pathOf(written);
  const [, called] = CALLED().exec(text) ?? [];
  if (called !== undefined) {
    const inside = argumentsAt(text, called.length);
    if (inside === undefined || !text.endsWith(")")) return undefined;
    if (/URL$/.test(called)) return below(undefined, endsOf(inside[0] ?? "", code, depth + 1));
    // Joining a list of texts does not make a path.
    if (inside.length < 2 && /^(?!path\b)\w+\.join$/.test(called)) return undefined;
    if (inside.length < 2) return endsOf(inside[0] ?? "", code, depth + 1);
    return below(endsOf(inside.at(-2) ?? "", code, depth + 1), endsOf(inside.at(-1) ?? "", code, depth + 1));
  }
  const joint = lastJoint(text);
  if (joint !== undefined) {
    const last = endsOf(text.slice(joint + 1), code, depth + 1);
    const isPlus = text[joint] === "+";
    if (isPlus && !last?.every((end) => end.startsWith("/"))) return undefined;
    return below(endsOf(text.slice(0, joint), code, depth + 1), isPlus ? last?.map((end) => end.slice(1)) : last);
  }
  return /^[A-Za-z_$][\w$]*$/.test(text) ? valuesOf(text, code, depth) : undefined;
}

/** All values that are assigned to a name. */
function valuesOf(name: string, code: string, depth: number): readonly string[] | undefined {
  const word = name.replaceAll("$", "\\$");
  const all: string[] = [];
  for (const [, list, value] of code.matchAll(
    new RegExp(
      `(?<![\\w$.])${word}(?:\\s+(?:of|in)\\s*[[(]([^[\\]()]{1,400})[\\])]|\\s*(?<![=!<>+])=(?!=)\\s*([^\\n;]{1,400}))`,
      "g",
    ),
  )) {
    const values = list === undefined ? [wholeValue(value ?? "")] : list.split(",");
    for (const one of values.filter((text) => text.trim() !== "")) {
      const ends = endsOf(one, code, depth + 1);
      if (ends === undefined || all.length > MAX_VALUES) return undefined;
      all.push(...ends);
    }
  }
  // The value of a parameter, or of another kind of assignment, is not known.
  const isGiven = new RegExp(
    `(?<![\\w$.])${word}\\s*[+/.|&?]{1,2}=|(?:function\\b[^(\\n]{0,80}|\\bdef\\s+\\w+\\s*|=\\s*)\\([^()]{0,200}(?<![\\w$.])${word}\\b`,
  );
  return all.length === 0 || isGiven.test(code) ? undefined : all;
}

/** A value up to the bracket or comma after it. */
function wholeValue(text: string): string {
  let depth = 0;
  for (const part of text.matchAll(PART)) {
    const [sign] = part;
    if (/^[([{]$/.test(sign)) depth++;
    else if (/^[)\]}]$/.test(sign)) depth--;
    if (depth < 0 || (depth === 0 && sign === ",")) return text.slice(0, part.index);
  }
  return text;
}

/** One path below another; if the first is not known, only the end of the path is. */
function below(
  above: readonly string[] | undefined,
  ends: readonly string[] | undefined,
): readonly string[] | undefined {
  if (ends === undefined) return undefined;
  return ends.flatMap((end) => {
    if (end.startsWith("/") || end.startsWith("~") || end.startsWith(OPEN)) return [end];
    if (above !== undefined)
      return above.map((one) => (one.startsWith(OPEN) ? OPEN : "") + join(one.replace(OPEN, ""), end));
    return [`${OPEN}${end}`];
  });
}

/** The content of a quoted text. */
function textOf(text: string): string | undefined {
  const [, , quote = "", inside] = /^([rbuf]{0,2})(["'`])((?:(?!\2)[^\\])*)\2$/i.exec(text) ?? [];
  return quote === "" ? undefined : inside;
}

function pathOf(text: string): readonly string[] | undefined {
  const filled = [...text.matchAll(/\}|[#$@]\w+/g)].at(-1);
  if (filled === undefined) return [text];
  const tail = text.slice(filled.index + filled[0].length);
  return tail.startsWith("/") && tail.length > 1 ? [OPEN + tail.slice(1)] : undefined;
}

/** The position of the last `/` or `+` that joins a path, outside of brackets and texts. */
function lastJoint(text: string): number | undefined {
  let depth = 0;
  let last: number | undefined;
  for (const part of text.matchAll(PART)) {
    const [sign] = part;
    if (/^[([{]$/.test(sign)) depth++;
    else if (/^[)\]}]$/.test(sign)) depth--;
    else if (depth === 0 && /^[/+]$/.test(sign)) last = part.index;
    else if (depth === 0 && /^[?:|&=<>]$/.test(sign)) return undefined;
  }
  return last;
}

/** The arguments of the call at a position; undefined if there is no call. */
function argumentsAt(text: string, from: number): readonly string[] | undefined {
  const open = /^\s*(?:!\s*)?\(/.exec(text.slice(from, from + 20));
  if (open === null) return undefined;
  const start = from + open[0].length;
  const args: string[] = [];
  let [depth, begin] = [0, start];
  for (const part of text.slice(start, start + MAX_CALL).matchAll(PART)) {
    const [sign] = part;
    const at = start + part.index;
    const isEnd = /^[)\]}]$/.test(sign) && depth-- === 0;
    if (/^[([{]$/.test(sign)) depth++;
    if (!isEnd && !(sign === "," && depth === 0)) continue;
    args.push(text.slice(begin, at).trim());
    begin = at + 1;
    if (isEnd) return args.filter((one) => one !== "");
  }
  return undefined;
}

/** Whether a folder that a path may mean contains a protected place. */
function mayHoldPlaces(end: string, call: CallEffects, { places }: ProtectedPaths, root: string): boolean {
  const isOpen = end.startsWith(OPEN);
  const path = isOpen ? join(end.slice(OPEN.length)) : end;
  const last = path.split("/").findLast((name) => name !== "" && name !== ".");
  if (isOpen && (last === undefined || last === "..")) return true;
  const folders = (isOpen ? [root, call.place.cwd, call.place.home] : [undefined]).flatMap((base) => {
    const whole = base === undefined ? (isOpen ? undefined : absolutePath(path, call)) : join(base, path);
    return whole === undefined ? [] : [whole, realPath(whole)];
  });
  const holds = (folder: string) =>
    places.some((place) => isWithin(folder, place.path) || isWithin(place.path, folder));
  if (folders.length === 0 || folders.some(holds)) return true;
  const isInPlace = (place: { readonly path: string }) =>
    dirname(place.path)
      .split("/")
      .includes(last ?? "");
  return isOpen && places.some(isInPlace);
}

/** Whether a folder that an argument names contains a replacement for a protected place. */
function bringsPlaces(argument: string, call: CallEffects, { places }: ProtectedPaths, root: string): boolean {
  const names = [...argument.matchAll(/["'`]([^"'`\n]{1,400})["'`]/g)].map(([, name = ""]) => name);
  return names.some((name) =>
    [root, call.place.cwd].some(
      (base) =>
        base !== undefined &&
        places.some(
          (place) =>
            existsSync(join(base, name, relative(place.base, place.path))) && !isWithin(join(base, name), place.path),
        ),
    ),
  );
}

/** Calls that unpack or copy whole folders, in several languages. */
const COPIES = () =>
  /\b(?:extractall|unpack_archive|extractTo|copytree|copy_tree|cpSync|copySync|cp_r|dircopy|extractAllTo(?:Async)?)\b|->extract\b|\.extract\b(?!\w)|(?<![\w.])(?:(?:fs|fsp|fsPromises|promises)\.)?cp(?=\s*\()/g;
/** The argument with the destination; the first if it is not listed here. */
const PLACE_OF_TARGET: readonly (readonly [RegExp, number])[] = [
  [/unpack_archive|copytree|copy_tree|cpSync|copySync|cp_r|dircopy|cp$/, 1],
];
/** Functions that build a path from their arguments. */
const CALLED = () =>
  /^((?:new\s+)?(?:(?:os\.path|\w+)\.)?(?:join|resolve|normalize|Path|PurePath|str|String|abspath|realpath|expanduser|expand_path|fileURLToPath|URL))\s*\(/;
const HERE = () =>
  /^(?:process\.cwd\(\)|os\.getcwd\(\)|getcwd\(\)|Dir\.pwd|(?:pathlib\.)?Path\.cwd\(\)|__dirname|os\.curdir)$/;
const HOME = () =>
  /^(?:(?:os\.)?homedir\(\)|(?:pathlib\.)?Path\.home\(\)|Dir\.home|process\.env\.HOME|os\.environ\[["']HOME["']\])$/;
/** Texts, brackets, and the separators of arguments and path parts. */
const PART = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[()[\]{},/+?:|&=<>]/g;
/** Marks a path whose beginning is not known. */
const OPEN = "\u2026/";
const MAX_DEPTH = 6;
const MAX_VALUES = 32;
const MAX_IMPORT = 400;
const MAX_CALL = 2_000;
