import { accessSync, constants, existsSync, lstatSync, mkdirSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Decision } from "../../decision/decision.ts";
import { withModifiable } from "../../decision/modification.ts";
import type { LookupsFor } from "../../effects/effect.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { rememberBegun } from "./begun-calls.ts";
import { type FileState, stateOf } from "./file-state.ts";
import { type TracePaths, tracePaths } from "./trace-paths.ts";
import { type Stale, staleWrite } from "./stale-write.ts";
import { touchedFiles } from "./touched-files.ts";
import type { Traced } from "./traced.ts";

/** What the trace has to say about a call before it runs. */
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
  if (stale?.isRecorded && traced.intents.mode === "enforce") return { kind: "stale", ...stale };
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
  let left = MOST_TEXT;
  for (const path of paths) {
    const state = stateOf(path);
    const isKept = state.kind !== "text" || state.text.length <= left;
    if (state.kind === "text" && isKept) left -= state.text.length;
    states[path] = isKept ? state : { kind: "bytes", hash: state.hash, size: state.size };
  }
  return states;
}

/** Why the record of a call could not be written; nothing when it could. */
export function whyUnwritable({ folder, file, state }: TracePaths, room = MOST_RECORD_BYTES): Problem | undefined {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    accessSync(state, constants.W_OK);
    const there = [file, folder, dirname(folder)].find((path) => existsSync(path)) ?? folder;
    accessSync(there, constants.W_OK);
    const found = lstatSync(there);
    if (there === file ? !found.isFile() || found.nlink > 1 : !found.isDirectory())
      return PROBLEMS.foreign({ path: there });
    for (const path of [there, state]) {
      const { bavail, bsize } = statfsSync(path);
      if (bavail * bsize < room) return PROBLEMS.full({ path });
    }
    return undefined;
  } catch (cause) {
    const { code = "", path = file } = cause as NodeJS.ErrnoException;
    return PROBLEMS.unwritable({ path, code }, { cause });
  }
}

/** Texts of one call together; beyond that, files are only hashed. */
const MOST_TEXT = 8 * 1024 * 1024;
const MOST_RECORD_BYTES = 1024 * 1024;

const PROBLEMS = problems("trace", {
  unkept: ({ folder }: { folder: string }) => ({
    what: `The files as they are before the call cannot be remembered in ${folder}.`,
    fix: "Make room or give yourself the right to write there.",
  }),
  foreign: ({ path }: { path: string }) => ({
    what: `${path} is a link, or no file or folder of its own; \`trace: required\` denies what cannot be recorded.`,
    fix: "Look at who made it, and remove it; Sluice makes its own.",
  }),
  full: ({ path }: { path: string }) => ({
    what: `The disk of ${path} is full; \`trace: required\` denies what cannot be recorded.`,
    fix: "Make room, then try again.",
  }),
  unwritable: ({ path, code }: { path: string; code: string }) => ({
    what: `${path} cannot be written (${code}); \`trace: required\` denies what cannot be recorded.`,
    fix: "Give yourself the right to write there, then try again.",
  }),
});
