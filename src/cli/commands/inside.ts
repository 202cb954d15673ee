import { join, resolve } from "node:path";
import { containedText, countText, shortPath } from "../../contain/contained-text.ts";
import { deletionsFirst, heldNow, isHeld, shownBox, textsOf } from "../../contain/held-changes.ts";
import { networkProxy, noteRefused } from "../../contain/network-proxy.ts";
import type { LayerChange } from "../../contain/read-changes.ts";
import { runBox } from "../../contain/run-box.ts";
import { dropHeld, finishInterrupted, heldIn, keepHeld, settleBox } from "../../contain/settle-box.ts";
import { isWithin, realPath } from "../../fs/resolve-path.ts";
import {
  allBoxes,
  type Box,
  boxById,
  forgetOldBoxes,
  isStartedHere,
  stateOf,
  writeReceipt,
} from "../../policies/contain/box-store.ts";
import { pathText } from "../../policies/undo/byte-path.ts";
import { errorText, problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import { type Exit, exitAs } from "../exit-codes.ts";
import { diffText } from "../show/diff.ts";
import { localTime } from "../show/log-line.ts";
import { columns, paintFor, visible } from "../show/terminal-text.ts";
import { confirmedByPerson, needsProof, requirePerson, type Sure } from "./confirm.ts";

/** Runs the command of a contained call, or shows, keeps and drops what boxes hold. */
export async function run(input: CommandInput): Promise<Exit> {
  return insideWith(input);
}

/** The same with another function that asks the question. */
export async function insideWith(input: CommandInput, sure?: Sure): Promise<Exit> {
  if (input.has("network")) return serveNetwork(input);
  finishInterrupted(input.io.env);
  if (input.has("list")) return list(input);
  const [id = "", ...paths] = input.words;
  const box = boxById(id, input.io.env);
  if (box === undefined) throw PROBLEMS.unknownBox({ id });
  if (input.has("show")) return show(box, input);
  if (input.has("keep")) return keep(box, paths, input, sure);
  if (input.has("drop")) return drop(box, paths, input);
  return runInside(box, paths, input);
}

/** The contained call itself: the program that runs it becomes this one when there is more to do than to end. */
async function runInside(box: Box, words: readonly string[], { io }: CommandInput): Promise<Exit> {
  const { plan, start, end, receipt } = box;
  if (words.join(" ") !== plan.command) throw PROBLEMS.otherCommand({ id: plan.id });
  if (start === undefined) return runBox(box, exitAs);
  if (end === undefined || receipt !== undefined || !isStartedHere(box)) throw PROBLEMS.usedBox({ id: plan.id });
  if (!end.entered) {
    const why = "the box could not be made";
    writeReceipt(box, { at: new Date().toISOString(), exit: null, changes: [], failed: why });
    io.err(PROBLEMS.noBox({ why }).format());
    return exitAs(NOT_RUN);
  }
  try {
    const settled = await settleBox(box, start, end, io.env);
    const told = containedText(box, settled);
    if (told !== undefined) io.err(visible(told));
    forgetOldBoxes(io.env);
  } catch (error) {
    io.err(PROBLEMS.notSettled({ id: plan.id, why: errorText(error) }).format());
    return exitAs(NOT_RUN);
  }
  return exitAs(end.exit ?? NOT_RUN, end.signal);
}

/** The proxy of a box, for the program that runs it and has opened standard input; ends with that. */
async function serveNetwork({ words, io }: CommandInput): Promise<Exit> {
  const { plan, start } = boxById(words[0] ?? "", io.env) ?? {};
  if (plan === undefined || start === undefined) throw PROBLEMS.unknownBox({ id: words[0] ?? "" });
  const server = networkProxy({ hosts: plan.hosts, env: io.env, refused: noteRefused(join(plan.place, "refused")) });
  // The folder of the box is the current one: a path of a socket may not be long.
  server.listen("proxy.sock");
  await new Promise((resolve) => process.stdin.resume().once("end", resolve));
  return exitAs(0);
}

function list(input: CommandInput): Exit {
  const { io } = input;
  const root = input.has("all") || input.has("json") ? undefined : rootOf(input);
  const boxes = allBoxes(io.env).filter(({ plan }) => root === undefined || plan.root === root);
  if (input.has("json")) {
    io.out(JSON.stringify(boxes.map(shownBox)));
    return "done";
  }
  if (boxes.length === 0) {
    io.out("No call of this project ran contained. `sluice inside --list --all` lists every project.");
    return "done";
  }
  const paint = paintFor(io);
  const rows = boxes.map((box) => [
    box.plan.id,
    localTime(box.plan.at),
    stateOf(box),
    countText(box.receipt?.changes ?? []) || "nothing changed",
    visible(box.plan.command.replaceAll(/\s+/g, " ")),
  ]);
  for (const line of columns([["id", "when", "state", "changes", "call"].map(paint.dim), ...rows])) io.out(line);
  io.out("`sluice inside --show <id> --diff` shows what a call has changed.");
  return "done";
}

function show(box: Box, input: CommandInput): Exit {
  const { io } = input;
  const shown = shownBox(box);
  if (input.has("json") && !input.has("diff")) {
    io.out(JSON.stringify(shown));
    return "done";
  }
  const held = heldNow(box);
  if (input.has("json")) {
    io.out(
      JSON.stringify({ ...shown, diff: held.map((change) => ({ path: pathText(change.path), ...textsOf(change) })) }),
    );
    return "done";
  }
  const paint = paintFor(io);
  io.out(`${shown.id} ${shown.state}: ${visible(shown.command)}`);
  for (const { path, change, state, why } of deletionsFirst(shown.changes)) {
    const line = `  ${change.padEnd(8)} ${visible(path)}  ${paint.dim(state)}`;
    io.out(change === "deleted" ? paint.bad(line) : line);
    if (why !== undefined) io.out(paint.dim(`           ${visible(why)}`));
  }
  if (input.has("diff"))
    for (const change of held) {
      io.out(`${visible(shortPath(realPath(box.plan.root), pathText(change.path)))} ${change.change}:`);
      const { before = "", after = "" } = textsOf(change);
      for (const line of diffText({ before, after }, io)) io.out(visible(line));
    }
  if (isHeld(box))
    io.out(
      `\`sluice inside --keep ${shown.id} [path…]\` keeps it, \`sluice inside --drop ${shown.id} [path…]\` drops it.`,
    );
  return "done";
}

async function keep(box: Box, paths: readonly string[], input: CommandInput, sure?: Sure): Promise<Exit> {
  const { io } = input;
  const verb = "inside --keep";
  // With --yes a script of the user's may keep them. What is set up is needed all the same.
  const asksNothing = input.has("yes") && !needsProof(io);
  requirePerson(asksNothing ? { ...io, isTerminal: true } : io, verb);
  requireHeld(box);
  const isChosen = chosenBy(box, paths, input);
  const chosen = heldIn(box).filter(({ path }) => isChosen(pathText(path)));
  if (chosen.length === 0) throw PROBLEMS.nothingHeld({ id: box.plan.id });
  for (const { path, change } of chosen) io.err(`  ${change.padEnd(8)} ${visible(pathText(path))}`);
  const question = `Keep ${chosen.length === 1 ? "this change" : `these ${chosen.length} changes`}?`;
  if (!asksNothing && !(await confirmedByPerson({ io, verb, question }, sure))) {
    io.err("Nothing was changed.");
    return "problem";
  }
  return settled(box, keepHeld(box, isChosen, io.env), chosen, "kept", input);
}

function drop(box: Box, paths: readonly string[], input: CommandInput): Exit {
  requireHeld(box);
  const isChosen = chosenBy(box, paths, input);
  const chosen = heldIn(box).filter(({ path }) => isChosen(pathText(path)));
  if (chosen.length === 0) throw PROBLEMS.nothingHeld({ id: box.plan.id });
  return settled(box, dropHeld(box, isChosen, input.io.env), chosen, "dropped", input);
}

/** What is reported was looked at: each path has the state that was asked for. */
function settled(
  box: Box,
  receipt: NonNullable<Box["receipt"]>,
  chosen: readonly LayerChange[],
  state: "kept" | "dropped",
  { io, has }: CommandInput,
): Exit {
  const done = new Map(receipt.changes.map((change) => [change.path, change]));
  const left = chosen.filter(({ path }) => done.get(pathText(path))?.state !== state);
  if (has("json")) io.out(JSON.stringify(shownBox({ ...box, receipt })));
  else {
    io.out(`${chosen.length - left.length} ${chosen.length - left.length === 1 ? "change" : "changes"} ${state}.`);
    if (state === "kept" && receipt.kept !== undefined) io.out(`\`sluice undo ${receipt.kept}\` takes it back.`);
    for (const { path } of left)
      io.err(
        `  left alone: ${visible(pathText(path))}: ${visible(done.get(pathText(path))?.why ?? receipt.failed ?? "")}`,
      );
  }
  return left.length === 0 && receipt.failed === undefined ? "done" : "problem";
}

function requireHeld(box: Box): void {
  if (!isHeld(box)) throw PROBLEMS.nothingHeld({ id: box.plan.id });
}

/** Everything where no path is named. */
function chosenBy({ plan }: Box, paths: readonly string[], { io }: CommandInput): (path: string) => boolean {
  if (paths.length === 0) return () => true;
  const root = realPath(plan.root);
  const named = paths.flatMap((path) => [resolve(root, path), resolve(io.cwd, path)]);
  return (path) => named.some((one) => isWithin(one, path));
}

/** As programs that run others report that they could not. */
const NOT_RUN = 125;

const PROBLEMS = problems("contain", {
  unknownBox: ({ id }: { id: string }) => ({
    what: id === "" ? "`sluice inside` needs the id of a contained call." : `No contained call "${id}" is known here.`,
    fix: "`sluice inside --list` lists them.",
  }),
  otherCommand: ({ id }: { id: string }) => ({
    what: `The id ${id} was given for another command, so nothing was run.`,
    fix: "Run the command as it was given, or make the call again.",
  }),
  usedBox: ({ id }: { id: string }) => ({
    what: `The call ${id} ran already, and an id is for one run.`,
    fix: "Make the call again: it gets a new id.",
  }),
  noBox: ({ why }: { why: string }) => ({
    what: `The command did not run: ${why}.`,
    fix: "`sluice doctor` shows what containing needs on this machine.",
  }),
  notSettled: ({ id, why }: { id: string; why: string }) => ({
    what: `The command ran, and what it changed could not be judged or kept: ${why}. It is still in its box.`,
    fix: `Look at it with: sluice inside --show ${id}`,
  }),
  nothingHeld: ({ id }: { id: string }) => ({
    what: `The contained call ${id} has no held change there that waits for an answer.`,
    fix: `\`sluice inside --show ${id}\` shows what it has changed.`,
  }),
});
