import { rowFinder } from "../row-finder.ts";
import { interpreterFor } from "./code.ts";
import { loaderFor, partOfGit } from "./environment.ts";
import { NAMES } from "./names.ts";
import { TABLES } from "./tables.ts";
import type { Wrapper } from "./wrapper.ts";

/** The row for a program, also where its name carries a version or a machine. */
export function wrapperFor(name: string): Wrapper | undefined {
  return (
    rowOf(name) ??
    (name.includes("ld") ? loaderFor(name) : undefined) ??
    (isDigit(name.charCodeAt(name.length - 1)) ? interpreterFor(name) : undefined) ??
    (name.startsWith("git-") ? partOfGit(name) : undefined)
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const rowOf = rowFinder<Wrapper>(TABLES, NAMES);
