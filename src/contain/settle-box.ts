import { existsSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { UNDO_DEFAULTS } from "../config/undo-settings.ts";
import { attempt } from "../event/attempt.ts";
import { whileLocked } from "../fs/lock.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import {
  allBoxes,
  type Box,
  type BoxChange,
  type BoxEnd,
  type BoxReceipt,
  type BoxStart,
  commitLock,
  stateOf,
  writeReceipt,
} from "../policies/contain/box-store.ts";
import { removeLater } from "../policies/contain/probe.ts";
import { noteAfter } from "../policies/undo/after-call.ts";
import { type BytePath, pathText, readPath, type StoredPath, storedPath } from "../policies/undo/byte-path.ts";
import { keepNamed } from "../policies/undo/keep.ts";
import { type KeptCall, keptByName, nameOf, undoFolder } from "../policies/undo/kept-call.ts";
import { createdAt } from "../policies/undo/remove-created.ts";
import { type LostPath, NotKept } from "../policies/undo/snapshot.ts";
import { rememberHookEvent } from "../trace/remember.ts";
import { commitChanges } from "./commit-changes.ts";
import { changedMeanwhile, type JudgedChange, judgeChanges } from "./judge-changes.ts";
import { folderTimes, type LayerChange, readChanges } from "./read-changes.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Judges what is in a box whose program has ended, keeps what may be kept, and writes the receipt. Nothing of it is lost if this is
 * interrupted: what is to be kept is written down before the first file is moved.
 */
export async function settleBox(box: Box, start: BoxStart, end: BoxEnd, env: Environment): Promise<BoxReceipt> {
  const found = readChanges(box.plan.place, box.plan.layers);
  if (found.length === 0) setTimes(folderTimesOf(box));
  const refused = refusedHosts(box);
  if (found.length === 0) return finished(box, { at: now(), ...end, refused, changes: [] });
  const { changes, record, configuration } = await judgeChanges(box, found, start);
  const { undo } = configuration.settings;
  const settings = undo === undefined ? undefined : { ...UNDO_DEFAULTS, ...undo };
  const settled = commit(box, changes, env, settings, start);
  return finished(box, { at: now(), ...end, refused, ...settled, record });
}

/** Keeps changes that a person has chosen out of those that are held; the others stay. */
export function keepHeld(box: Box, isChosen: (path: string) => boolean, env: Environment): BoxReceipt {
  const changes = heldIn(box).map((change): JudgedChange => {
    const isMeant = isChosen(pathText(change.path));
    return { ...change, verdict: isMeant ? "kept" : "held", why: isMeant ? undefined : whyBefore(box, change) };
  });
  return again(box, commit(box, changes, env, UNDO_DEFAULTS), env);
}

/** Throws away changes that a person has chosen out of those that are held. */
export function dropHeld(box: Box, isChosen: (path: string) => boolean, env: Environment): BoxReceipt {
  const changes = heldIn(box).map((change) =>
    listed({ ...change, verdict: isChosen(pathText(change.path)) ? "dropped" : "held", why: whyBefore(box, change) }),
  );
  return again(box, { changes, kept: box.receipt?.kept }, env);
}

/** The changes that wait for a person; all of them if the call was interrupted before it was judged. */
export function heldIn(box: Box): LayerChange[] {
  const { receipt } = box;
  const held = new Set(receipt?.changes.filter(({ state }) => state === "held").map(({ path }) => path));
  return leftIn(box).filter(({ path }) => receipt === undefined || held.has(pathText(path)));
}

/** The changes that are still in a box: where putting them into the project was interrupted, it may have what was there before. */
function leftIn(box: Box): LayerChange[] {
  const draft = readDraft(box);
  const numbers = new Map(draft?.kept.map((path, at) => [readPath(path), draft.inodes[at]]));
  const { place, layers } = box.plan;
  return readChanges(place, layers).filter(
    (change) => !numbers.has(change.path) || numbers.get(change.path) === inodeIn(change),
  );
}

/** Writes down, in the journal too, what a person has decided about changes that were held. */
function again(box: Box, settled: Pick<BoxReceipt, "changes" | "kept" | "failed">, env: Environment): BoxReceipt {
  const { exit = null, signal, record, changes = [] } = box.receipt ?? {};
  const count = (state: BoxChange["state"]) => settled.changes.filter((change) => change.state === state).length;
  rememberHookEvent({
    ...{ env, cwd: box.plan.cwd, kind: "skipped", event: "contain", action: "continue" },
    notes: [
      `Of what ${box.plan.id} held, a person kept ${count("kept")} and dropped ${count("dropped")}; ${count("held")} held.`,
    ],
    ...(box.plan.session_id === undefined ? {} : { sessionId: box.plan.session_id }),
  });
  const earlier = changes.filter(({ state }) => state !== "held");
  const whole = { at: now(), exit, signal, record, ...settled, changes: [...earlier, ...settled.changes] };
  return finished(box, whole);
}

/** Ends what was interrupted while it was being kept: it had been judged. */
export function finishInterrupted(env: Environment): void {
  for (const box of allBoxes(env)) {
    const draft = readDraft(box);
    if (draft === undefined || stateOf(box) !== "interrupted") continue;
    whileLocked(commitLock(env), () => {
      try {
        const wanted = new Set(draft.kept.map(readPath));
        commitChanges(
          leftIn(box).filter(({ path }) => wanted.has(path)),
          box.plan.place,
        );
        noteKept(draft.undo, draft.created.map(readPath), env);
        finished(box, draft.receipt);
      } catch {
        // It stays interrupted, and is listed so.
      }
    });
  }
}

