import { tracePaths } from "../trace/change/trace-paths.ts";
import { type Verified, verifyTrace } from "../trace/change/verify.ts";
import type { CommandInput } from "./command.ts";
import { rootOf, shortPath } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";

/** Says whether the trace of this project is whole; the exit code says it too. */
export function verifyHere(input: CommandInput): Exit {
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
    return `trace BROKEN at ${broken.file}${line}: ${broken.why}.`;
  }
  return records === 0
    ? "trace OK: nothing is recorded yet."
    : `trace OK, hash chain intact: ${records} ${records === 1 ? "record" : "records"}.`;
}

/** Warns whoever reads records of a trace that is not whole; nothing for one that is. */
export function warnOfBreak(input: CommandInput): void {
  const { io } = input;
  const { broken } = verifyTrace(tracePaths({ root: rootOf(input), env: io.env }));
  if (broken === undefined) return;
  const line = broken.kind === "record" ? `:${broken.line}` : "";
  io.err(`${shortPath(broken.file, io)}${line}: trace BROKEN: ${broken.why}.`);
  io.err(`  ${reliance(broken)}\`sluice trace verify\` shows the details.`);
}

function reliance({ kind, fitting }: NonNullable<Verified["broken"]>): string {
  if (kind === "record") return `Records from ${fitting + 1} on cannot be relied on. `;
  return kind === "end" ? "No record in it can be relied on. " : "";
}

function linesOf(verified: Verified, file: string): string[] {
  const { broken, notes } = verified;
  const steps = broken === undefined ? [] : [`  ${STEPS[broken.kind]}`, ...fittingLine(broken.fitting)];
  return [`${file}: ${verdictOf(verified)}`, ...steps, ...notes.map((note) => `  note: ${note}`)];
}

/** What is left of the trace in front of the break; nothing is said where nothing is. */
function fittingLine(count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? "  The record before it is intact." : `  The ${count} records before it are intact.`];
}

const STEPS: Readonly<Record<NonNullable<Verified["broken"]>["kind"], string>> = {
  record: "Keep the file as it is and find out which program wrote to it.",
  end: "Keep the file as it is, find out which program wrote to it, and compare it with a commit, a backup or an export.",
  gone: "Find out which program removed it, and restore it from a commit or a backup.",
  link: "Find out which program replaced it with a symlink, and restore the file.",
  unreadable: "Make it a file that you can read.",
};
