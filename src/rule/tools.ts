import type { LookupsFor } from "../effects/effect.ts";
import { rootOfEvent } from "../event/field.ts";
import { once } from "../event/once.ts";
import { type CompileRegex, loadRegex } from "../pattern/regex.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { Tools } from "./operators.ts";
import { problemOf, type WrittenRule } from "./read.ts";
import { looksAtActs, type Rule, regexesIn } from "./rule.ts";

/**
 * What these rules need to run; the engine for regular expressions and the one for commands are loaded only when one of
 * them uses it. `look` is what may be seen beside a command, such as a script that it runs.
 */
export async function prepareTools(rules: readonly Rule[], look?: LookupsFor): Promise<Tools> {
  const regex = rules.some(({ when }) => regexesIn(when).length > 0) ? await loadRegex() : undefined;
  const isAboutActs = rules.some(({ when }) => looksAtActs(when));
  if (regex === undefined && !isAboutActs) return NO_TOOLS;
  return { ...regexWith(regex), ...(isAboutActs ? await effectsWith(look) : NO_EFFECTS) };
}

async function effectsWith(look: LookupsFor | undefined): Promise<Omit<Tools, "regex">> {
  const [{ callEffects, commandLineEffects, textEffects }, { callFiles }, { callContents }] = await readers();
  return {
    act: (event) => callEffects(event, look),
    commandLine: (event) => commandLineEffects(event, look),
    text: (event, text) => textEffects(event, text, look),
    files: (event) => callFiles(event, look),
    contents: (event) => callContents(event, look),
    // Paths are written as seen from the project's folder.
    repository: (event, isOfPath) =>
      event.cwd === undefined
        ? undefined
        : look?.(event).repository?.((isOfPath ? rootOfEvent(event) : undefined) ?? event.cwd),
  };
}

/** Every hook with rules about acts asks for them. */
const readers = once(() =>
  Promise.all([
    import("../effects/call-effects.ts"),
    import("../effects/call-files.ts"),
    import("../effects/call-content.ts"),
  ]),
);

const NO_EFFECTS: Omit<Tools, "regex"> = {
  act: () => undefined,
  commandLine: () => undefined,
  text: () => undefined,
  files: () => ({ written: [], deleted: [], read: [] }),
  contents: () => [],
  repository: () => undefined,
};

function regexWith(compile: CompileRegex | undefined): Pick<Tools, "regex"> {
  return {
    regex: (pattern) => {
      const regex = compile?.(pattern) ?? NOT_LOADED;
      if ("test" in regex) return regex.test;
      throw PROBLEMS.refusedRegex({ pattern, ...regex });
    },
  };
}

const NOT_LOADED = { refused: "came after the tools were prepared", instead: "Prepare tools for all rules at once." };

/** What most rules need: comparisons of texts and numbers alone. */
const NO_TOOLS: Tools = { ...regexWith(undefined), ...NO_EFFECTS };

/** The problem of a regular expression in a rule. */
export function refusedRegex(
  label: string,
  pattern: string,
  why: { readonly refused: string; readonly instead: string },
  path: WrittenRule["path"],
): Problem {
  return problemOf(label, PROBLEMS.refusedRegex({ pattern, ...why }), path);
}

const PROBLEMS = problems("rule", {
  refusedRegex: ({ pattern, refused, instead }: { pattern: string; refused: string; instead: string }) => ({
    what: `The regular expression ${JSON.stringify(pattern.slice(0, 80))} ${refused}.`,
    fix: instead,
  }),
});
