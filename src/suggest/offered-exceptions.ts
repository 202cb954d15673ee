import { Problem } from "../problem/problem.ts";
import { withLittleMemory } from "../replay/little-memory.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { exceptionEdit, type WrittenException } from "./config-edit.ts";
import { type ExceptionContext, type ExceptionWidth, exceptionsFor, WIDTHS } from "./narrow-exceptions.ts";
import { replayEdits } from "./replay-edit.ts";

/** An exception that a person may choose for a stopped call. */
export interface OfferedException {
  readonly width: ExceptionWidth;
  readonly means: string;
  readonly exceptions: readonly WrittenException[];
  /** How many recorded calls were stopped that it would have let pass. */
  readonly passes: number;
}

/** Which recorded calls are counted, and what every exception says besides what passes. */
interface OfferQuery extends ExceptionContext {
  readonly journal: string;
  /** ISO 8601, in UTC. */
  readonly since: string;
  readonly ending: Omit<WrittenException, "rule" | "command" | "path" | "host">;
}

/** The narrowest exception for a call and the wider ones that cover it; throws the problem if there is no narrow one. */
export async function offeredExceptions(record: DecisionRecord, query: OfferQuery): Promise<OfferedException[]> {
  const { journal, since, ending, ...context } = query;
  const [exact, ...wider] = Object.keys(WIDTHS) as [ExceptionWidth, ...ExceptionWidth[]];
  const found = [{ width: exact, exceptions: exceptionsFor(record, context, exact) }];
  for (const width of wider) {
    const exceptions = ifPossible(() => exceptionsFor(record, context, width));
    if (exceptions !== undefined) found.push({ width, exceptions });
  }
  const offers = found.map(({ width, exceptions }) => ({
    width,
    means: WIDTHS[width].means,
    exceptions: exceptions.map((one) => ({ ...one, ...ending })),
  }));
  const edits = offers.map(({ exceptions }) => exceptionEdit(exceptions, context));
  // An exception opens calls that were stopped, and no others.
  const isJudged = ({ recorded }: { readonly recorded: string }) => recorded === "deny" || recorded === "ask";
  const counted = { journal, since, isHere: () => true, env: context.env, isJudged };
  const reports = await withLittleMemory(() => replayEdits(edits, counted));
  return offers.map((offer, at) => {
    const passing = (reports[at]?.changes ?? []).filter(({ cause, to }) => cause === "change" && to === "continue");
    return { ...offer, passes: passing.reduce((sum, { count }) => sum + count, 0) };
  });
}

function ifPossible<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
