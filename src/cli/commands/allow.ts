import { dirname } from "node:path";
import type { NarrowException } from "../../policies/guards/narrow.ts";
import { endOf } from "../../policies/guards/policy.ts";
import { problems } from "../../problem/problem.ts";
import { type ConfigEdit, exceptionEdit, type WrittenException, writeEdit } from "../../suggest/config-edit.ts";
import { type ExceptionWidth, exceptionsFor, WIDTHS } from "../../suggest/narrow-exceptions.ts";
import { type OfferedException, offeredExceptions } from "../../suggest/offered-exceptions.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { rememberHookEvent } from "../../trace/remember.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { momentOf, recordById } from "../recorded-calls.ts";
import { diffText } from "../show/diff.ts";
import { showRecord } from "../show/record.ts";
import { columns, oneLine, plural } from "../show/terminal-text.ts";
import { askedLine, needsProof, requirePerson, type Sure, sureFor } from "./confirm.ts";

/** Makes the call of a guard's denial an exception in the user's own configuration: the one that the person chooses. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  if (input.has("once")) return (await import("./allow-once.ts")).run(input);
  if (input.words[0] === undefined) throw USAGE.noDenialId({ command: "allow" });
  // --yes is for a person at a terminal too: a script, a task runner or an agent has none.
  if (!input.has("dry-run")) requirePerson(io, "allow");
  const sure = input.has("yes") && !needsProof(io) ? async () => true : sureFor(io, "allow");
  return allowWith(input, { sure, choose: askedLine });
}

/** How a person is asked. */
export interface AllowQuestions {
  readonly sure: Sure;
  /** Asks for one of several; without it the narrowest is taken. */
  readonly choose?: (question: string) => Promise<string>;
}

/** The same with other ways to ask. */
export async function allowWith(input: CommandInput, { sure, choose }: AllowQuestions): Promise<Exit> {
  const { io, words } = input;
  const [id] = words;
  if (id === undefined) throw USAGE.noDenialId({ command: "allow" });
  const record = recordById(id, journalFolder(io.env));
  if (record === undefined) throw PROBLEMS.unknownId({ id });
  const isTrial = input.has("dry-run");
  const isJson = input.has("json");
  const context = { env: io.env, root: rootOf(input) };
  const stated = input.text("width");
  const ending = endingOf(record.id, input);
  const width = widthOf(stated);
  const offers =
    stated === undefined
      ? await offeredExceptions(record, { ...context, ending, journal: journalFolder(io.env), since: momentOf("30d") })
      : [{ width, means: WIDTHS[width].means, exceptions: withEnd(exceptionsFor(record, context, width), ending) }];
  if (!isJson) for (const line of showRecord(record, [], io)) io.err(line);
  if (!isJson && stated === undefined) for (const line of offerLines(offers)) io.out(line);
  const isOpen = stated === undefined && !isTrial && !isJson && !input.has("yes") && offers.length > 1;
  const chosen = isOpen && choose !== undefined ? await chosenOf(offers, choose) : offers[0];
  if (chosen === undefined) {
    io.err("Nothing was changed.");
    return "problem";
  }
  const { exceptions } = chosen;
  const edit = exceptionEdit(exceptions, io);
  if (!isJson) {
    io.out(`${shortPath(edit.path, io)} ${edit.before === undefined ? "is new" : "changes"}:`);
    for (const line of diffText(edit, io)) io.out(line);
  }
  const isSure = !isTrial && (input.has("yes") || !isJson) && (await sure("Write this exception?"));
  if (isSure) {
    writeEdit(edit);
    remember(edit, record, exceptions, input);
  }
  if (isJson) {
    const answer = { id: record.id, file: edit.path, width: chosen.width, exceptions, written: isSure };
    io.out(JSON.stringify({ ...answer, ...(stated === undefined && { offers }), after: edit.after }, null, 2));
  } else if (isSure) io.out("Written. No guard stops the same call from now on; `sluice list` shows the exception.");
  else io.err("Nothing was changed.");
  return isSure || isTrial ? "done" : "problem";
}

/** The exceptions that a person may choose, one a line, with what each would have let pass. */
function offerLines(offers: readonly Offer[]): string[] {
  const rows = offers.map(({ means, exceptions, passes = 0 }, at) => [
    `  ${at + 1}`,
    means,
    plural(passes, "call"),
    exceptions.map(targetText).join(" and "),
  ]);
  return ["Exceptions, with the stopped calls of the last 30 days that each would have let pass:", ...columns(rows)];
}

function targetText({ rule, command, path, host }: WrittenException): string {
  const target = command === undefined ? (path ?? host ?? "") : `\`${command}\``;
  return oneLine(`${rule}: ${target}`, 80);
}

async function chosenOf(offers: readonly Offer[], choose: (question: string) => Promise<string>) {
  const numbers = offers.map((_, at) => String(at + 1));
  const answer = (await choose(`Which one? [${numbers.join("/")}, or Enter for none] `)).trim();
  return offers[numbers.indexOf(answer)];
}

type Offer = Omit<OfferedException, "passes"> & Partial<Pick<OfferedException, "passes">>;

/** When the exception ends, and why it is right. */
function endingOf(id: string, input: CommandInput): { readonly until?: string; readonly reason: string } {
  const until = untilOf(input.text("until"));
  return { ...(until && { until }), reason: input.text("reason") ?? `allowed by the user after decision ${id}` };
}

function withEnd(found: readonly NarrowException[], ending: ReturnType<typeof endingOf>): WrittenException[] {
  return found.map((one) => ({ ...one, ...ending }));
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
