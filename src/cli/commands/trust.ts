import { createInterface } from "node:readline/promises";
import { type Examined, examine } from "../../config/examine.ts";
import { loadLayers } from "../../config/load.ts";
import { problems } from "../../problem/problem.ts";
import { forget, writeDown } from "../../trust/ledger.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { paintFor, visible } from "../show/terminal-text.ts";
import { examinedJson, showExamined } from "../show/trust.ts";

/** Shows everything that a project would run, and writes down what the user says about exactly these bytes. */
export async function run(input: CommandInput): Promise<Exit> {
  return trustWith(input, askOnTerminal);
}

/** The same with somebody else asking the question. */
export async function trustWith(input: CommandInput, ask: (question: string) => Promise<string>): Promise<Exit> {
  const { io } = input;
  const verbs = VERBS.filter((verb) => input.has(verb));
  if (verbs.length > 1) throw PROBLEMS.manyVerbs({ verbs });
  const root = rootOf(input);
  const look = () => examine(loadLayers(root), root, io);
  if (input.has("revoke")) return revoke(root, look(), input);
  const shown = look();
  const isOpen = shown.waiting.length > 0 && shown.state !== "trusted";
  if (!input.has("json")) for (const line of showExamined(shown, io)) io.out(line);
  if (shown.entry.problem !== undefined) io.err(visible(shown.entry.problem.format()));
  if (input.has("status")) return end(shown, input, isOpen ? "problem" : "done");
  if (input.has("deny")) {
    writeDown("denied", shown.print, io);
    return end(
      { ...shown, state: "denied" },
      input,
      "done",
      "Denied. Nothing of this project runs until you approve it.",
    );
  }
  const isNew = shown.state !== "trusted" && (shown.waiting.length > 0 || shown.state === "denied");
  if (!isNew) return end(shown, input, "done");
  if (shown.print.unread.length > 0) throw PROBLEMS.unread({ paths: shown.print.unread });
  if (!input.has("yes")) {
    if (!io.isTerminal || input.has("json")) return end(shown, input, "problem", NOT_ASKED);
    if (!/^y(es)?$/i.test((await ask("Approve exactly this? [y/N] ")).trim()))
      return end(shown, input, "problem", "Nothing was approved.");
  }
  if (look().print.hash !== shown.print.hash) throw PROBLEMS.changedMeanwhile(undefined);
  writeDown("trusted", shown.print, io);
  return end({ ...shown, state: "trusted" }, input, "done", `Approved ${shown.print.hash}.`);
}

function revoke(root: string, shown: Examined, input: CommandInput): Exit {
  const had = forget(root, input.io);
  const state = "untrusted";
  return end({ ...shown, state }, input, "done", had ? "Forgotten." : "This project was neither approved nor denied.");
}

function end(shown: Examined, { has, io }: CommandInput, exit: Exit, words?: string): Exit {
  if (has("json")) io.out(JSON.stringify(examinedJson(shown), null, 2));
  else if (words !== undefined) (exit === "done" ? io.out : io.err)(paintFor(io).strong(words));
  return exit;
}

async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

const VERBS = ["yes", "deny", "revoke", "status"];
const NOT_ASKED =
  "Nothing was approved: this is no terminal, so the question cannot be asked. `sluice trust --yes` approves exactly what is printed above.";

const PROBLEMS = problems("trust", {
  manyVerbs: ({ verbs }: { verbs: readonly string[] }) => ({
    what: `\`sluice trust\` takes one of ${verbs.map((verb) => `--${verb}`).join(" and ")}.`,
    fix: "Choose one.",
  }),
  unread: ({ paths }: { paths: readonly string[] }) => ({
    what: `Nothing was approved: ${paths.join(", ")} cannot be read, so what would run is unknown.`,
    fix: "Make it readable, or take it out of the hook.",
  }),
  changedMeanwhile: () => ({
    what: "Nothing was approved: a file changed after it was shown.",
    fix: "Run `sluice trust` again, and look again.",
  }),
});
