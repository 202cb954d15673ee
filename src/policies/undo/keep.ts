import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { UndoSettings } from "../../config/undo-settings.ts";
import { type CallEffects, callEffects, GAP, isPathEffect, type LookupsFor } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { dataField } from "../../event/field.ts";
import { gitIndexAt } from "../../fs/git-index.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { ensurePrivateDir, makePrivateDir } from "../../fs/state-dir.ts";
import { errorText } from "../../problem/problem.ts";
import { fingerprint, newId } from "../../trace/fingerprint.ts";
import { redactor, secretsIn } from "../../trace/redact.ts";
import { type BytePath, bytePath, bytesOf } from "./byte-path.ts";
import { expire } from "./expire.ts";
import { heldByGit } from "./git.ts";
import { heldRefs } from "./held-refs.ts";
import { callsFolder, type KeptCall, nameOf, objectsFolder, removeKept, undoFolder, writeKept } from "./kept-call.ts";
import { isLargeMade, isLeftOut, knownLosses, type Losses, lossesOf } from "./losses.ts";
import { DRY_STORE, ObjectStore } from "./object-store.ts";
import { openCall } from "./open-calls.ts";
import { isLittle, type LostPath, NotKept, type Snapshot, snapshotOf, tooMuch } from "./snapshot.ts";
import { scriptsMayDestroy, takesFromGit, writesUnnamed } from "./unclear-losses.ts";

/** Where a call is kept, and how much of it may be. */
export interface KeepContext {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: UndoSettings;
  readonly lookups?: LookupsFor | undefined;
  /** Nothing is written; what would be kept is told. */
  readonly isDry?: boolean | undefined;
  /** Does after the answer what only the end of the call needs; at once when left out. */
  readonly afterwards?: ((act: () => void) => void) | undefined;
  /** Runs an act if the call is not answered here after all. Where it is given, only what is kept at once is kept. */
  readonly unlessArrives?: ((act: () => void) => void) | undefined;
}

/** The result of keeping: the call as it was kept, undefined if it destroys nothing, or why it could not be kept. */
export type Kept =
  | { readonly kind: "kept"; readonly call: KeptCall }
  | { readonly kind: "nothing" }
  | { readonly kind: "not kept"; readonly why: string; readonly isRemoval?: boolean };

/** Keeps everything that a call is about to destroy, or nothing at all. */
export function keepLosses(event: HookEvent, context: KeepContext): Kept {
  const { root, env, settings, lookups, isDry = false } = context;
  const folder = undoFolder(env);
  try {
    const effects = callEffects(event, lookups);
    if (effects === undefined) return NOTHING;
    const store = isDry ? DRY_STORE : new ObjectStore(objectsFolder(folder));
    if (!isDry) prepare(folder);
    const losses = lossesOf(effects, { root, cwd: event.cwd ?? root, home: env.HOME, store });
    const { cwd = root } = event;
    // Code may write more than it names: beside what is sure to be lost, the project is kept where it is not too large.
    const mayBeMore =
      losses.isOpen ||
      losses.followsFetch ||
      effects.effects.some((one) => writesUnnamed(one, effects)) ||
      scriptsMayDestroy(effects, cwd);
    const held = losses.paths.length === 0 && !mayBeMore ? new Map<string, string>() : heldByGit(root);
    const limits = { bytes: Math.min(settings.call, settings.max), files: settings.files };
    const taking = {
      store,
      limits,
      held,
      left: bytePath(`${root}/.git`),
      leavesOut: isLeftOut(effects),
      leavesBelow: isLargeMade(effects),
    };
    if (mayBeMore) {
      const all = { path: bytePath(root), loss: "overwritten", isTree: true, isUnclear: true } as const;
      const keep = () => snapshotOf([...losses.paths, all], taking);
      const whole = losses.isOpen ? keep() : unlessTooMuch(keep);
      if (whole !== undefined) return keepSnapshot(whole, losses.refs, event, context, { unclear: true });
    }
    const how = losses.isEvery ? { unclear: true } : {};
    return keepSnapshot(snapshotOf(losses.paths, taking), losses.refs, event, context, how);
  } catch (error) {
    return { kind: "not kept", why: whyNotKept(error) };
  }
}

