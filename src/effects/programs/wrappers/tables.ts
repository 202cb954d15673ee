import { CODE_WRAPPERS } from "./code.ts";
import { COMPILED_WRAPPERS } from "./compiled-code.ts";
import { EDITOR_WRAPPERS } from "./editors.ts";
import { ELSEWHERE_WRAPPERS } from "./elsewhere.ts";
import { EMBEDDED_WRAPPERS } from "./embedded-code.ts";
import { ENVIRONMENT_WRAPPERS } from "./environment.ts";
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

/** Every program that is known to run others, table by table; a later table outranks an earlier one. */
export const TABLES: readonly (() => Readonly<Record<string, Wrapper>>)[] = [
  () => PREFIX_WRAPPERS,
  () => ENVIRONMENT_WRAPPERS,
  () => SHELL_WRAPPERS,
  () => PRIVILEGE_WRAPPERS,
  () => XARGS_WRAPPERS,
  () => FIND_WRAPPERS,
  () => GIT_WRAPPERS,
  () => ELSEWHERE_WRAPPERS,
  () => TASK_WRAPPERS,
  () => OPTION_WRAPPERS,
  () => EDITOR_WRAPPERS,
  () => CODE_WRAPPERS,
  () => EMBEDDED_WRAPPERS,
  () => COMPILED_WRAPPERS,
  () => TYPED_WRAPPERS,
];
