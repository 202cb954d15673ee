import { relative, resolve } from "node:path";
import { whyNoPerson, whyReachable } from "../../approvals/person.ts";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { protectedIn } from "../../decide/protected-files.ts";
import { once } from "../../event/once.ts";
import { pathText, readPath } from "../../policies/undo/byte-path.ts";
import { keepPresent } from "../../policies/undo/keep.ts";
import { type KeptCall, keptById, readKept, undoFolder, unreadableKept } from "../../policies/undo/kept-call.ts";
import { CHANGED_SINCE, type UndoOptions, undoCall } from "../../policies/undo/restore.ts";
import type { Undone } from "../../policies/undo/restore-refs.ts";
import { sizeText } from "../../policies/undo/snapshot.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { localTime } from "../show/log-line.ts";
import { columns, paintFor, plural, visible } from "../show/terminal-text.ts";
import { confirmedByPerson, needsProof } from "./confirm.ts";

/** Brings back what calls destroyed, or lists what is kept. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io, words } = input;
  const folder = undoFolder(io.env);
  const session = input.text("session");
  const unreadable = unreadableProblem(folder);
  if (unreadable !== undefined) io.err(unreadable.format());
  if (input.has("list") || (words.length === 0 && !input.has("last") && session === undefined)) {
    list(listedCalls(folder, input), input, unreadable !== undefined);
    return "done";
  }
  const { calls, paths } = chosen(folder, input);
  const outcomes: { readonly call: KeptCall; readonly undone: Undone }[] = [];
  for (const call of calls) {
    const why = await whyNotProtected(call, input);
    outcomes.push({ call, undone: undoOne(folder, call, paths, { input, why }) });
  }
  if (input.has("json")) io.out(JSON.stringify(outcomes.map(({ call: { id }, undone }) => ({ id, ...undone }))));
  else for (const { call, undone } of outcomes) show(call, undone, input);
  return outcomes.some(({ undone }) => undone.left.length > 0) ? "problem" : "done";
}

/** What was kept and cannot be read; empty if all of it can. */
export function unreadableProblem(folder: string): Problem | undefined {
  const unreadable = unreadableKept(folder);
  return unreadable.length === 0 ? undefined : PROBLEMS.unreadable({ unreadable });
}

/** What `--list` shows: everything of the project, or what an id, a session or `--last` leaves of it. */
function listedCalls(folder: string, input: CommandInput): readonly KeptCall[] {
  const session = input.text("session");
  const all = readKept(folder);
  if (input.words.length > 0) return chosen(folder, input, "any").calls;
  const meant = all.filter(session === undefined ? inScope(input) : (call) => call.session_id === session);
  return input.has("last") ? meant.slice(-1) : meant;
}

/** The calls that are meant, the newest first, and the paths after them. */
function chosen(
  folder: string,
  input: CommandInput,
  which: "open" | "any" = "open",
): { readonly calls: KeptCall[]; readonly paths: readonly string[] } {
  const { words } = input;
  const session = input.text("session");
  const open = (call: KeptCall) => call.state === "kept" && call.tool !== OWN_TOOL && inScope(input)(call);
  if (session !== undefined) {
    const isOpen = (call: KeptCall) => call.state === "kept" && call.tool !== OWN_TOOL;
    const calls = readKept(folder).filter((call) => call.session_id === session && isOpen(call));
    if (calls.length === 0) throw PROBLEMS.nothingOfSession({ session });
    return { calls: calls.reverse(), paths: words };
  }
  if (input.has("last")) {
    const last = readKept(folder).findLast(open);
    if (last === undefined) throw PROBLEMS.nothingKept(undefined);
    return { calls: [last], paths: words };
  }
  const [id = "", ...paths] = words;
  const found = /^[0-9a-f]{1,6}$/i.test(id) ? keptById(folder, id.toLowerCase()) : [];
  const [call] = found;
  if (call === undefined) throw PROBLEMS.unknownKept({ id });
  if (found.length > 1) throw PROBLEMS.severalKept({ id, ids: found.map((one) => one.id) });
  if (call.state === "expired" && which === "open") throw PROBLEMS.expired({ id });
  return { calls: [call], paths };
}