/**
 * Keeps what a call that no rule stops writes over or removes, without a message. Where that is known only when the
 * call runs, the whole folder is kept. What a tool makes again is left out.
 */
export function keepQuietly(event: HookEvent, context: KeepContext): Kept | { readonly kind: "later" } {
  const { root, env, settings, lookups, unlessArrives } = context;
  const folder = undoFolder(env);
  try {
    const effects = callEffects(event, lookups);
    if (effects === undefined) return NOTHING;
    const store = new ObjectStore(objectsFolder(folder));
    if (unlessArrives !== undefined && mayTakeLong(effects)) return LATER;
    // Of a reset the index is stored while the losses are told.
    if (effects.effects.some((effect) => takesFromGit(effect, effects))) prepare(folder);
    const around = { root, cwd: event.cwd ?? root, home: env.HOME, store };
    const { paths, refs, unclear, isRemoval } = knownLosses(effects, around);
    if (paths.length === 0 && refs.length === 0 && unclear.length === 0) return NOTHING;
    if (unlessArrives !== undefined && !isLittle(paths, AT_ONCE)) return LATER;
    prepare(folder);
    const index = gitIndexAt(root);
    const indexed = unclear.length === 0 ? undefined : index?.all();
    const taking = {
      store,
      limits: { bytes: Math.min(settings.call, settings.max), files: settings.files },
      held: indexed ?? { get: (path: BytePath) => index?.blobOf(bytesOf(path)) },
      left: bytePath(`${root}/.git`),
      leavesOut: isLeftOut(effects),
    };
    if (unclear.length === 0) return keepSnapshot(snapshotOf(paths, taking), refs, event, context, { quiet: true });
    try {
      // To look through a project that is too large takes long.
      if ((indexed?.size ?? 0) > settings.files && unclear.some(({ path }) => path === bytePath(realPath(root))))
        throw new NotKept(tooMuch(`${settings.files} files`, true));
      // What is sure to be lost comes first: it is kept as a whole.
      const whole = snapshotOf([...paths, ...unclear], taking);
      return keepSnapshot(whole, refs, event, context, { quiet: true, unclear: true });
    } catch (error) {
      keepSnapshot(snapshotOf(paths, taking), refs, event, context, { quiet: true });
      return { kind: "not kept", why: whyNotKept(error), isRemoval };
    }
  } catch (error) {
    return { kind: "not kept", why: whyNotKept(error) };
  }
}

function unlessTooMuch(keep: () => Snapshot): Snapshot | undefined {
  try {
    return keep();
  } catch (error) {
    if (error instanceof NotKept) return undefined;
    throw error;
  }
}

/** Whether git has to be asked, or many files may have to be looked through, to tell what is lost. */
function mayTakeLong(call: CallEffects): boolean {
  if (call.scripts.length > 0) return true;
  return call.effects.some((effect) => {
    if (!isPathEffect(effect)) return takesFromGit(effect, call) || writesUnnamed(effect, call);
    return effect.path.isGlob || effect.path.text.includes(GAP) || effect.by === "unpack";
  });
}

function keepSnapshot(
  { files, bytes, grown }: Snapshot,
  refs: Losses["refs"],
  event: HookEvent,
  { root, env, settings, isDry = false, afterwards = (act) => act(), unlessArrives }: KeepContext,
  how: Pick<KeptCall, "quiet" | "unclear"> = {},
): Kept {
  if (files.length === 0 && refs.length === 0) return NOTHING;
  const folder = undoFolder(env);
  const id = newId();
  const call: KeptCall = {
    v: 1,
    id,
    at: new Date().toISOString(),
    root,
    ...(event.agent === undefined ? {} : { agent: event.agent }),
    ...idOf(event),
    tool: event.toolName ?? "",
    ...commandOf(event, env),
    ...how,
    files,
    refs: heldRefs(refs, id, isDry),
    bytes,
    grown,
    state: "kept",
  };
  if (isDry) return { kind: "kept", call };
  writeKept(folder, call);
  unlessArrives?.(() => removeKept(folder, call));
  afterwards(() => {
    if (files.length > 0 || refs.some(({ isOpen }) => isOpen))
      openCall(env, nameOf(call), { ...idOf(event), tool: call.tool, input: inputHash(event) });
    expire(folder, settings, grown);
  });
  return { kind: "kept", call };
}

