import { dirname } from "node:path";
import type { NarrowException } from "../../policies/guards/narrow.ts";
import { endOf } from "../../policies/guards/policy.ts";
import { problems } from "../../problem/problem.ts";
import { type ConfigEdit, exceptionEdit, type WrittenException, writeEdit } from "../../suggest/config-edit.ts";
import { type ExceptionWidth, exceptionsFor, WIDTHS } from "../../suggest/narrow-exceptions.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { rememberHookEvent } from "../../trace/remember.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { recordById } from "../recorded-calls.ts";
import { diffText } from "../show/diff.ts";
import { showRecord } from "../show/record.ts";
import { confirmedByPerson, needsProof, requirePerson, type Sure } from "./confirm.ts";

/** Makes the call of a guard's denial the narrowest exception, in the user's own configuration. */
export async function run(input: CommandInput): Promise<Exit> {
  return allowWith(input);
}

/** The same with another way to ask the question. */
export async function allowWith(input: CommandInput, sure?: Sure): Promise<Exit> {
  const { io, words } = input;
  const [id] = words;
  if (id === undefined) throw USAGE.noDenialId({ command: "allow" });
  const isTrial = input.has("dry-run");
  // With --yes a script of the user's may run it, and an agent may not. What is set up is needed all the same.
  const asksNothing = input.has("yes") && !needsProof(io);
  if (!isTrial) requirePerson(asksNothing ? { ...io, isTerminal: true } : io, "allow");
  const record = recordOf(id, input);
  const found = exceptionsFor(record, { env: io.env, root: rootOf(input) }, widthOf(input.text("width")));
  const exceptions = withEnd(found, record.id, input);
  const edit = exceptionEdit(exceptions, io);
  const isJson = input.has("json");
  if (!isJson) {
    for (const line of showRecord(record, [], io)) io.err(line);
    io.out(`${shortPath(edit.path, io)} ${edit.before === undefined ? "is new" : "changes"}:`);
    for (const line of diffText(edit, io)) io.out(line);
  }
  const question = { io, verb: "allow", question: "Write this exception?" };
  const isSure = !isTrial && (asksNothing || (!isJson && (await confirmedByPerson(question, sure))));
  if (isSure) {
    writeEdit(edit);
    remember(edit, record, exceptions, input);
  }
  if (isJson)
    io.out(JSON.stringify({ id: record.id, file: edit.path, exceptions, written: isSure, after: edit.after }, null, 2));
  else {
    if (exceptions.some(({ command }) => command !== undefined)) io.err(WIDER);
    if (isSure) io.out("Written. No guard stops the same call from now on; `sluice list` shows the exception.");
    else io.err("Nothing was changed.");
  }
  return isSure || isTrial ? "done" : "problem";
}

function recordOf(id: string, { io }: CommandInput): DecisionRecord {
  const record = recordById(id, journalFolder(io.env));
  if (record === undefined) throw PROBLEMS.unknownId({ id });
  return record;
}

/** What would have let the recorded call pass, with its end and its reason. */
function withEnd(exceptions: readonly NarrowException[], id: string, input: CommandInput): WrittenException[] {
  const until = untilOf(input.text("until"));
  const reason = input.text("reason") ?? `allowed by the user after decision ${id}`;
  return exceptions.map((one) => ({ ...one, ...(until && { until }), reason }));
}

function widthOf(text = "exact"): ExceptionWidth {
  if (Object.hasOwn(WIDTHS, text)) return text as ExceptionWidth;
  throw PROBLEMS.noWidth({ text, known: Object.keys(WIDTHS) });
}

/** A date, a time, or a duration from now: `7d`, `12h`. */
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

const WIDER =
  "It is for exactly these arguments. A * as the last argument of `command` means any arguments from there on: `git push --force *`.";
const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 10_080 * MINUTE };

function remember(
  { path }: ConfigEdit,
  { id, session_id }: DecisionRecord,
  exceptions: readonly WrittenException[],
  { io }: CommandInput,
): void {
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
  unknownId: ({ id }: { id: string }) => ({
    what: `No decision "${id}" is remembered.`,
    fix: "`sluice why --last 10` lists the latest.",
  }),
  noWidth: ({ text, known }: { text: string; known: readonly string[] }) => ({
    what: `--width ${text}: not a width of an exception.`,
    fix: `Write one of ${known.join(", ")}.`,
  }),
  noEnd: ({ stated }: { stated: string }) => ({
    what: `"${stated}" is not a time in the future.`,
    fix: "Write how long it applies (12h, 7d), or a date such as 2030-12-31.",
  }),
});