function undoOne(
  folder: string,
  call: KeptCall,
  paths: readonly string[],
  { input, why }: { readonly input: CommandInput; readonly why: string | undefined },
): Undone {
  const { io } = input;
  return undoCall(folder, call, {
    refuses: onlyForPerson(call, why, input),
    ...(paths.length === 0 ? {} : { paths: paths.map((path) => resolve(io.cwd, path)) }),
    isDry: input.has("dry-run"),
    keepPresent: (present) => keepPresent(present, call, folder, UNDO_DEFAULTS),
    isForced: input.has("force"),
  });
}

/** What no agent may write, an undo that no person runs does not write either: it could bring back an older policy. */
function onlyForPerson({ root }: KeptCall, why: string | undefined, { io }: CommandInput): UndoOptions["refuses"] {
  if (why === undefined) return undefined;
  const places = once(() => protectedIn(root, io.env));
  return (path, kind) => {
    const place = places().holds(path) ?? (kind === "folder" ? undefined : places().liesIn(path));
    return place && `it is ${place.what}, which comes back only for a person at a terminal: ${why}`;
  };
}

/** Why protected files of a call do not come back here; undefined if a person confirmed it, or the call has none. */
async function whyNotProtected(
  { root, files, created = [], id }: KeptCall,
  { io, has }: CommandInput,
): Promise<string | undefined> {
  const why = whyNoPerson(io) ?? (needsProof(io) ? undefined : whyReachable(io.env));
  if (why !== undefined || has("dry-run") || !needsProof(io)) return why;
  const places = protectedIn(root, io.env);
  const isProtected = [...files, ...created].some(({ path }) => {
    const text = pathText(readPath(path));
    return places.holds(text) !== undefined || places.liesIn(text) !== undefined;
  });
  if (!isProtected) return undefined;
  const question = `The undo of ${id} brings back configuration or agent settings, which may weaken protection.`;
  return (await confirmedByPerson({ io, verb: "undo", question })) ? undefined : "no person confirmed it";
}

/** Only this project's, unless every project is meant. */
function inScope(input: CommandInput): (call: KeptCall) => boolean {
  if (input.has("all")) return () => true;
  const root = rootOf(input);
  return (call) => call.root === root;
}

function list(calls: readonly KeptCall[], input: CommandInput, isPartUnreadable: boolean): void {
  const { io } = input;
  if (input.has("json")) {
    io.out(JSON.stringify([...calls].reverse().map(listed)));
    return;
  }
  if (calls.length === 0) {
    io.out(
      isPartUnreadable
        ? "Nothing that can be read is kept for this project."
        : "Nothing is kept for this project: no call has destroyed anything while guards or `undo: on` were set.",
    );
    io.out("`sluice undo --list --all` lists every project.");
    return;
  }
  const paint = paintFor(io);
  const rows = [...calls]
    .reverse()
    .slice(0, MAX_LISTED)
    .map((call) => [call.id, localTime(call.at), stateOf(call), whatOf(call), visible(lineOf(call))]);
  for (const line of columns([["id", "when", "state", "kept", "call"].map(paint.dim), ...rows])) io.out(line);
  if (calls.length > MAX_LISTED) io.out(`… and ${calls.length - MAX_LISTED} older ones, which \`--json\` lists too.`);
  const broken = calls.find(({ undoing }) => undoing !== undefined);
  if (broken !== undefined) io.out(`An undo was interrupted: \`sluice undo ${broken.id}\` finishes it.`);
  io.out("`sluice undo <id>` brings one back.");
}

/** A patch has many lines, and a list has one for each call. */
function lineOf(call: KeptCall): string {
  return (call.command ?? toolText(call)).replaceAll(/\s+/g, " ");
}

function toolText({ tool, files, root }: KeptCall): string {
  const [first] = files;
  return first === undefined ? tool : `${tool} ${relative(root, pathText(readPath(first.path)))}`;
}

function stateOf({ state, undoing }: KeptCall): string {
  return undoing === undefined ? state : "interrupted";
}

