import { readdirSync } from "node:fs";
import { type CallEffects, namedFiles, type PathEffect, type SimpleCommand } from "../../effects/index.ts";
import { compilePath } from "../../pattern/path-pattern.ts";
import { type BytePath, bytePath, bytesOf, pathText } from "./byte-path.ts";
import { NotKept, Unclear } from "./snapshot.ts";

/**
 * What fits a glob now; names that begin with a dot as well, which costs little and misses nothing, but for a repository beside
 * `*`.
 */
export function matching(glob: string, isHidden: boolean, isMeant: (path: BytePath) => boolean): BytePath[] {
  const parts = glob.split("/");
  const fixed = parts.findIndex((part) => /[*?[{]/.test(part));
  // A name that is not valid text matches by its bytes alone.
  const [fitsText, fitsBytes] = [compilePath(glob), compilePath(bytePath(glob))];
  const found: BytePath[] = [];
  let looked = 0;
  const look = (folder: BytePath, depth: number): void => {
    const isDeep = parts.slice(fixed, depth + 1).includes("**");
    for (const entry of entriesIn(folder)) {
      if (++looked > MAX_LOOKED_AT) throw new Unclear("too many files have to be looked through");
      const path = `${folder === "/" ? "" : folder}/${entry.name}`;
      if (entry.name === ".git" && !isDeep && !isHidden && !parts[depth]?.startsWith(".")) continue;
      const fits = fitsBytes(path) || fitsText(pathText(path));
      if (fits && isMeant(path)) found.push(path);
      // `**` fits a folder and each file below it, and they may be removed one by one.
      if (entry.isFolder && (isDeep || (!fits && depth + 1 < parts.length))) look(path, depth + 1);
    }
  };
  look(bytePath(parts.slice(0, fixed).join("/") || "/"), fixed);
  return found;
}

/** Whether the shell puts a path in the place of a pattern; of a name that is not text, only the pattern can tell. */
export function meantBy(
  effect: PathEffect,
  call: CallEffects,
  wholeOf: (name: string) => string,
): (path: BytePath) => boolean {
  const named = namedFiles(effect, call);
  if (named === undefined || named.doubt !== undefined) return () => true;
  const names = new Set(named.names.map((name) => bytePath(wholeOf(name))));
  return (path) => names.has(path) || bytePath(pathText(path)) !== path;
}

/** A shell whose `*` also matches names with a dot matches a repository too. */
export function matchesHidden({ args }: SimpleCommand): boolean {
  return args.some(({ text }) => /dotglob|glob_?dots/i.test(text));
}

/** The entries of a folder; an empty list if the folder does not exist. */
function entriesIn(folder: BytePath): { readonly name: BytePath; readonly isFolder: boolean }[] {
  try {
    return readdirSync(bytesOf(folder), { withFileTypes: true, encoding: "buffer" }).map((entry) => ({
      name: bytePath(entry.name),
      isFolder: entry.isDirectory(),
    }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new NotKept(`${pathText(folder)} cannot be read (${code})`);
  }
}

const MAX_LOOKED_AT = 100_000;
