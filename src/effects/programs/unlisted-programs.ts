import { reverseShell } from "../code/code-dangers.ts";
import { GAP } from "../parse/command.ts";
import type { Field } from "../parse/value.ts";
import type { Inner, Invocation } from "./program.ts";
import { asProgram } from "./runs.ts";

/** What a program without a row runs: a shell that its arguments name, or code that hands one to another machine. */
export function runsOfUnlisted({ name, args }: Pick<Invocation, "name" | "args">): readonly Inner[] {
  const found: Inner[] = [];
  for (let at = 0; at < args.length && at < MAX_ARGUMENTS; at++) {
    const arg = args[at] as Field;
    if (!MAY_NAME_SHELL.test(arg.text) || arg.text.includes(GAP)) continue;
    if (isShell(args, at)) return [...found, ...asProgram(name, args.slice(at))];
    const text = arg.text.replace(/^--?[\w-]{1,40}=/, "");
    if (LINE.test(text)) found.push({ runs: "shell", text: { ...arg, text: text.replace(/^!\s*/, "") }, via: name });
    else {
      const socket = reverseShell(text.slice(0, MAX_CODE));
      if (socket !== undefined) found.push(socket);
    }
  }
  return found;
}

/** `wrapper /bin/sh …`, `wrapper sh -c …`: everything after it belongs to the shell. */
function isShell(args: readonly Field[], at: number): boolean {
  const { text } = args[at] as Field;
  return SHELL.test(text) && (text.startsWith("/") || /^-[a-z]*c$/.test(args[at + 1]?.text ?? ""));
}

const MAX_ARGUMENTS = 1000;
const MAX_CODE = 20_000;
const MAY_NAME_SHELL = /sh\b/;
const SHELL = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|da|k|z|a|mk)?sh$/;
/** A command line that begins with a shell, as the value of an option or an argument. */
const LINE =
  /^(?:!\s*)?(?:exec\s+)?(?:\/(?:usr\/)?(?:local\/)?bin\/(?:ba|da|k|z)?sh(?=\s|$)|(?:ba|da|k|z)?sh\s+-\w*c\s)/;
