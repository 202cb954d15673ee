import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { isWithin } from "../trust/real-path.ts";

/**
 * Where a path leads through links, when that is elsewhere than its letters say: seen from the folder where it lies
 * inside, else from the root. Whoever removes a link removes only the link, so its last part is not followed then.
 */
export function realPlace(
  folder: string,
  path: string,
  isFollowed: boolean,
  base = realOf(folder),
): string | undefined {
  const whole = wholeOf(folder, path).replace(/(.)\/+$/, "$1");
  const known = base === undefined ? undefined : { path: folder, real: base };
  const real = isFollowed ? realOf(whole, known) : `${realOf(dirname(whole), known) ?? ""}/${basename(whole)}`;
  if (real === undefined || base === undefined || /(?:^|\/)\.\.$/.test(whole)) return undefined;
  const seen = isWithin(base, real) ? real.slice(base.length + 1) || "." : real.replace(/^\/+/, "/");
  const letters = path.replace(/^~(?=\/|$)/, homedir).replace(/^(?:\.\/+)+/, "");
  return seen === letters || real === letters || `${folder}/${seen}` === letters ? undefined : seen;
}

/** Whether nothing lies at a path yet, although its folder is there. */
export function isMissing(folder: string, path: string): boolean {
  const whole = wholeOf(folder, path);
  return isFolder(dirname(whole)) && !isThere(whole) && !isLink(whole);
}

/** Without `join`, which would take `..` away before links are followed. */
function wholeOf(folder: string, path: string): string {
  const opened = path.replace(/^~(?=\/|$)/, homedir);
  return opened.startsWith("/") ? opened : `${folder}/${opened}`;
}

/**
 * What is not there yet keeps its name behind what is, also behind a link to it. A folder that is known already is not asked
 * about again. Nothing is thrown on the way: that is slow.
 */
export function realOf(path: string, known?: Known): string | undefined {
  let rest = "";
  for (let at = path || "/", turn = 0; turn < MOST_PARTS; turn++) {
    if (at === known?.path) return known.real === "/" ? rest || "/" : known.real + rest;
    const found = looked(at);
    if (found !== undefined && (!found.isSymbolicLink() || isThere(at))) {
      const real = realpathSync.native(at);
      return real === "/" ? rest || "/" : real + rest;
    }
    if (found !== undefined) at = resolve(dirname(at), readlinkSync(at));
    else {
      rest = `/${basename(at)}${rest}`;
      at = dirname(at);
    }
    if (rest.startsWith("/..")) return undefined;
  }
  return undefined;
}

/** A folder, and where it really is. */
interface Known {
  readonly path: string;
  readonly real: string;
}

function isThere(path: string): boolean {
  return quietly(() => statSync(path, { throwIfNoEntry: false }) !== undefined);
}

function isLink(path: string): boolean {
  return looked(path)?.isSymbolicLink() ?? false;
}

/** What lies there itself, a link or not; nothing where nobody may look. */
function looked(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A folder that may not be looked into, or a circle of links, is nothing to go by. */
function quietly(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

/** Whether a folder lies there. */
export function isFolder(path: string): boolean {
  return quietly(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

const MOST_PARTS = 64;
