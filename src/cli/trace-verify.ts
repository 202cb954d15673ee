import { tracePlace } from "../trace/change/place.ts";
import { type Verified, verifyTrace } from "../trace/change/verify.ts";
import type { Input } from "./command.ts";
import { rootOf, shortPath } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";

/** Says whether the trace of this project is whole; the exit code says it too. */
export function verifyHere(input: Input): Exit {
  const { io } = input;
  const place = tracePlace({ root: rootOf(input), env: io.env });
  const verified = verifyTrace(place);
  const { records, broken, notes } = verified;
  if (input.has("json"))
    io.out(JSON.stringify({ whole: broken === undefined, records, ...(broken ? { broken } : {}), notes }, null, 2));
  else for (const line of linesOf(verified, shortPath(place.file, io))) io.out(line);
  return broken === undefined ? "done" : "problem";
}

/** The same in one sentence. */
export function verdictOf({ records, broken }: Verified): string {
  if (broken !== undefined) return `The trace is broken at ${broken.file}:${broken.line}: ${broken.why}.`;
  return records === 0
    ? "Nothing is recorded yet."
    : `The trace is whole: ${records} ${records === 1 ? "record" : "records"}, each bound to the one before it.`;
}

function linesOf(verified: Verified, file: string): string[] {
  const { broken, notes } = verified;
  const step =
    broken === undefined
      ? []
      : ["  Keep the file as it is and look at who wrote to it; records before that line are as they were written."];
  return [`${file}: ${verdictOf(verified)}`, ...step, ...notes.map((note) => `  note: ${note}`)];
}
