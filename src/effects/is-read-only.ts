import type { EventFacts } from "../event/field.ts";
import { observedOf } from "../event/observed.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { commandLineOf } from "./command-line.ts";
import { isPlain } from "./parse/plain-line.ts";

/** Whether a call certainly changes nothing: tools that read, and plain lines of programs that only print. */
export function onlyLooks(event: EventFacts): boolean {
  const { toolName = "" } = event;
  if (observedOf(event) !== undefined) return false;
  if (isOfKind(toolName, "@read")) return true;
  if (!isOfKind(toolName, "@shell")) return false;
  const command = commandLineOf(event);
  return command !== undefined && isPlain(command) && ALWAYS_READ_ONLY.has(command.split(" ", 1)[0] ?? "");
}

/** Programs without any option that writes, runs or sends: a short list, to be asked before the table of programs is loaded. */
export const ALWAYS_READ_ONLY: ReadonlySet<string> = new Set(
  "ls pwd echo cat head tail wc grep stat basename dirname realpath readlink true false sleep whoami id du df cmp".split(
    " ",
  ),
);
