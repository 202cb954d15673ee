import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LookupsFor } from "../../effects/effect.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { gitFoldersAt } from "../../fs/git-folders.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { foldersAbove } from "../../fs/resolve-path.ts";
import { pathsIn } from "../../hook/matcher.ts";
import type { Problem } from "../../problem/problem.ts";
import { classifyFile, overallClass } from "../mutation/classify-file.ts";
import { redactor, secretsIn } from "../redact.ts";
import { type BegunCall, callIdOf, takeBegun } from "./begun-calls.ts";
import {
  type ChangeRecord,
  changeOf,
  changeRecord,
  type FileChange,
  isSame,
  UNKNOWN_REVISION,
} from "./change-record.ts";
import { type FileState, hashIn, stateOf } from "./file-state.ts";
import { type LineRange, rangeOfPart, wholeRange } from "./line-ranges.ts";
import { overwrittenFiles, readFiles, rememberSeen, type SeenFile } from "./seen-files.ts";
import { filesUnder, relativeTo, touchedFiles } from "./touched-files.ts";
import { appendToTrace } from "./trace-file.ts";
import { tracePaths } from "./trace-paths.ts";
import type { Traced } from "./traced.ts";

/** The result of recording a call: the record, undefined if nothing was written, or what prevented it. */
export type Recorded =
  | { readonly kind: "nothing" }
  | { readonly kind: "recorded"; readonly record: ChangeRecord }
  | { readonly kind: "lost"; readonly problem: Problem; readonly record: ChangeRecord };

/** Records what a call has changed, by comparing files with how they were before it. One line, one write. */
export async function recordChange(
  event: EventFacts,
  traced: Traced,
  look?: LookupsFor,
  mayBeOpen = false,
): Promise<Recorded> {
  const place = tracePaths(traced);
  const read = lookedAt(readFiles(event, traced.root, look));
  const touched = touchedFiles(event, traced.root, look, mayBeOpen);
  if (!touched.isMutating) {
    rememberSeen(place.state, event, read);
    return { kind: "nothing" };
  }
  const begun = takeBegun(place.state, event);
  const files = withRenames(seenFiles(event, touched.paths, begun, traced.root));
  const inferred = touched.isOpen ? changedSince(begun?.at, traced.root, files) : [];
  const written = new Set(event.type === "tool:error" ? [] : overwrittenFiles(event, traced.root, look));
  // The effects of a shell command are not certain; a tool for files has written, also where it wrote what was there.
  const isCertain = !isOfKind(event.toolName ?? "", "@shell");
  const changed = [...files.filter((file) => isWorthRecording(file, written, isCertain)), ...inferred];
  rememberSeen(place.state, event, { ...read, ...lookedAt(changed.map(({ path }) => path)) });
  if (changed.length === 0) return { kind: "nothing" };
  const described = await Promise.all(
    changed.map((file) => describe(event, file, traced.root, inferred.includes(file))),
  );
  const record = changeRecord(
    {
      intent_id: (await traced.intentOf?.(event)) ?? null,
      mutation_class: overallClass(described.map((file) => file.mutation_class)),
      vcs: { revision_id: revisionOf(traced.root) ?? UNKNOWN_REVISION },
      files: described,
      ...who(event),
      ...(event.type === "tool:error" ? { failed: true } : {}),
      ...whatWasDecided(begun),
      ...(touched.isOpen ? { is_open: true } : {}),
      ...(traced.version === undefined ? {} : { engine_version: traced.version }),
    },
    redactor(secretsIn(traced.env ?? process.env)),
  );
  const problem = appendToTrace(place, record);
  return problem === undefined ? { kind: "recorded", record } : { kind: "lost", problem, record };
}

