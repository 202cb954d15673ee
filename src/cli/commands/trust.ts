import { createInterface } from "node:readline/promises";
import { type Examined, type ExaminedItem, examine } from "../../config/examine.ts";
import { loadLayers } from "../../config/load.ts";
import { otherHash, statedHash } from "../../config/trusted.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { approve, denyAll, forget } from "../../trust/ledger.ts";
import type { CommandInput } from "../command.ts";
import { acceptNow, missingNow, rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { paintFor, visible } from "../show/terminal-text.ts";
import { examinedJson, itemName, type ShownFiles, showExamined, showItem, showSummary } from "../show/trust.ts";

/** Shows hook by hook what a project would run, and records the user's answer about exactly these bytes. */
export async function run(input: CommandInput): Promise<Exit> {
  return trustWith(input, askOnTerminal);
}

/**
 * What was enforced here before and is missing now is shown first; an approval of the project accepts that too. Without a
 * terminal only `--yes` and a stated hash accept it.
 */
export async function trustWith(input: CommandInput, ask: Ask): Promise<Exit> {
  const { io } = input;
  const missing = missingNow(input);
  const tell = input.has("json") ? io.err : io.out;
  if (missing.length > 0) tell(paintFor(io).strong("Enforced here before, and missing or weaker now:"));
  for (const one of missing) tell(`  ${visible(one)}`);
  const exit = await trustHooks(input, ask);
  if (input.has("status")) return missing.length > 0 ? "problem" : exit;
  const isStated = input.has("yes") || input.text("trust-hash") !== undefined;
  const isAsked = missing.length > 0 && !isStated && io.isTerminal && !input.has("json");
  const isAccepted = missing.length === 0 || isStated || (isAsked && /^y(es)?$/i.test((await ask(ACCEPT)).trim()));
  if (isAccepted) acceptNow(input);
  else tell("Not accepted: calls of agents stay asked about. `sluice trust --yes` accepts it.");
  if (isAccepted && missing.length > 0) tell("Accepted: the configuration applies as it is now.");
  return isAccepted ? exit : "problem";
}

/** The hooks and settings that need an approval. */
async function trustHooks(input: CommandInput, ask: Ask): Promise<Exit> {
  const { io } = input;
  const verbs = VERBS.filter((verb) => input.has(verb));
  if (verbs.length > 1) throw PROBLEMS.manyVerbs({ verbs });
  const root = rootOf(input);
  const look = () => examine(loadLayers(root), root, io);
  const all = look();
  const shown = named(all, input.words);
  const open = shown.items.filter(({ state }) => state !== "trusted");
  if (input.has("revoke")) return revoke(shown, input);
  const isAsked = io.isTerminal && !input.has("json") && verbs.length === 0 && open.length > 0;
  if (!input.has("json")) for (const line of isAsked ? showSummary(shown, io) : showExamined(shown, io)) io.out(line);
  if (shown.entry.problem !== undefined) io.err(visible(shown.entry.problem.format()));
  if (input.has("status")) return end(all, input, open.length > 0 ? "problem" : "done");
  if (input.has("deny")) {
    denyAll(root, io);
    // Only programs get the new state of the project; finding it takes long if scripts run scripts.
    const now = input.has("json") ? look() : shown;
    return end(now, input, "done", "Denied. Nothing of this project runs until you approve it.");
  }
  const stated = input.text("trust-hash");
  if (stated !== undefined && statedHash(stated) !== shown.hash) throw otherHash(statedHash(stated), shown.hash);
  if (open.length === 0 && shown.state !== "denied") return end(shown, input, "done");
  const unread = open.flatMap(({ print }) => print.unread);
  if (unread.length > 0) throw PROBLEMS.unread({ paths: [...new Set(unread)] });
  if (!isAsked && !input.has("yes") && stated === undefined) return end(shown, input, "problem", NOT_ASKED);
  const chosen = isAsked ? await chooseOneByOne(open, root, ask, io) : open;
  if (chosen.length === 0 && open.length > 0) return end(shown, input, "problem", "Nothing was approved.");
  const present = new Set(look().items.map(({ print }) => print.hash));
  if (chosen.some(({ print }) => !present.has(print.hash))) throw PROBLEMS.changedMeanwhile(undefined);
  const prints = chosen.map(({ print }) => print);
  approve(root, prints, io, { replaced: chosen.flatMap(({ before }) => before ?? []) });
  const isAll = chosen.length === open.length;
  const now = input.has("json") ? named(look(), input.words) : shown;
  return end(now, input, isAll ? "done" : "problem", approvedWords(chosen, open));
}

type Ask = (question: string) => Promise<string>;

/** Shows what is not approved one after the other, and asks about each. */
async function chooseOneByOne(
  open: readonly ExaminedItem[],
  root: string,
  ask: Ask,
  io: CommandInput["io"],
): Promise<readonly ExaminedItem[]> {
  const chosen: ExaminedItem[] = [];
  const known: ShownFiles = new Map();
  for (const [at, item] of open.entries()) {
    for (const line of showItem(item, root, io, known)) io.out(line);
    const rest = open.length > 1 ? ` (${at + 1} of ${open.length}; q ends)` : "";
    const answer = (await ask(`Approve ${visible(itemName(item))} exactly as it is shown? [y/N]${rest} `)).trim();
    if (/^q(uit)?$/i.test(answer)) break;
    if (/^y(es)?$/i.test(answer)) chosen.push(item);
  }
  return chosen;
}

function approvedWords(chosen: readonly ExaminedItem[], open: readonly ExaminedItem[]): string {
  if (open.length === 0) return "Approved: the denial of this project is taken back.";
  const left = open.filter((item) => !chosen.includes(item));
  const rest = left.length === 0 ? "" : ` Not approved: ${left.map(itemName).join(", ")}.`;
  return visible(`Approved ${chosen.map(itemName).join(", ")}.${rest}`);
}

/** The project with only those hooks and settings that are named; all of them where none are. */
function named(examined: Examined, names: readonly string[]): Examined {
  if (names.length === 0) return examined;
  const known = examined.items.map(itemName);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw PROBLEMS.unknownHook({ name: unknown, known });
  return { ...examined, items: examined.items.filter((item) => names.includes(itemName(item))) };
}

function revoke(shown: Examined, input: CommandInput): Exit {
  const keys = shown.items.map(({ print }) => print.key);
  const had = forget(shown.root, input.io, input.words.length === 0 ? undefined : keys);
  const after = named(examine(loadLayers(shown.root), shown.root, input.io), input.words);
  return end(after, input, "done", had ? "Forgotten." : "Nothing of this was approved or denied.");
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

const ACCEPT = "Did you change that yourself? Accept the configuration as it is now? [y/N] ";
const VERBS = ["yes", "trust-hash", "deny", "revoke", "status"];
const NOT_ASKED =
  "Nothing was approved: this is not a terminal, so the question cannot be asked. `sluice trust --yes` approves exactly what is printed above; `sluice trust <hook> --yes` one hook of it.";

const PROBLEMS = problems("trust", {
  manyVerbs: ({ verbs }: { verbs: readonly string[] }) => ({
    what: `\`sluice trust\` takes one of ${verbs.map((verb) => `--${verb}`).join(" and ")}.`,
    fix: "Choose one.",
  }),
  unknownHook: ({ name, known }: { name: string; known: readonly string[] }) => ({
    what: `No hook "${name}" of this project needs an approval.`,
    fix: known.length === 0 ? "None does." : `${didYouMean(name, known)} There are: ${known.join(", ")}.`.trim(),
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