/** A hash of what a call was given, the same before the call and after it. */
export function inputHash(event: HookEvent): string {
  const input = dataField(event, "tool_args");
  return input === undefined ? "" : fingerprint(JSON.stringify(input));
}

/** Keeps what is at these paths before an undo writes over it, so that the undo can be undone. */
export function keepPresent(
  paths: readonly BytePath[],
  undone: KeptCall,
  folder: string,
  settings: UndoSettings,
): KeptCall {
  const { root, agent, session_id, id } = undone;
  const lost = paths.map((path) => ({ path, loss: "overwritten", isTree: true }) as const);
  const about = { root, agent, session_id, tool: "sluice undo", command: `sluice undo ${id} --force` };
  return keepNamed(lost, about, folder, settings);
}

/** The call for which something is kept. */
interface KeptAbout extends Pick<KeptCall, "root" | "tool"> {
  readonly agent?: string | undefined;
  readonly session_id?: string | undefined;
  readonly command?: string | undefined;
}

/** Keeps what is at exactly these paths, for a call that is about to change them; throws `NotKept` if not all of it can be kept. */
export function keepNamed(
  lost: readonly LostPath[],
  { root, agent, session_id, tool, command }: KeptAbout,
  folder: string,
  settings: UndoSettings,
): KeptCall {
  prepare(folder);
  const limits = { bytes: settings.call, files: settings.files };
  const store = new ObjectStore(objectsFolder(folder));
  const { files, bytes, grown } = snapshotOf(lost, { store, limits, held: new Map(), left: "\0" });
  const call: KeptCall = {
    v: 1,
    id: newId(),
    at: new Date().toISOString(),
    root,
    ...(agent === undefined ? {} : { agent }),
    ...(session_id === undefined ? {} : { session_id }),
    tool,
    ...(command === undefined ? {} : { command }),
    files,
    refs: [],
    bytes,
    grown,
    state: "kept",
  };
  writeKept(folder, call);
  return call;
}

/** Makes the folders, for the user alone; throws where that cannot be or the disk is nearly full. */
function prepare(folder: string): void {
  if (!ensurePrivateDir(folder)) throw new NotKept(`${folder} cannot be made, or belongs to another user`);
  makePrivateDir(callsFolder(folder));
  makePrivateDir(objectsFolder(folder));
  makePrivateDir(join(folder, "open"));
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LEAST_ROOM) throw new NotKept("the disk is full");
}

function commandOf(event: HookEvent, env: KeepContext["env"]): { readonly command?: string } {
  const { command } = Object(dataField(event, "tool_args")) as { readonly command?: unknown };
  if (typeof command !== "string") return {};
  return { command: redactor(secretsIn(env)).text(command).slice(0, LONGEST_COMMAND) };
}

/** The session of a call, and what tells it from the others of the session where the agent says it. */
export function idOf({ data, sessionId }: HookEvent): Pick<KeptCall, "session_id" | "call_id"> {
  const { tool_use_id, tool_call_id } = data as Readonly<Record<string, unknown>>;
  const id = tool_use_id ?? tool_call_id;
  return {
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(typeof id === "string" ? { call_id: id } : {}),
  };
}

function whyNotKept(error: unknown): string {
  if (error instanceof NotKept) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  return errorText(error);
}

const NOTHING: Kept = { kind: "nothing" };
const LATER = { kind: "later" } as const;
/** What is read and written long before a client gives up waiting. */
const AT_ONCE = { files: 16, bytes: 1024 ** 2 };
const LEAST_ROOM = 16 * 1024 ** 2;
const LONGEST_COMMAND = 4096;