/** The files before and after; where the state before is unknown, the call's input is used for what cannot be seen. */
function seenFiles(event: EventFacts, paths: readonly string[], begun: BegunCall | undefined, root: string): Seen[] {
  const all = new Set([...Object.keys(begun?.files ?? {}), ...paths]);
  return [...all].map((path) => {
    const looked = begun?.files[path];
    const before: FileState | undefined = looked ?? (begun === undefined ? undefined : { kind: "missing" });
    const after = stateOf(path);
    const text = given(event, path, looked, after, root);
    return text === undefined ? { path, before, after } : { path, before, after: text, isGiven: true };
  });
}

/** A host may report a write that happens elsewhere, such as in an editor's buffer: then its text is taken from the input. */
function given(
  event: EventFacts,
  path: string,
  before: FileState | undefined,
  after: FileState,
  root: string,
): FileState | undefined {
  const isUnseen = after.kind === "missing" && (before === undefined || before.kind === "missing");
  const [named] = namedIn(event, root);
  if (!isUnseen || event.type !== "tool:post_execute" || named !== path) return undefined;
  const { content, contents, file_text } = Object(dataField(event, "tool_args")) as Record<string, unknown>;
  const text = [content, contents, file_text].find((value) => typeof value === "string");
  return text === undefined ? undefined : { kind: "text", hash: "", size: text.length, text };
}

/**
 * What really changed, or was certainly written; where the state before is unknown, what a tool for files names; what cannot be
 * read, if it was written.
 */
function isWorthRecording(
  { path, before, after, from }: Seen,
  written: ReadonlySet<string>,
  isCertain: boolean,
): boolean {
  if (after.kind === "other") return written.has(path);
  if (after.kind === "missing" && (before === undefined || before.kind === "missing")) return false;
  return from !== undefined || !isSame(before, after) || (isCertain && written.has(path));
}

/** Files that no call named and that are younger than the call; what they were before is not known. */
function changedSince(at: number | undefined, root: string, known: readonly Seen[]): Seen[] {
  if (at === undefined) return [];
  const paths = new Set(known.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])]));
  const young = filesUnder(root, MAX_LOOKED_AT).filter((path) => {
    if (paths.has(path)) return false;
    const { ctimeMs = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return Math.max(ctimeMs, mtimeMs) >= at;
  });
  return young.slice(0, MAX_INFERRED).map((path) => ({ path, before: undefined, after: stateOf(path) }));
}

async function describe(event: EventFacts, seen: Seen, root: string, isInferred: boolean) {
  const { path, before, after, from, isGiven } = seen;
  const { created, ...change }: FileChange = changeOf(relativeTo(root, path), before, after);
  const isAgain = change.unchanged && from === undefined && after.kind === "text";
  return {
    ...change,
    ...(isAgain ? { ranges: writtenAgain(event, after.text) } : {}),
    ...(isGiven ? { not_on_disk: true as const } : created ? { created } : {}),
    ...(from === undefined ? {} : { renamed_from: relativeTo(root, from) }),
    ...(isInferred ? { inferred: true as const } : {}),
    mutation_class: await classifyFile(path, before, after),
  };
}

function who(event: EventFacts) {
  const { agent, sessionId, toolName } = event;
  const id = callIdOf(event);
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(toolName === undefined ? {} : { tool: toolName }),
    ...(id === undefined ? {} : { tool_use_id: id }),
  };
}

function whatWasDecided(begun: BegunCall | undefined) {
  if (begun === undefined) return {};
  const { action, reasons, hooks } = begun;
  return { decision: { action, reasons }, ...(hooks.length === 0 ? {} : { hook_results: hooks }) };
}

function lookedAt(paths: readonly string[]): Record<string, SeenFile | undefined> {
  const at = Date.now();
  return Object.fromEntries(
    paths.map((path) => {
      const state = stateOf(path);
      return [resolve(path), "hash" in state ? { hash: state.hash, at } : undefined];
    }),
  );
}

function namedIn(event: EventFacts, root: string): string[] {
  return [...new Set(pathsIn({ ...event, cwd: undefined }).map((path) => resolve(event.cwd ?? root, path)))];
}

const MAX_LOOKED_AT = 5000;
const MAX_INFERRED = 200;

