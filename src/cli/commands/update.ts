import type { PackContent } from "../../config/pack-content.ts";
import { type LockedPack, packFolder, readPackLock } from "../../config/pack-lock.ts";
import { contentOfCandidate, type PackCandidate } from "../../packs/candidate.ts";
import { findUpdate } from "../../packs/find-candidate.ts";
import { damageOf, installedContent, installPack, type PackHome, packsExtendedIn } from "../../packs/installation.ts";
import { type HookDifference, mayOpen, packDifference } from "../../packs/pack-difference.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { recordQuery } from "../recorded-calls.ts";
import { differenceText } from "../show/pack-difference-text.ts";
import { packJson, packText } from "../show/pack-text.ts";
import { paintFor, plural, visible } from "../show/terminal-text.ts";
import { isConfirmed } from "./confirm.ts";
import { homeOf, searchOf } from "./pack-home.ts";

/** Looks for new versions of packs, shows what each changes and what it would have meant for the last 30 days, and asks. */
export async function run(input: CommandInput): Promise<Exit> {
  return updateWith(input, isConfirmed);
}

/** The same with another way to ask the question. */
export async function updateWith(input: CommandInput, sure: (question: string) => Promise<boolean>): Promise<Exit> {
  const { io } = input;
  const home = homeOf(input);
  const found = await updatesOf(home, input);
  const isJson = input.has("json");
  const replay = found.length === 0 ? undefined : await replayOf(found, input);
  if (!isJson) {
    for (const update of found) for (const line of updateText(update, input)) io.out(line);
    for (const line of replay?.lines ?? []) io.out(line);
    if (found.length === 0) io.out(asNew(input.words.length || Object.keys(readPackLock(home.folder).packs).length));
  }
  const isTrial = input.has("dry-run") || found.length === 0;
  const mayAsk = io.isTerminal && !isJson;
  const isSure = !isTrial && (input.has("yes") || (mayAsk && (await sure("Install what is shown?"))));
  if (isSure)
    for (const { candidate, content, given } of found) installPack(home, candidate, { gates: content.gates, given });
  if (isJson)
    io.out(JSON.stringify({ updates: found.map(updateJson), replay: replay?.json, installed: isSure }, null, 2));
  else if (isSure)
    io.out(`${paintFor(io).good("✓")} Installed. \`sluice trust\` shows what would run and has changed.`);
  else if (found.length > 0)
    io.err(`Nothing was changed.${isTrial || mayAsk ? "" : " `sluice update --yes` installs what is shown."}`);
  return isSure || isTrial ? "done" : "problem";
}

/** What was looked at and is up to date. */
function asNew(packs: number): string {
  return packs === 0
    ? "No packs here, so there is nothing to update. `sluice add <name>` adds one."
    : `Every pack is as new as it may be: ${plural(packs, "pack")} looked at.`;
}

interface FoundUpdate {
  readonly before: LockedPack;
  readonly candidate: PackCandidate;
  readonly content: PackContent;
  readonly given: unknown;
  readonly differences: readonly HookDifference[];
}

async function updatesOf(home: PackHome, input: CommandInput): Promise<FoundUpdate[]> {
  const { packs } = readPackLock(home.folder);
  const known = Object.keys(packs);
  const unknown = input.words.find((name) => !known.includes(name));
  if (unknown !== undefined) throw PROBLEMS.notInstalledHere({ name: unknown, known });
  const extended = packsExtendedIn(home);
  const updates: FoundUpdate[] = [];
  for (const name of input.words.length === 0 ? known : input.words) {
    const before = packs[name];
    if (before === undefined) continue;
    const candidate = await findUpdate(name, before, searchOf(input, home));
    if (candidate === undefined) continue;
    const given = extended.find((one) => one.name === name)?.given;
    const folder = packFolder(home.folder, name, candidate.version);
    const content = contentOfCandidate(candidate, { folder, layer: home.layer, given });
    const isWhole = damageOf(home, name, before) === undefined;
    const old = isWhole ? installedContent(home, name, before, given) : undefined;
    const differences = await packDifference(name, old, content, rootOf(input));
    updates.push({ before, candidate, content, given, differences });
  }
  return updates;
}

function updateText({ before, candidate, content, differences }: FoundUpdate, input: CommandInput): string[] {
  const { io } = input;
  const head = paintFor(io).strong(visible(`${candidate.name} ${before.version} → ${candidate.version}`));
  return [head, ...packText(candidate, content, io).slice(1, 2), ...differenceText(differences, io), ""];
}

function updateJson({ before, candidate, content, differences }: FoundUpdate): object {
  const changes = differences.map((one) => ({ ...one, mayOpen: mayOpen(one) }));
  return { from: before.version, ...packJson(candidate, content), changes };
}

/** How the new versions would have decided the calls of the last 30 days. */
async function replayOf(found: readonly FoundUpdate[], input: CommandInput) {
  const { io } = input;
  const { replayUpdate } = await import("../../packs/replay-update.ts");
  const { replayText } = await import("../show/replay-text.ts");
  const { reportJson } = await import("../../replay/replay-report.ts");
  const since = new Date(Date.now() - REPLAYED_MS).toISOString();
  const contents = new Map(found.map(({ candidate, content }) => [candidate.name, content]));
  const { isHere } = recordQuery(input);
  const report = await replayUpdate({ root: rootOf(input), env: io.env, contents, since, isHere });
  const names = { before: "the packs as they are", after: "the packs as they would be" };
  const changed = { ...report, changes: report.changes.filter(({ cause }) => cause === "change") };
  const notes = {
    names,
    isAccepted: false,
    skipped: 0,
    whenEmpty: "No call is recorded here that they could be tried on.",
  };
  // How a replay is accepted is a matter of `sluice replay`; here a question follows.
  const lines = replayText(changed, notes, io).filter((line) => !line.includes("--accept") && !line.includes("--from"));
  return { json: reportJson(changed), lines };
}

const REPLAYED_MS = 30 * 24 * 3_600_000;

const PROBLEMS = problems("pack", {
  notInstalledHere: ({ name, known }: { name: string; known: readonly string[] }) => ({
    what: `No pack "${name}" is installed here.`,
    fix: `${didYouMean(name, known)} ${known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`}`.trim(),
  }),
});
