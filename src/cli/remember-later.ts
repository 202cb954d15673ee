import { milliseconds } from "../event/clock.ts";
import type { Happened, Remembered } from "../decide/answer.ts";
import type { Io, Resident } from "./io.ts";
import { remember } from "./remember-call.ts";

/**
 * Writes a call into the journal after it was answered, where the answer does not name the record: what passed without a
 * word. When a record was lost that way, the calls after it wait for theirs until one is written again.
 */
export function rememberLater(
  happened: Happened,
  io: Io,
  began: number,
  { afterwards }: Resident,
  behind?: string,
): Remembered {
  const isQuiet = happened.kind === "decided" && !OBJECTIONS.includes(happened.said.action);
  if (!isQuiet || wasLost) {
    const kept = remember(happened, io, began, behind);
    wasLost = "lost" in kept;
    return kept;
  }
  const took = milliseconds() - began;
  afterwards(() => {
    wasLost = "lost" in remember(happened, io, milliseconds() - took, behind);
  });
  return { id: "" };
}

/** Whether the last record could not be written. */
export function isLosing(): boolean {
  return wasLost;
}

let wasLost = false;

const OBJECTIONS: readonly string[] = ["deny", "ask"];
