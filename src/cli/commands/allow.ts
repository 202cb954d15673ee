import { dirname } from "node:path";
import { changeFile } from "../../config/change-file.ts";
import { parseDocument, readDocument } from "../../config/document.ts";
import { withException } from "../../config/edit.ts";
import { findRoot } from "../../config/root.ts";
import { readLayers } from "../../decide/layers.ts";
import { type Configuration, configurationAt } from "../../decide/project.ts";
import { callEffects } from "../../effects/call-effects.ts";
import type { HookEvent } from "../../event/event.ts";
import { attachRoot } from "../../event/field.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { guardsUnder } from "../../policies/guards/guard-hooks.ts";
import { type NarrowException, narrowestExceptions } from "../../policies/guards/narrow.ts";
import { endOf, guardPolicy } from "../../policies/guards/policy.ts";
import { problems } from "../../problem/problem.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { recordedEvent } from "../../trace/recorded-event.ts";
import { rememberHookEvent } from "../../trace/remember.ts";
import { isShortened } from "../../trace/shorten.ts";
import { changedParts, lineDiff } from "../../trust/line-diff.ts";
import type { CommandInput } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { recordById } from "../recorded-calls.ts";
import { showRecord } from "../show/record.ts";
import { paintFor } from "../show/terminal-text.ts";
import { isConfirmed, requirePerson } from "./confirm.ts";
import { configFolder, presentConfig } from "./first-config.ts";

/** Makes the call of a guard's denial the narrowest exception, in the user's own configuration. */
export async function run(input: CommandInput): Promise<Exit> {
  return allowWith(input, isConfirmed);
}

/** The same with another way to ask the question. */
export async function allowWith(input: CommandInput, sure: (question: string) => Promise<boolean>): Promise<Exit> {
  const { io, words } = input;
  const [id] = words;
  if (id === undefined) throw PROBLEMS.noId(undefined);
  const isTrial = input.has("dry-run");
  // With --yes a script of the user's may run it, and an agent may not.
  if (!isTrial) requirePerson(input.has("yes") ? { ...io, isTerminal: true } : io, "allow");
  const record = recordOf(id, input);
  const exceptions = exceptionsFor(record, input);
  const edit = editOf(exceptions, input);
  const isJson = input.has("json");
  if (!isJson) {
    for (const line of showRecord(record, [], io)) io.err(line);
    io.out(`${shortPath(edit.path, io)} ${edit.before === undefined ? "is new" : "changes"}:`);
    for (const line of diffLines(edit, input)) io.out(line);
  }
  const isSure = !isTrial && (input.has("yes") || (!isJson && (await sure("Write this exception?"))));
  if (isSure) write(edit, record, exceptions, input);
  if (isJson)
    io.out(JSON.stringify({ id: record.id, file: edit.path, exceptions, written: isSure, after: edit.after }, null, 2));
  else if (isSure) io.out("Written. The same call passes from now on; `sluice list` shows the exception.");
  else io.err("Nothing was changed.");
  return isSure || isTrial ? "done" : "problem";
}

function recordOf(id: string, { io }: CommandInput): DecisionRecord {
  const record = recordById(id, journalFolder(io.env));
  if (record === undefined) throw PROBLEMS.unknownId({ id });
  return record;
}

/** An exception as it is written. */
interface WrittenException extends NarrowException {
  readonly until?: string;
  readonly reason: string;
}

/** What would have let the recorded call pass, by the guards of today. */
function exceptionsFor(record: DecisionRecord, input: CommandInput): WrittenException[] {
  const { id, results, action } = record;
  const objecting = results.filter((result) => result.action === action && (action === "deny" || action === "ask"));
  if (objecting.length === 0) throw PROBLEMS.noDenial({ id });
  const other = objecting.find(({ hook, file }) => file !== undefined || !hook.startsWith("guard:"));
  if (other !== undefined) throw PROBLEMS.otherHook({ id, hook: other.hook, file: other.file, line: other.line });
  const event = recordedEvent(record);
  if (event === undefined || isIncomplete(event)) throw PROBLEMS.incomplete({ id });
  const root = record.root ?? findRoot(record.cwd ?? rootOf(input));
  attachRoot(event, root);
  const act = callEffects(event, diskLookups);
  const { exceptions, open } =
    act === undefined
      ? { exceptions: [], open: [] }
      : narrowestExceptions(event, act, guardsIn(root, input), (line) => commandsIn(line, event));
  if (open.length > 0) throw PROBLEMS.tooWide({ id, rules: open });
  if (exceptions.length === 0) throw PROBLEMS.passesNow({ id });
  const until = untilOf(input.text("until"));
  const reason = input.text("reason") ?? `allowed by the user after decision ${id}`;
  return exceptions.map((one) => ({ ...one, ...(until && { until }), reason }));
}

function isIncomplete(event: HookEvent): boolean {
  const text = event.toText();
  return text.includes("[redacted:") || isShortened(text);
}

function guardsIn(root: string, { io }: CommandInput) {
  const configuration: Configuration = configurationAt(root, { env: io.env, layers: readLayers });
  const { guards } = configuration.settings;
  return guardsUnder(guards, configuration.guardPolicy ?? guardPolicy(guards, []));
}