function listed(call: KeptCall) {
  const { id, at, agent, session_id, tool, command, files, created, bytes, state, root, undoing } = call;
  return {
    id,
    at,
    agent,
    session_id,
    tool,
    ...(command === undefined ? {} : { command }),
    files: files
      .filter(({ kind }) => kind !== "folder")
      .map(({ path, git, size }) => ({
        path: relative(root, pathText(readPath(path))),
        kept: git === undefined ? "copy" : "git",
        bytes: size,
      })),
    ...(created === undefined ? {} : { created: created.map(({ path }) => relative(root, pathText(readPath(path)))) }),
    bytes,
    state,
    ...(undoing === undefined ? {} : { interrupted: true }),
  };
}

function whatOf({ files, refs, bytes, created = [] }: KeptCall): string {
  const count = files.filter(({ kind }) => kind !== "folder").length;
  const parts = [
    ...(count > 0 ? [`${plural(count, "file")}, ${sizeText(bytes)}`] : []),
    ...(created.length > 0 ? [`${created.length} made`] : []),
    ...refs.map(({ name, id }) => `${name.replace(/^refs\/(?:heads|tags)\//, "")} ${id.slice(0, 8)}`),
  ];
  return parts.join(", ") || "empty folders";
}

function show(call: KeptCall, { restored, same, removed = [], left, present }: Undone, input: CommandInput): void {
  const { io } = input;
  const paint = paintFor(io);
  const isDry = input.has("dry-run");
  if (call.undoing !== undefined) io.err("An earlier undo of this call was interrupted; this one finishes it.");
  for (const path of restored.slice(0, MAX_SHOWN)) io.out(`  ${visible(path)}`);
  if (restored.length > MAX_SHOWN) io.out(`  … and ${restored.length - MAX_SHOWN} more`);
  io.out(
    `${isDry ? "Would bring" : "Brought"} back ${plural(restored.length, "item")} of ${call.id}${same.length > 0 ? `; ${same.length} as before` : ""}.`,
  );
  if (removed.length > 0)
    io.out(`${isDry ? "Would remove" : "Removed"} ${plural(removed.length, "item")} that it had made.`);
  for (const { path, why } of left) io.err(paint.bad(`  left alone: ${visible(path)}: ${why}`));
  if (present !== undefined) io.out(`What was there before is kept: \`sluice undo ${present}\` undoes this undo.`);
  if (left.some(({ why }) => why === CHANGED_SINCE) && !input.has("force"))
    io.err("`--force` brings these back as well; what they hold now is kept first.");
}

const MAX_SHOWN = 20;
const MAX_LISTED = 50;
/** The tool of what an undo itself has kept. */
const OWN_TOOL = "sluice undo";

const PROBLEMS = problems("undo", {
  nothingKept: () => ({
    what: "Nothing of this project is kept that could come back.",
    fix: "`sluice undo --list --all` lists everything.",
  }),
  nothingOfSession: ({ session }: { session: string }) => ({
    what: `Nothing of the session "${session}" is kept that could come back.`,
    fix: "`sluice undo --list --all` lists everything.",
  }),
  unreadable: ({ unreadable }: { unreadable: readonly string[] }) => ({
    what: `What was kept of ${plural(unreadable.length, "call")} cannot be read: ${unreadable.slice(0, 3).join(", ")}${unreadable.length > 3 ? ", …" : ""}. It is torn, or another version of Sluice wrote it.`,
    fix: "The version that wrote it may still bring it back; the content is stored by its hash in the folder `objects` beside `calls`.",
  }),
  unknownKept: ({ id }: { id: string }) => ({
    what: `No call "${id}" is kept.`,
    fix: "`sluice undo --list` lists those that are.",
  }),
  severalKept: ({ id, ids }: { id: string; ids: readonly string[] }) => ({
    what: `Several calls begin with "${id}": ${ids.join(", ")}.`,
    fix: "Write more of the id.",
  }),
  expired: ({ id }: { id: string }) => ({
    what: `What was kept of ${id} has expired.`,
    fix: "`undo: { keep, max }` in your own configuration sets how long and how much is kept.",
  }),
});
