import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";

/**
 * Where a path leads in the end: every link followed, also one that leads to what is not there yet, and every `..` taken
 * from where it really stands. Nothing when nobody can tell: links in a circle, folders that may not be looked into.
 * `real` is a folder that is known to lie where it says; what is below it is looked at from there.
 */
export function realTarget(path: string, real?: string): string | undefined {
  const isBelow = real !== undefined && real !== "/" && path.startsWith(`${real}/`);
  const pending = partsOf(isBelow ? path.slice(real.length + 1) : path);
  let here = isBelow ? real : parse(path).root;
  let followed = 0;
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === "..") {
      here = dirname(here);
      continue;
    }
    const next = join(here, part);
    // What lies there depends on who looks.
    if (next === PROCESSES || next.startsWith(`${PROCESSES}/`)) return [next, ...pending].join("/");
    const found = linkAt(next);
    if (found.kind === "hidden") return undefined;
    if (found.kind === "other") {
      here = next;
      continue;
    }
    if (++followed > MOST_LINKS) return undefined;
    if (isAbsolute(found.to)) here = parse(found.to).root;
    pending.unshift(...partsOf(found.to));
  }
  return here;
}

function partsOf(path: string): string[] {
  const rest = path.slice(parse(path).root.length);
  return rest.split(sep === "\\" ? /[\\/]/ : "/").filter((part) => part !== "" && part !== ".");
}

type Found = { readonly kind: "link"; readonly to: string } | { readonly kind: "other" } | { readonly kind: "hidden" };

function linkAt(path: string): Found {
  try {
    return lstatSync(path).isSymbolicLink() ? { kind: "link", to: readlinkSync(path) } : { kind: "other" };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { kind: ABSENT.has(code) ? "other" : "hidden" };
  }
}

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);
/** As many as Linux follows. */
const MOST_LINKS = 40;
const PROCESSES = "/proc";