/** The lines that a call wrote although they were there already: those of the texts that it put in, else all of them. */
function writtenAgain(event: EventFacts, text: string): LineRange[] {
  const args = Object(dataField(event, "tool_args")) as Record<string, unknown>;
  const edits = Array.isArray(args.edits) ? args.edits : [args];
  const found = edits.map((edit) => {
    const put = PUT_IN.map((key) => (Object(edit) as Record<string, unknown>)[key]);
    const part = put.find((value) => typeof value === "string");
    return part === undefined ? undefined : rangeOfPart(text, part);
  });
  const known = found.filter((range) => range !== undefined);
  return known.length === found.length && known.length > 0 ? known : wholeRange(text);
}

/** What agents call the text that goes in the place of another. */
const PUT_IN = ["new_string", "newString", "new_str", "newText"];

/** One file before and after a call. */
interface Seen {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState;
  /** Where it was before, when the call moved it. */
  readonly from?: string;
  /** `after` is what the call was given: no file was there to look at. */
  readonly isGiven?: boolean;
}

/**
 * Joins a file that is gone with the one that came in its place: the same bytes, or the only pair of a call whose text
 * has most of its lines in common.
 */
function withRenames(files: readonly Seen[]): Seen[] {
  const gone = files.filter(
    ({ before, after }) => after.kind === "missing" && before !== undefined && before.kind !== "missing",
  );
  const come = files.filter(({ before, after }) => isContent(after) && !isContent(before));
  const pairs = new Map<Seen, Seen>();
  for (const young of come) {
    const isFree = (old: Seen) => ![...pairs.values()].includes(old);
    const same = gone.find((old) => isFree(old) && hashIn(old.before) === hashIn(young.after));
    const only = gone.length === 1 && come.length === 1 ? gone[0] : undefined;
    const old = same ?? (only !== undefined && areAlike(only.before, young.after) ? only : undefined);
    if (old !== undefined) pairs.set(young, old);
  }
  const moved = new Set(pairs.values());
  return files
    .filter((file) => !moved.has(file))
    .map((file) => {
      const old = pairs.get(file);
      return old === undefined ? file : { ...file, before: old.before, from: old.path };
    });
}

function isContent(state: FileState | undefined): boolean {
  return state?.kind === "text" || state?.kind === "bytes";
}

function areAlike(one: FileState | undefined, other: FileState): boolean {
  if (one?.kind !== "text" || other.kind !== "text") return false;
  const lines = one.text.split("\n").filter((line) => line.trim() !== "");
  const kept = new Set(other.text.split("\n"));
  return lines.length > 0 && lines.filter((line) => kept.has(line)).length * 2 > lines.length;
}

/** The commit of a work tree, read from git's own files; undefined without git, or without a commit yet. */
export function revisionOf(root: string): string | null {
  const git = [root, ...foldersAbove(root)].map(gitFoldersAt).find((found) => found !== undefined);
  if (git === undefined) return null;
  let said = textOf(join(git.own, "HEAD"));
  for (let hops = 0; said !== undefined && hops < MAX_HOPS; hops++) {
    if (COMMIT.test(said)) return said;
    const name = /^ref: (refs\/[^\0]+)$/.exec(said)?.[1];
    if (name === undefined || name.split("/").includes("..")) return null;
    said = textOf(join(git.own, name)) ?? textOf(join(git.shared, name)) ?? packed(git.shared, name);
  }
  return null;
}

function packed(common: string, name: string): string | undefined {
  const lines = textOf(join(common, "packed-refs"), PACKED_BYTES)?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${name}`) && COMMIT.test(line.split(" ")[0] ?? ""))?.split(" ")[0];
}

function textOf(path: string, most = SMALL_BYTES): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= most ? readRegularText(path).trim() : undefined;
  } catch {
    return undefined;
  }
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MAX_HOPS = 5;
const SMALL_BYTES = 4096;
const PACKED_BYTES = 16 * 1024 * 1024;
