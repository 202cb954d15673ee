import { join } from "node:path";
import { hashOfLine, isBoundTo, isSealed } from "./chain.ts";
import { type ChainHead, chainHeadAt } from "./chain-head.ts";
import { chunksOf, whileOpen } from "./read-changes.ts";
import { type TracePaths, traceFiles } from "./trace-paths.ts";

/**
 * Which of these records do not fit into the trace around them: their own seal, or the hash that the next record or the remembered end
 * has of them, does not fit. Only their own lines and those after them are checked; `verifyTrace` checks all.
 */
export function offChainRecords(place: TracePaths, ids: readonly string[]): ReadonlySet<string> {
  const unseen = new Set(ids);
  const bad = new Set<string>();
  // Read first: records that are written meanwhile come after the records in question.
  const head = chainHeadAt(join(place.state, "tip"));
  let last: Line | undefined;
  for (const chunk of allChunks(place)) {
    if (last !== undefined && !isBoundTo(firstLine(chunk), last.hash)) bad.add(last.id);
    last = undefined;
    for (const id of unseen) {
      const found = lineOf(chunk, id);
      if (found === undefined) continue;
      unseen.delete(id);
      if (!isSealed(found.bytes)) bad.add(id);
      if (found.next === undefined) last = { id, hash: hashOfLine(found.bytes) };
      else if (!isBoundTo(found.next, hashOfLine(found.bytes))) bad.add(id);
    }
    if (unseen.size === 0 && last === undefined) return bad;
  }
  if (last !== undefined && !isEnd(last.hash, head)) bad.add(last.id);
  return new Set([...bad, ...unseen]);
}

interface Line {
  readonly id: string;
  readonly hash: string;
}

function* allChunks(place: TracePaths): Generator<Buffer, void, void> {
  for (const path of traceFiles(place)) yield* whileOpen(path, chunksOf);
}

/** The line of a record, and the next one if it is in the same chunk. */
function lineOf(chunk: Buffer, id: string): { readonly bytes: Buffer; readonly next: Buffer | undefined } | undefined {
  const at = chunk.indexOf(`"id":${JSON.stringify(id)}`);
  if (at < 0) return undefined;
  const begin = at === 0 ? 0 : chunk.lastIndexOf(NEWLINE, at) + 1;
  const end = chunk.indexOf(NEWLINE, at);
  if (end < 0) return { bytes: chunk.subarray(begin), next: undefined };
  const nextEnd = chunk.indexOf(NEWLINE, end + 1);
  // What has no line break yet is torn, and binds nothing.
  const next = nextEnd < 0 ? undefined : chunk.subarray(end + 1, nextEnd);
  return { bytes: chunk.subarray(begin, end), next };
}

function firstLine(chunk: Buffer): Buffer {
  const end = chunk.indexOf(NEWLINE);
  return end < 0 ? chunk : chunk.subarray(0, end);
}

/** Whether a line may be the last one; where no chain head remembers the end, every line may. */
function isEnd(hash: string, head: ChainHead | undefined): boolean {
  return head === undefined || head.hash === hash || (head.state === "writing" && head.before.hash === hash);
}

const NEWLINE = 10;
