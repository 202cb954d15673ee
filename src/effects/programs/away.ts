import type { SimpleCommand } from "../parse/command.ts";
import { isProgram } from "./program-name.ts";
import { isForTrials } from "./targets.ts";

/** Whether a command acts on another machine that is not named as one for development: by a remote shell, or by its own options. */
export function isAway({ args, via }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  if (args.some((word) => REMOTE_SITE.test(word.text) && !isForTrials(word))) return true;
  if (via.length === 0) return false;
  const shells = via
    .map((wrapper) => wrapper.split(" ", 1)[0] ?? "")
    .filter((name) => name !== "adb" && isProgram("remote-shell", name));
  return commands.some(({ program, args }) => shells.includes(program?.text ?? "") && !args.some(isForTrials));
}

/** `--ssh=www@host`, `@alias`: how tools for websites name another machine. */
const REMOTE_SITE = /^--ssh=|^@(?!all$)[\w.-]+$/;