function commandsIn(command: string, event: HookEvent) {
  return callEffects(event.withData({ tool_args: { command } }), diskLookups)?.commands ?? [];
}

/** A date, a moment, or how long from now: `7d`, `12h`. */
function untilOf(stated: string | undefined): string | undefined {
  if (stated === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d{1,4})([mhdw])$/.exec(stated) ?? [];
  if (count !== "") {
    const end = new Date(Date.now() + Number(count) * (UNITS[unit] ?? 0));
    return end.toISOString().replace(/\.\d+Z$/, "Z");
  }
  if ((endOf(stated) ?? 0) <= Date.now()) throw PROBLEMS.noEnd({ stated });
  return stated;
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 10_080 * MINUTE };

/** What becomes of the user's file. */
interface AllowEdit {
  readonly path: string;
  /** The byte order mark of the file, if it has one. */
  readonly mark: string;
  readonly before: string | undefined;
  readonly after: string;
}

function editOf(exceptions: readonly WrittenException[], { io }: CommandInput): AllowEdit {
  const folder = configFolder("user", "", io);
  const path = presentConfig(folder) ?? `${folder}/hooks.yaml`;
  const read = readDocument(path);
  if (read.state !== "read" && read.state !== "missing") throw PROBLEMS.unreadable({ path }, { place: { file: path } });
  const { mark, text: before } = read.state === "read" ? read.document : { mark: "", text: undefined };
  const after = exceptions.reduce((text, exception) => {
    const again = parseDocument(path, text);
    if (again.state !== "read") throw PROBLEMS.unreadable({ path }, { place: { file: path } });
    return withException(again.document, exception);
  }, before ?? EMPTY);
  return { path, mark, before, after };
}

const EMPTY = "# Your own hooks and guards: they hold in all your projects, whatever a project says.\n";

function diffLines({ before = "", after }: AllowEdit, { io }: CommandInput): string[] {
  const paint = paintFor(io);
  return changedParts(lineDiff(before, after)).map((part) => {
    if (part === undefined) return paint.dim("    …");
    if (part.kind === "same") return paint.dim(`    ${part.line}`);
    return part.kind === "new" ? paint.good(`  + ${part.line}`) : paint.bad(`  - ${part.line}`);
  });
}

function write(
  { path, mark, before, after }: AllowEdit,
  { id, session_id }: DecisionRecord,
  exceptions: readonly WrittenException[],
  { io }: CommandInput,
): void {
  changeFile(path, () => {
    const read = readDocument(path);
    const now = read.state === "read" ? read.document.text : undefined;
    if (now !== before) throw PROBLEMS.changedSince({ path }, { place: { file: path } });
    writeAtomic(path, mark + after);
  });
  rememberHookEvent({
    env: io.env,
    kind: "skipped",
    event: "allow",
    sessionId: session_id,
    action: "continue",
    notes: exceptions.map(
      ({ rule }) => `The user made the call of ${id} an exception of ${rule}, in ${dirname(path)}.`,
    ),
  });
}

const PROBLEMS = problems("guard", {
  noId: () => ({
    what: "`sluice allow` needs the id of a denial.",
    fix: "The denial shows it; `sluice why --last 10` lists the latest.",
  }),
  unknownId: ({ id }: { id: string }) => ({
    what: `No decision "${id}" is remembered.`,
    fix: "`sluice why --last 10` lists the latest.",
  }),
  noDenial: ({ id }: { id: string }) => ({
    what: `Decision ${id} stopped nothing; there is nothing to allow.`,
    fix: "`sluice why --last 10` lists the latest.",
  }),
  otherHook: ({
    id,
    hook,
    file,
    line,
  }: {
    id: string;
    hook: string;
    file: string | undefined;
    line: number | undefined;
  }) => ({
    what: `Decision ${id} is not a guard's alone: "${hook}" objects too, and takes no exceptions.`,
    fix:
      file === undefined || file === ""
        ? `Look at it with \`sluice why ${id}\`; \`sluice allow-once ${id}\` lets the call pass once, where that may be.`
        : `Change the hook in ${file}${line ? `:${line}` : ""}.`,
  }),
  incomplete: ({ id }: { id: string }) => ({
    what: `The call of ${id} is recorded in part: a secret or a long text was taken out of it.`,
    fix: "Write the exception by hand; docs/guards.md shows how.",
  }),
  tooWide: ({ id, rules }: { id: string; rules: readonly string[] }) => ({
    what: `The call of ${id} depends on what only the run knows, so no exception of ${rules.join(" and ")} would be about this call alone.`,
    fix: `\`sluice allow-once ${id}\` lets it pass once.`,
  }),
  passesNow: ({ id }: { id: string }) => ({
    what: `No guard of today objects to the call of ${id}.`,
    fix: "Tell the agent to try again.",
  }),
  noEnd: ({ stated }: { stated: string }) => ({
    what: `"${stated}" is not a time in the future.`,
    fix: "Write how long it holds (12h, 7d), or a date such as 2030-12-31.",
  }),
  unreadable: ({ path }: { path: string }) => ({
    what: `${path} cannot be read, so nothing was written.`,
    fix: "`sluice check` says what is wrong with it.",
  }),
  changedSince: ({ path }: { path: string }) => ({
    what: `${path} has changed while the question was asked. Nothing was written.`,
    fix: "Run the command again.",
  }),
});
