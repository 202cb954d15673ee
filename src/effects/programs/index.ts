import type { Program } from "./program.ts";
import { rowFinder } from "./row-finder.ts";
import { NAMES } from "./names.ts";
import { TABLES } from "./tables.ts";

/** The row of a program; cmdlets and programs of Windows are known in any case, with or without `.exe`. */
export function programNamed(name: string): Program | undefined {
  const found = rowOf(name);
  if (found !== undefined) return found;
  const plain = name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, "");
  return plain === name ? undefined : rowOf(plain);
}

const rowOf = rowFinder<Program>(TABLES, NAMES);
