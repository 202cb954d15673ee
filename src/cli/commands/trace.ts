import { folderProblem } from "../../policies/intent/intents-file.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { auditTrace } from "../trace-audit.ts";
import { findInTrace } from "../trace-find.ts";
import { exportTrace, listTrace, mapTrace, reportTrace } from "../trace-pages.ts";
import { verifyHere } from "../trace-verify.ts";

/** Looks through the record of changes: is it whole, who wrote this line, what is not explained. */
export function run(input: CommandInput): Exit {
  const [word = "list", ...more] = input.words;
  const act = Object.hasOwn(ACTS, word) ? ACTS[word] : undefined;
  if (act === undefined) throw USAGE.unknownSubcommand({ command: "trace", word, known: Object.keys(ACTS) });
  const extra = more[word === "find" ? 1 : 0];
  if (extra !== undefined) throw USAGE.unexpectedArgument({ command: `trace ${word}`, extra });
  const problem = folderProblem(rootOf(input));
  if (problem !== undefined) throw problem;
  return act(input);
}

const ACTS: Readonly<Record<string, (input: CommandInput) => Exit>> = {
  verify: verifyHere,
  find: findInTrace,
  list: listTrace,
  audit: auditTrace,
  export: exportTrace,
  report: reportTrace,
  map: mapTrace,
};
