import type { Command } from "./command.ts";

/** Marks a verb that weakens protection; with one of these options it does not. A call of an agent loads nothing of it. */
export function weakensUnless(...options: readonly string[]): Pick<Command, "weakens"> {
  return { weakens: { unless: options, check: () => import("./commands/confirm.ts") } };
}
