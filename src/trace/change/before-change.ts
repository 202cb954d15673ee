import { accessSync, constants, existsSync, lstatSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Decision } from "../../decision/decision.ts";
import { withModifiable } from "../../decision/modification.ts";
import type { LookupsFor } from "../../effects/effect.ts";
import type { EventFacts } from "../../event/field.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { rememberBegun, unfinishedCalls } from "./begun-calls.ts";
import { type FileState, hashIn, stateOf } from "./file-state.ts";
import { changesBackwards } from "./read-changes.ts";
import { overwrittenFiles, type SeenFile, seenBy, seenKey } from "./seen-files.ts";
import { relativeTo, touchedFiles } from "./touched-files.ts";
import { type TracePaths, tracePaths } from "./trace-paths.ts";
import type { Traced } from "./traced.ts";

/** The objections of the trace to a call before it runs. */
export type BeforeChange =
  | { readonly kind: "nothing" }
  /** The session would write over changes that it has not seen. */
  | ({ readonly kind: "stale" } & Stale)
  /** The call could not be recorded. */
  | { readonly kind: "unwritable"; readonly problem: Problem };

/** Looks at the files that a call is about to change, so that its end can be compared with them. */
export function beforeChange(decision: Decision, traced: Traced, look?: LookupsFor, mayBeOpen = false): BeforeChange {
  const { event, input } = decision;
  const call = input === undefined ? event : withModifiable(event, input);
  const { paths, isOpen, isMutating } = touchedFiles(call, traced.root, look, mayBeOpen);
  if (!isMutating) return { kind: "nothing" };
  const place = tracePaths(traced);
  const problem = traced.trace === "required" ? whyUnwritable(place) : undefined;
  if (problem !== undefined) return { kind: "unwritable", problem };
  const stale = traced.intents.mode === "off" ? undefined : staleWrite(call, traced, look);
  if (stale?.isDenied) return { kind: "stale", ...stale };
  try {
    rememberBegun(place.state, call, {
      action: decision.action,
      reasons: decision.reasons,
      hooks: decision.results.map(({ hook, action }) => ({ name: hook.name, action })),
      files: statesOf(paths),
      isOpen,
    });
  } catch (cause) {
    const unkept = PROBLEMS.unkept({ folder: place.state }, { cause });
    if (traced.trace === "required") return { kind: "unwritable", problem: unkept };
  }
  return stale === undefined ? { kind: "nothing" } : { kind: "stale", ...stale };
}

function statesOf(paths: readonly string[]): Record<string, FileState> {
  const states: Record<string, FileState> = {};
  let left = MAX_TEXT;
  for (const path of paths) {
    const state = stateOf(path);
    const isKept = state.kind !== "text" || state.text.length <= left;
    if (state.kind === "text" && isKept) left -= state.text.length;
    states[path] = isKept ? state : { kind: "bytes", hash: state.hash, size: state.size };
  }
  return states;
}

/** Why the record of a call could not be written; undefined if it could. */
export function whyUnwritable({ folder, file, state }: TracePaths, room = MAX_RECORD_BYTES): Problem | undefined {
  try {
    makePrivateDir(state);
    accessSync(state, constants.W_OK);
    const there = [file, folder, dirname(folder)].find((path) => existsSync(path)) ?? folder;
    accessSync(there, constants.W_OK);
    const found = lstatSync(there);
    if (there === file ? !found.isFile() || found.nlink > 1 : !found.isDirectory())
      return PROBLEMS.requiredForeign({ path: there });
    for (const path of [there, state]) {
      const { bavail, bsize } = statfsSync(path);
      if (bavail * bsize < room) return PROBLEMS.requiredDiskFull({ path });
    }
    return undefined;
  } catch (cause) {
    const { code = "", path = file } = cause as NodeJS.ErrnoException;
    return PROBLEMS.requiredUnwritable({ path, code }, { cause });
  }
}

/** Texts of one call together; beyond that, files are only hashed. */
const MAX_TEXT = 8 * 1024 * 1024;
const MAX_RECORD_BYTES = 1024 * 1024;

