import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "../../fs/lock.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { makePrivateDir, stateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { newId } from "../../trace/fingerprint.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How a box is made. */
export type Backend = "bubblewrap" | "namespaces" | "sandbox-runtime";

/** A call that was decided to run in a box. */
export interface BoxPlan {
  readonly v: 1;
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly root: string;
  readonly cwd: string;
  readonly command: string;
  /** The line that the agent is given instead of its command. */
  readonly line: string;
  readonly backend: Backend;
  /** The event as it was decided, with the command as hooks left it. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly agent?: string | undefined;
  readonly session_id?: string | undefined;
  readonly call_id?: string | undefined;
  readonly tool: string;
  /** The folder that holds what the program writes. */
  readonly place: string;
  readonly layers: readonly BoxLayer[];
  /** Hosts that the program may reach. */
  readonly hosts: readonly string[];
  /** The variables that say where the user's files are: the shell of an agent may have others by then. */
  readonly env: Environment;
}

/** A box whose program was started; nothing but the time is known if that was interrupted. */
export interface BoxStart {
  /** Milliseconds since 1970 by the clock of the disk. */
  readonly began: number;
  readonly pid?: number | undefined;
  /** When the process was started, in ticks of the system: a process id may be used again later. */
  readonly ticks?: string | undefined;
  readonly at?: string | undefined;
}

/** A folder that the program may write to; what it writes is in a folder of its own. */
export interface BoxLayer {
  readonly path: string;
  /** What is written there is judged and kept, or forgotten when the call has ended. */
  readonly fate: "judged" | "forgotten";
  /** The name of the folder with what is written, in the place of the box. */
  readonly upper: string;
}

/** What became of one change. */
export interface BoxChange {
  readonly path: string;
  readonly change: "created" | "changed" | "deleted" | "mode" | "symlink";
  readonly kind: "file" | "folder" | "symlink" | "other";
  readonly bytes?: number | undefined;
  readonly state: "kept" | "held" | "dropped";
  readonly why?: string | undefined;
}

/** What became of a contained call, written when its changes were judged. */
export interface BoxReceipt {
  readonly at: string;
  readonly exit: number | null;
  readonly signal?: string | undefined;
  readonly changes: readonly BoxChange[];
  /** The record of the judgement in the journal. */
  readonly record?: string | undefined;
  /** What `sluice undo` brings back. */
  readonly kept?: string | undefined;
  /** How often the program looked for a network that it did not have. */
  readonly offline?: number | undefined;
  /** The limit in seconds, if the program was ended because it ran longer. */
  readonly late?: number | undefined;
  /** Hosts that the program asked for and that the policy does not allow. */
  readonly refused?: readonly string[] | undefined;
  /** Why the box could not be made or its changes could not be judged. */
  readonly failed?: string | undefined;
}

/** How the program of a box ended; `entered` is false if the box could not be made. */
export type BoxEnd = Pick<BoxReceipt, "exit" | "signal" | "offline" | "late"> & { readonly entered: boolean };

/** One box with everything that is known about it. */
export interface Box {
  readonly folder: string;
  readonly plan: BoxPlan;
  readonly start?: BoxStart | undefined;
  readonly end?: BoxEnd | undefined;
  readonly receipt?: BoxReceipt | undefined;
}

/** The state of a box, as it is listed. */
export type BoxState = "decided" | "running" | "interrupted" | "held" | "done" | "failed";

/** The folder with everything about contained calls. */
export function containFolder(env: Environment): string {
  return join(stateDir({ env }), "contain");
}

