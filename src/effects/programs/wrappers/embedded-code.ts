import type { Field } from "../../parse/value.ts";
import { TASK_WRAPPERS } from "./tasks.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

/** Programs that run JavaScript or a script of the desktop from their arguments. */
export const EMBEDDED_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  bun: {
    examples: [
      [`bun -e "require('fs').rmSync('x',{recursive:true})"`, "rm -rf x"],
      ["bun x rimraf x", "rimraf x"],
    ],
    unwrap: (call) => {
      const codes = optionsOf(call.args, EVAL).values(...EVAL);
      return codes.length > 0
        ? codes.map((text) => javascript(text, "bun -e"))
        : (TASK_WRAPPERS.bun?.unwrap(call) ?? []);
    },
  },
  deno: {
    examples: [
      [`deno eval "Deno.removeSync('x',{recursive:true})"`, "rm -rf x"],
      [`deno run -A - <<< "Deno.removeSync('x',{recursive:true})"`, "rm -rf x"],
    ],
    unwrap: ({ args, stdin }) => {
      const [verb, code] = args.filter(({ text }) => text === "-" || !text.startsWith("-"));
      const isFromInput = (verb?.text === "run" ? code : verb)?.text === "-" && stdin.text !== "";
      if (isFromInput) return [{ runs: "input", language: "javascript", via: "deno run" }];
      return verb?.text === "eval" && code !== undefined ? [javascript(code, "deno eval")] : [];
    },
  },
  osascript: {
    examples: [[`osascript -e 'do shell script "rm x"'`, "rm x"]],
    unwrap: ({ args }) =>
      optionsOf(args, ["-e", "-l"])
        .values("-e")
        .flatMap(({ text }) =>
          [...text.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/g)].map(
            ([, line = ""]): Inner => ({
              runs: "shell",
              text: { text: line.replaceAll(/\\(.)/g, "$1"), isKnown: true, isGlob: false },
              via: "osascript -e",
            }),
          ),
        ),
  },
};

const EVAL = ["-e", "--eval", "-p", "--print"];

function javascript(text: Field, via: string): Inner {
  return { runs: "code", language: "javascript", text: { ...text, isGlob: false }, via };
}
