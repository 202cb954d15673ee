import { CODE_WRAPPERS, interpreterFor } from "./code.ts";
import { COMPILED_WRAPPERS } from "./compiled-code.ts";
import { EDITOR_WRAPPERS } from "./editors.ts";
import { ELSEWHERE_WRAPPERS } from "./elsewhere.ts";
import { EMBEDDED_WRAPPERS } from "./embedded-code.ts";
import { ENVIRONMENT_WRAPPERS, loaderFor, partOfGit } from "./environment.ts";
import { FIND_WRAPPERS } from "./find.ts";
import { GIT_WRAPPERS } from "./git.ts";
import { OPTION_WRAPPERS } from "./options-that-run.ts";
import { PREFIX_WRAPPERS } from "./prefixes.ts";
import { PRIVILEGE_WRAPPERS } from "./privilege.ts";
import { SHELL_WRAPPERS } from "./shells.ts";
import { TASK_WRAPPERS } from "./tasks.ts";
import { TYPED_WRAPPERS } from "./typed-commands.ts";
import type { Wrapper } from "./wrapper.ts";
import { XARGS_WRAPPERS } from "./xargs.ts";

/** Every program that is known to run others, by its name; a later table outranks an earlier one. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = byName([
  PREFIX_WRAPPERS,
  ENVIRONMENT_WRAPPERS,
  SHELL_WRAPPERS,
  PRIVILEGE_WRAPPERS,
  XARGS_WRAPPERS,
  FIND_WRAPPERS,
  GIT_WRAPPERS,
  ELSEWHERE_WRAPPERS,
  TASK_WRAPPERS,
  OPTION_WRAPPERS,
  EDITOR_WRAPPERS,
  CODE_WRAPPERS,
  EMBEDDED_WRAPPERS,
  COMPILED_WRAPPERS,
  TYPED_WRAPPERS,
]);

/** The row for a program, also where its name carries a version or a machine. */
export function wrapperFor(name: string): Wrapper | undefined {
  return (
    WRAPPERS.get(name) ??
    (name.includes("ld") ? loaderFor(name) : undefined) ??
    (isDigit(name.charCodeAt(name.length - 1)) ? interpreterFor(name) : undefined) ??
    (name.startsWith("git-") ? partOfGit(name) : undefined)
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A name is a piece of the line: a map finds it without making it a key of objects first. */
function byName(tables: readonly Readonly<Record<string, Wrapper>>[]): Map<string, Wrapper> {
  const rows = new Map<string, Wrapper>();
  for (const table of tables) for (const name in table) rows.set(name, table[name] as Wrapper);
  return rows;
}