/** Writes down that a call is to run in a box, which is made before; nothing is left if that fails. */
export function planBox(
  about: Omit<BoxPlan, "v" | "id" | "at" | "line" | "place" | "layers">,
  make: (id: string, folder: string) => Pick<BoxPlan, "line" | "place" | "layers">,
  env: Environment,
): BoxPlan {
  const boxes = boxesFolder(env);
  makePrivateDir(boxes);
  for (;;) {
    const id = newId();
    const folder = join(boxes, id);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    try {
      const plan: BoxPlan = { v: 1, id, at: new Date().toISOString(), ...about, ...make(id, folder) };
      writePrivate(join(folder, PLAN), JSON.stringify(plan));
      return plan;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

/** A box by its id; undefined if there is none or its plan cannot be read. */
export function boxById(id: string, env: Environment): Box | undefined {
  if (!/^[0-9a-f]{6}$/.test(id)) return undefined;
  return boxIn(join(boxesFolder(env), id));
}

/** Every box, the newest first. */
export function allBoxes(env: Environment): Box[] {
  const boxes = boxesFolder(env);
  return namesIn(boxes)
    .flatMap((name) => boxIn(join(boxes, name)) ?? [])
    .sort((one, other) => (one.plan.at < other.plan.at ? 1 : -1));
}

/** The box of a call that has ended, by its line or by what identifies the call; one look where nothing was contained. */
export function boxOfCall(call: EndedCall, env: Environment): Box | undefined {
  const boxes = boxesFolder(env);
  const names = namesIn(boxes);
  const id = INSIDE_LINE.exec(call.command)?.groups?.id ?? "";
  if (names.includes(id)) return boxIn(join(boxes, id));
  return names
    .flatMap((name) => boxIn(join(boxes, name)) ?? [])
    .filter(({ plan, start, receipt }) => start === undefined && receipt === undefined && isSameCall(plan, call))
    .sort((one, other) => (one.plan.at < other.plan.at ? 1 : -1))[0];
}

/** What is known of a call at its end. */
interface EndedCall {
  readonly command: string;
  readonly session_id?: string | undefined;
  readonly call_id?: string | undefined;
  readonly tool: string;
}

function isSameCall({ command, session_id, call_id, tool }: BoxPlan, call: EndedCall): boolean {
  if (session_id !== call.session_id || tool !== call.tool) return false;
  return call_id !== undefined && call.call_id !== undefined ? call_id === call.call_id : command === call.command;
}

/** The line that runs a contained call. */
export const INSIDE_LINE = /\binside (?<id>[0-9a-f]{6}) -- /;

/** Whether this process has started the program of a box. */
export function isStartedHere({ start }: Box): boolean {
  return start?.pid === process.pid && start.ticks === ticksOf(process.pid);
}

/** The lock that a process holds while it puts changes into a project; after a kill it is still there. */
export function commitLock(env: Environment): string {
  return join(containFolder(env), "commit.lock");
}

/** Writes what became of a box. */
export function writeReceipt(box: Box, receipt: BoxReceipt): void {
  writePrivate(join(box.folder, RECEIPT), JSON.stringify(receipt));
}

/** The state of a box. */
export function stateOf({ start, receipt }: Box): BoxState {
  if (receipt !== undefined) {
    if (receipt.changes.some(({ state }) => state === "held")) return "held";
    return receipt.failed === undefined ? "done" : "failed";
  }
  if (start === undefined) return "decided";
  return isAlive(start) ? "running" : "interrupted";
}

/** Removes what is known about boxes that have ended a while ago and hold nothing. */
export function forgetOldBoxes(env: Environment, now = Date.now()): void {
  for (const box of allBoxes(env)) {
    const state = stateOf(box);
    const age = now - Date.parse(box.plan.at);
    if (age > FORGOTTEN_MS && (state === "done" || state === "decided" || state === "failed"))
      rmSync(box.folder, { recursive: true, force: true });
  }
}

function isAlive({ pid, ticks }: BoxStart): boolean {
  if (pid === undefined || !isRunning(pid)) return false;
  return ticks === undefined || ticks === ticksOf(pid);
}

/** When a process was started, where the system shows it. */
function ticksOf(pid: number): string | undefined {
  try {
    const text = readRegularText(`/proc/${pid}/stat`);
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function boxIn(folder: string): Box | undefined {
  const plan = jsonAt(join(folder, PLAN)) as BoxPlan | undefined;
  if (plan?.v !== 1) return undefined;
  return {
    folder,
    plan,
    start: startIn(folder),
    end: jsonAt(join(folder, END)) as BoxEnd | undefined,
    receipt: jsonAt(join(folder, RECEIPT)) as BoxReceipt | undefined,
  };
}

/** The folder that shows that the program was started is made in one step, and never written to. */
function startIn(folder: string): BoxStart | undefined {
  const stats = statSync(join(folder, STARTED), { throwIfNoEntry: false });
  return stats === undefined ? undefined : { began: stats.ctimeMs, ...(jsonAt(join(folder, START)) as object) };
}

/** Files of our own state, which no agent can write. */
function jsonAt(path: string): unknown {
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    return undefined;
  }
}

function boxesFolder(env: Environment): string {
  return join(containFolder(env), "boxes");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const PLAN = "plan.json";
const STARTED = "started";
const START = "start.json";
const END = "end.json";
const RECEIPT = "receipt.json";
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;
