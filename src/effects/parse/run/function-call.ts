import { owned, type Shell, type ShellFunction } from "../shell-state.ts";
import { type Field, valueFrom } from "../value.ts";
import type { Frame, Outcome, Reader } from "./reader.ts";

/** Runs a function's body with its arguments as `$1` and on. */
export function callFunction(called: ShellFunction, args: readonly Field[], frame: Frame, reader: Reader): Outcome {
  const { shell } = frame;
  const { positional, hasLeft, locals } = shell;
  const own: NonNullable<Shell["locals"]> = new Map();
  shell.positional = args.map(valueFrom);
  shell.locals = own;
  const outcome = reader.runBody(called.body, { ...frame, text: called.text, depth: frame.depth + 1 });
  shell.positional = positional;
  shell.hasLeft = hasLeft;
  shell.locals = locals;
  for (const [name, before] of own)
    if (before === undefined) owned(shell).variables.delete(name);
    else owned(shell).variables.set(name, before);
  return { ...outcome, ends: "unknown" };
}
