import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { entryAt, isWithin, statsAt } from "../trust/real-path.ts";

/**
 * Where a path leads through links, when that is elsewhere than its letters say: seen from the folder where it lies
 * inside, else from the root. Whoever removes a link removes only the link, so its last part is not followed then.
 */
export function realPlace(
  folder: string,
  path: string,
  isFollowed: boolean,
  base = realFolder(folder),
): string | undefined {
  const opened = atHome(path);
  const whole = withoutSlash(wholeOf(folder, opened));
  const known = base === undefined ? undefined : { path: folder, real: base };
  const real = isFollowed ? realOf(whole, known) : `${realOf(dirname(whole), known) ?? ""}/${basename(whole)}`;
  if (real === undefined || base === undefined || (whole.endsWith("..") && /(?:^|\/)\.\.$/.test(whole)))
    return undefined;
  const seen = isWithin(base, real) ? real.slice(base.length + 1) || "." : real.replace(/^\/+/, "/");
  const letters = opened.startsWith("./") ? opened.replace(/^(?:\.\/+)+/, "") : opened;
  return seen === letters || real === letters || `${folder}/${seen}` === letters ? undefined : seen;
}

/** Whether nothing lies at a path yet, although its folder is there. */
export function isMissing(folder: string, path: string): boolean {
  const whole = wholeOf(folder, atHome(path));
  return isFolder(dirname(whole)) && entryAt(whole) === undefined;
}

/** Without `join`, which would take `..` away before links are followed. */
function wholeOf(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function atHome(path: string): string {
  return path.startsWith("~") ? path.replace(/^~(?=\/|$)/, homedir) : path;
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.replace(/(.)\/+$/, "$1") : path;
}

/** A folder that somebody stands in is mostly there. */
export function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return realOf(folder);
  }
}

/**
 * What is not there yet keeps its name behind what is, also behind a link to it. A folder that is known already is not asked
 * about again. Nothing is thrown on the way: that is slow.
 */
function realOf(path: string, known?: Known): string | undefined {
  let rest = "";
  for (let at = path || "/", turn = 0; turn < MOST_PARTS; turn++) {
    if (at === known?.path) return behind(known.real, rest);
    const found = entryAt(at);
    if (found !== undefined && (!found.isSymbolicLink() || statsAt(at) !== undefined))
      return behind(realpathSync.native(at), rest);
    if (found !== undefined) at = resolve(dirname(at), readlinkSync(at));
    else {
      rest = `/${basename(at)}${rest}`;
      at = dirname(at);
    }
    if (rest.startsWith("/..")) return undefined;
  }
  return undefined;
}

function behind(real: string, rest: string): string {
  return real === "/" ? rest || "/" : real + rest;
}

/** A folder, and where it really is. */
interface Known {
  readonly path: string;
  readonly real: string;
}

/** Whether a folder lies there. */
export function isFolder(path: string): boolean {
  return statsAt(path)?.isDirectory() ?? false;
}

const MOST_PARTS = 64;
