import { tracePaths } from "../trace/change/trace-paths.ts";
import { type Verified, verifyTrace } from "../trace/change/verify.ts";
import type { Input } from "./command.ts";
import { rootOf, shortPath } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";

/** Says whether the trace of this project is whole; the exit code says it too. */
export function verifyHere(input: Input): Exit {
  const { io } = input;
  const place = tracePaths({ root: rootOf(input), env: io.env });
  const verified = verifyTrace(place);
  const { records, broken, notes } = verified;
  if (input.has("json"))
    io.out(JSON.stringify({ whole: broken === undefined, records, ...(broken ? { broken } : {}), notes }, null, 2));
  else for (const line of linesOf(verified, shortPath(place.file, io))) io.out(line);
  return broken === undefined ? "done" : "problem";
}

/** The same in one sentence. */
export function verdictOf({ records, broken }: Verified): string {
  if (broken !== undefined) {
    const line = broken.kind === "record" ? `:${broken.line}` : "";
    return `The trace is broken at ${broken.file}${line}: ${broken.why}.`;
  }
  return records === 0
    ? "Nothing is recorded yet."
    : `The trace is whole: ${records} ${records === 1 ? "record" : "records"}, each bound to the one before it.`;
}

/** Warns whoever reads records of a trace that is not whole; nothing for one that is. */
export function warnOfBreak(input: Input): void {
  const { io } = input;
  const { broken } = verifyTrace(tracePaths({ root: rootOf(input), env: io.env }));
  if (broken === undefined) return;
  const line = broken.kind === "record" ? `:${broken.line}` : "";
  io.err(`${shortPath(broken.file, io)}${line}: The trace is not whole: ${broken.why}.`);
  io.err(`  ${reliance(broken)}\`sluice trace verify\` tells more.`);
}

function reliance({ kind, fitting }: NonNullable<Verified["broken"]>): string {
  if (kind === "record") return `From its record ${fitting + 1} on nothing is certain. `;
  return kind === "end" ? "Nothing in it is certain. " : "";
}

function linesOf(verified: Verified, file: string): string[] {
  const { broken, notes } = verified;
  const steps = broken === undefined ? [] : [`  ${STEPS[broken.kind]}`, ...fittingLine(broken.fitting)];
  return [`${file}: ${verdictOf(verified)}`, ...steps, ...notes.map((note) => `  note: ${note}`)];
}

/** What is left of the trace in front of the break; nothing is said where nothing is. */
function fittingLine(count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? "  The record in front of it fits." : `  The ${count} records in front of it fit each other.`];
}

const STEPS: Readonly<Record<NonNullable<Verified["broken"]>["kind"], string>> = {
  record: "Keep the file as it is and look at who wrote to it.",
  end: "Keep the file as it is, look at who wrote to it, and compare it with a commit, a backup or an export.",
  gone: "Look at who removed it, and put it back from a commit or a backup.",
  link: "Look at who made it a link, and put the file itself there.",
  unreadable: "Make it a file that you can read.",
};
