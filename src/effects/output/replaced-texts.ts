import type { SimpleCommand } from "../parse/command.ts";
import { isProgram } from "../programs/program-name.ts";

/** What programs that edit files in place put there for something else: `b` of `s/a/b/`. */
export function replacedTexts(commands: readonly SimpleCommand[]): readonly string[] {
  return commands.flatMap(({ program, args }) =>
    isProgram("edits-in-place", program?.text ?? "")
      ? args.flatMap(({ text }) => [...text.matchAll(REPLACED)].map(([, , by = ""]) => by.replaceAll(/\\(.)/g, "$1")))
      : [],
  );
}

const REPLACED = /s([/|#,:!@~])(?:\\.|(?!\1)[^\\]){1,1000}\1((?:\\.|(?!\1)[^\\]){0,1000})\1/g;