const PROBLEMS = problems("trace", {
  unkept: ({ folder }: { folder: string }) => ({
    what: `The files as they are before the call cannot be remembered in ${folder}.`,
    fix: "Make room or give yourself the right to write there.",
  }),
  requiredForeign: ({ path }: { path: string }) => ({
    what: `${path} is a symlink, or neither a file nor a folder; \`trace: required\` denies what cannot be recorded.`,
    fix: "Find out which program made it, and remove it; Sluice makes its own.",
  }),
  requiredDiskFull: ({ path }: { path: string }) => ({
    what: `The disk of ${path} is full; \`trace: required\` denies what cannot be recorded.`,
    fix: "Make room, then try again.",
  }),
  requiredUnwritable: ({ path, code }: { path: string; code: string }) => ({
    what: `${path} cannot be written (${code}); \`trace: required\` denies what cannot be recorded.`,
    fix: "Give yourself the right to write there, then try again.",
  }),
});

/** Changes that a call would go over and that its session has not seen. */
interface Stale {
  /** The write waits until the session has read the file again; otherwise the agent is only notified. */
  readonly isDenied: boolean;
  readonly reason: string;
}

/**
 * The changes that a call would overwrite without having seen them; undefined if there are none. What the call itself reads first
 * is not taken as seen: the agent has not seen it when it decides what to write. A call of the session whose end was never
 * reported, such as a patch through Codex's shell, may have made the change.
 */
function staleWrite(event: EventFacts, traced: Traced, look?: LookupsFor): Stale | undefined {
  if (event.sessionId === undefined) return undefined;
  const place = tracePaths(traced);
  const seen = seenBy(place.state, event);
  const changed = new Map<string, Changed>();
  for (const path of overwrittenFiles(event, traced.root, look)) {
    const known = seen[seenKey(resolve(path))];
    const now = known?.hash === undefined ? undefined : stateOf(path);
    if (known === undefined || now === undefined || !("hash" in now) || now.hash === known.hash) continue;
    const name = relativeTo(traced.root, path);
    if (!isScratch(path, name)) changed.set(name, { path: resolve(path), ...known });
  }
  const [first] = changed.entries();
  if (first === undefined) return undefined;
  const isEnforced = traced.intents.mode === "enforce";
  const another = changeOfAnother(changed, event, place);
  if (another !== undefined) return { isDenied: isEnforced, reason: another };
  const own = unfinishedCalls(place.state, event);
  const [name] =
    [...changed].find(([, { path, hash }]) => !own.some(({ files }) => hashIn(files[path]) === hash)) ?? [];
  const reason = `${name ?? first[0]} ${SINCE}, and no recorded call did it. ${STEP}`;
  return { isDenied: isEnforced && name !== undefined, reason };
}

/** A file that differs from what the session saw: its path, what was seen, and when. */
interface Changed extends SeenFile {
  readonly path: string;
}

/** Temporary files outside the project are written by many programs and belong to none. */
function isScratch(path: string, name: string): boolean {
  return name.startsWith("..") && /^\/(?:tmp|var\/tmp)\//.test(path);
}

/** The latest recorded change of one of these files by another session, made after this one looked. */
function changeOfAnother(
  changed: ReadonlyMap<string, Changed>,
  { sessionId, agent }: EventFacts,
  place: TracePaths,
): string | undefined {
  for (const record of changesBackwards(place, MAX_LOOKED_AT)) {
    if (record.session_id === sessionId && record.agent === agent) continue;
    const when = Date.parse(record.timestamp);
    const file = record.files.find(
      ({ relative_path, unchanged, renamed_from }) =>
        !(unchanged && renamed_from === undefined) &&
        when >= (changed.get(relative_path)?.at ?? Number.POSITIVE_INFINITY),
    );
    if (file === undefined) continue;
    const lines = file.ranges.map(({ start_line, end_line }) => `${start_line}-${end_line}`).slice(0, 5);
    const where = lines.length === 0 ? "" : `, lines ${lines.join(", ")}`;
    const whose = record.intent_id === null ? "" : ` for ${record.intent_id}`;
    const who = `session ${record.session_id ?? "without a name"}${whose} changed it at ${record.timestamp}${where}`;
    return `${file.relative_path} ${SINCE}: ${who}. ${STEP}`;
  }
  return undefined;
}

const SINCE = "has changed since this session last read it";
const STEP = "Read it again, then write.";
const MAX_LOOKED_AT = 2000;
