import type { CallEffects, PathEffect } from "../effect.ts";
import { GAP } from "../parse/command.ts";
import { resolvedPath } from "../paths.ts";
import type { PathTarget } from "./call-report.ts";

/** Returns a text with `…` for each part that is known only at run time. */
export function readable(text: string): string {
  return text.includes(GAP) ? text.replaceAll(GAP, "…") : text;
}

/** Returns a path that a call touches, with its absolute form if that is known. */
export function pathTarget({ path, isTree }: Pick<PathEffect, "path" | "isTree">, { place }: CallEffects): PathTarget {
  return {
    of: "path",
    path: readable(path.text),
    absolute: absolutePath(path.text, place),
    isKnown: !path.text.includes(GAP),
    isGlob: path.isGlob,
    isTree,
  };
}

function absolutePath(text: string, { cwd, home }: CallEffects["place"]): string | undefined {
  if (text.includes(GAP)) return undefined;
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(text)) return text;
  if (text.startsWith("~")) return home !== undefined && /^~(?:\/|$)/.test(text) ? home + text.slice(1) : undefined;
  return cwd === undefined ? undefined : resolvedPath(cwd, text);
}
