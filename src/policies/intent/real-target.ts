import { lstatSync, readlinkSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";

/**
 * Where a path leads in the end: every link followed, also one that leads to what is not there yet, and every `..` taken
 * from where it really stands. Nothing when nobody can tell: links in a circle, folders that may not be looked into.
 * `real` is a folder that is known to lie where it says; what is below it is looked at from there.
 */
export function realTarget(path: string, real?: string): string | undefined {
  return realEnd(path, real)?.path;
}

/** Where a path leads in the end, and what lies there. */
export interface End {
  readonly path: string;
  readonly is: "folder" | "file" | "nothing";
}

/** The same, with what lies there: whoever has looked at the last part need not look again. */
export function realEnd(path: string, real?: string): End | undefined {
  const isBelow = real !== undefined && real !== "/" && path.startsWith(`${real}/`);
  const pending = partsOf(isBelow ? path.slice(real.length + 1) : path);
  let here = isBelow ? real : parse(path).root;
  let is: End["is"] = "folder";
  let followed = 0;
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === "..") {
      here = dirname(here);
      is = "folder";
      continue;
    }
    const next = join(here, part);
    // What lies there depends on who looks.
    if (next === PROCESSES || next.startsWith(`${PROCESSES}/`)) return endOf([next, ...pending].join("/"));
    const found = linkAt(next);
    if (found.kind === "hidden") return undefined;
    if (found.kind !== "link") {
      here = next;
      is = found.kind;
      continue;
    }
    if (++followed > MOST_LINKS) return undefined;
    if (isAbsolute(found.to)) here = parse(found.to).root;
    is = "folder";
    pending.unshift(...partsOf(found.to));
  }
  return { path: here, is };
}

function endOf(path: string): End {
  const found = statSync(path, { throwIfNoEntry: false });
  return { path, is: found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file" };
}

function partsOf(path: string): string[] {
  const rest = path.slice(parse(path).root.length);
  return rest.split(sep === "\\" ? /[\\/]/ : "/").filter((part) => part !== "" && part !== ".");
}

type Found = { readonly kind: "link"; readonly to: string } | { readonly kind: End["is"] | "hidden" };

function linkAt(path: string): Found {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return { kind: "link", to: readlinkSync(path) };
    return found.isDirectory() ? FOLDER : FILE;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { kind: ABSENT.has(code) ? "nothing" : "hidden" };
  }
}

const FOLDER: Found = { kind: "folder" };
const FILE: Found = { kind: "file" };
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);
/** As many as Linux follows. */
const MOST_LINKS = 40;
const PROCESSES = "/proc";