function commit(
  box: Box,
  judged: readonly JudgedChange[],
  env: Environment,
  undo: typeof UNDO_DEFAULTS | undefined,
  start?: BoxStart,
): Pick<BoxReceipt, "changes" | "kept" | "failed"> {
  const held = (one: JudgedChange, why: string) =>
    listed(one.verdict === "kept" ? { ...one, verdict: "held", why } : one);
  const run = () => {
    // Another call may have been put into the project since this one was judged. What a person has chosen is kept all the same.
    const later = start === undefined ? undefined : changedMeanwhile(judged, start);
    const changes = judged.map((one): JudgedChange => {
      const why = one.verdict === "kept" ? later?.get(one) : undefined;
      return why === undefined ? one : { ...one, verdict: "held", why };
    });
    const kept = changes.filter(({ verdict }) => verdict === "kept");
    let call: KeptCall | undefined;
    try {
      call = undo === undefined ? undefined : keepLost(box, kept, env, undo);
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      const why = `what it replaces could not be kept for \`sluice undo\`: ${error.message}`;
      return { changes: changes.map((one) => held(one, why)) };
    }
    const settled = { changes: changes.map(listed), kept: call?.id };
    const receipt: BoxReceipt = { at: now(), exit: null, ...settled };
    const created = kept.flatMap(({ path, before }) => (before === undefined ? [path] : []));
    const draft: CommitDraft = {
      created: created.map(storedPath),
      kept: kept.map(({ path }) => storedPath(path)),
      inodes: kept.map(inodeIn),
      undo: call === undefined ? undefined : nameOf(call),
      receipt,
    };
    writePrivate(join(box.folder, COMMIT), JSON.stringify(draft));
    // Moving files out of the box changes the times of its folders.
    const times = kept.length === changes.length ? folderTimesOf(box) : [];
    commitChanges(kept, box.plan.place);
    setTimes(times);
    noteKept(draft.undo, created, env);
    return settled;
  };
  const settled = whileLocked(commitLock(env), run, LONGEST_WAIT_MS);
  return settled ?? { changes: judged.map((one) => held(one, "another call was still being put into its project")) };
}

/** Keeps for undo what is replaced or removed. */
function keepLost({ plan }: Box, kept: readonly JudgedChange[], env: Environment, undo: typeof UNDO_DEFAULTS) {
  const lost = kept.flatMap(({ path, change, before }): LostPath[] => {
    if (before === undefined) return [];
    if (change === "deleted") return [{ path, loss: "removed", isTree: true }];
    return [{ path, loss: change === "mode" ? "access" : "overwritten", isTree: false }];
  });
  if (kept.length === 0) return undefined;
  return keepNamed(lost, { ...plan, command: plan.command }, undoFolder(env), undo);
}

/** Hosts that the program asked for and that the policy does not allow. */
function refusedHosts({ plan }: Box): string[] | undefined {
  const path = join(plan.place, "refused");
  return existsSync(path) ? readRegularText(path).split("\n").filter(Boolean) : undefined;
}

function noteKept(name: string | undefined, created: readonly BytePath[], env: Environment): void {
  const call = name === undefined ? undefined : keptByName(undoFolder(env), name);
  if (call?.state === "kept") noteAfter(undoFolder(env), { ...call, created: createdAt(created) });
}

/** The times of folders that the program has touched. */
function folderTimesOf({ plan: { place, layers }, start }: Box) {
  return folderTimes(place, layers).filter(({ upper }) => upper.ctimeMs > (start?.began ?? 0));
}

function setTimes(folders: ReturnType<typeof folderTimes>): void {
  for (const { upper, path } of folders) utimesSync(path, upper.atimeMs / 1000, upper.mtimeMs / 1000);
}

/** What was decided about a box before its files were moved. */
interface CommitDraft {
  readonly kept: readonly StoredPath[];
  /** The numbers that their files have in the box. */
  readonly inodes: readonly (number | null)[];
  readonly created: readonly StoredPath[];
  readonly undo: string | undefined;
  readonly receipt: BoxReceipt;
}

/** The number of a file; null where a deletion is kept. */
function inodeIn({ now }: LayerChange): number | null {
  return now?.ino ?? null;
}

function readDraft({ folder }: Box): CommitDraft | undefined {
  return attempt(() => JSON.parse(readRegularText(join(folder, COMMIT))) as CommitDraft);
}

function finished(box: Box, receipt: BoxReceipt): BoxReceipt {
  const { place } = box.plan;
  writeReceipt(box, receipt);
  rmSync(join(box.folder, COMMIT), { force: true });
  if (!receipt.changes.some(({ state }) => state === "held")) removeLater(place);
  return receipt;
}

function listed({ path, change, kind, now: after, before, verdict, why }: JudgedChange): BoxChange {
  const bytes = (after ?? before)?.size;
  return { path: pathText(path), change, kind, ...(kind === "file" ? { bytes } : {}), state: verdict, why };
}

function whyBefore({ receipt }: Box, { path }: LayerChange): string | undefined {
  return receipt?.changes.find((one) => one.path === pathText(path))?.why;
}

function now(): string {
  return new Date().toISOString();
}

const COMMIT = "commit.json";
const LONGEST_WAIT_MS = 25_000;
