import { join } from "node:path";
import { hashOfLine, isBoundTo, isSealed } from "./chain.ts";
import type { TracePlace } from "./place.ts";
import { traceFiles } from "./segments.ts";
import { stretchAt, whileOpen } from "./stretch.ts";
import { type Tip, tipAt } from "./tip.ts";

/**
 * Which of these records do not fit into the trace around them: their own seal, or the hash that the next record or the remembered end
 * has of them, does not fit. Only their own lines and those behind them are looked at; `verifyTrace` looks at all.
 */
export function unfitting(place: TracePlace, ids: readonly string[]): ReadonlySet<string> {
  const unseen = new Set(ids);
  const bad = new Set<string>();
  // Read first: whatever is written meanwhile stands behind the records in question.
  const tip = tipAt(join(place.state, "tip"));
  let last: Line | undefined;
  for (const stretch of allStretches(place)) {
    if (last !== undefined && !isBoundTo(firstLine(stretch), last.hash)) bad.add(last.id);
    last = undefined;
    for (const id of unseen) {
      const found = lineOf(stretch, id);
      if (found === undefined) continue;
      unseen.delete(id);
      if (!isSealed(found.bytes)) bad.add(id);
      if (found.next === undefined) last = { id, hash: hashOfLine(found.bytes) };
      else if (!isBoundTo(found.next, hashOfLine(found.bytes))) bad.add(id);
    }
    if (unseen.size === 0 && last === undefined) return bad;
  }
  if (last !== undefined && !isEnd(last.hash, tip)) bad.add(last.id);
  return new Set([...bad, ...unseen]);
}

interface Line {
  readonly id: string;
  readonly hash: string;
}

function* allStretches(place: TracePlace): Generator<Buffer, void, void> {
  for (const path of traceFiles(place)) yield* whileOpen(path, stretchesOf);
}

function* stretchesOf(file: number, size: number): Generator<Buffer, void, void> {
  for (let from = 0; from < size; ) {
    const stretch = stretchAt(file, from, size);
    if (stretch.length === 0) return;
    from += stretch.length;
    yield stretch;
  }
}

/** The line of a record, and the one behind it where it lies in the same stretch. */
function lineOf(
  stretch: Buffer,
  id: string,
): { readonly bytes: Buffer; readonly next: Buffer | undefined } | undefined {
  const at = stretch.indexOf(`"id":${JSON.stringify(id)}`);
  if (at < 0) return undefined;
  const begin = at === 0 ? 0 : stretch.lastIndexOf(NEWLINE, at) + 1;
  const end = stretch.indexOf(NEWLINE, at);
  if (end < 0) return { bytes: stretch.subarray(begin), next: undefined };
  const behind = stretch.indexOf(NEWLINE, end + 1);
  // What has no line break yet is torn, and binds nothing.
  const next = behind < 0 ? undefined : stretch.subarray(end + 1, behind);
  return { bytes: stretch.subarray(begin, end), next };
}

function firstLine(stretch: Buffer): Buffer {
  const end = stretch.indexOf(NEWLINE);
  return end < 0 ? stretch : stretch.subarray(0, end);
}

/** Whether a line may be the last one; where nobody remembers the end, every line may. */
function isEnd(hash: string, tip: Tip | undefined): boolean {
  return tip === undefined || tip.hash === hash || (tip.state === "writing" && tip.before.hash === hash);
}

const NEWLINE = 10;
