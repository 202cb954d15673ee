import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../trust/read-once.ts";
import { type Outline, outlineBytes, outlineFrom, outlineOf } from "./outline.ts";
import { type KeptFile, type KeptPart, type OutlineFiles, outlineFiles } from "./outline-files.ts";
import type { TracePlace } from "./place.ts";
import { traceFiles } from "./segments.ts";
import { stretchAt } from "./stretch.ts";

/** A part of a trace with its outline; its file is open as long as it is the one that is looked at. */
export interface OutlinedPart {
  readonly file: number;
  readonly from: number;
  readonly to: number;
  readonly outline: Outline;
}

/**
 * The whole trace in outlines, the newest part first, one at a time. They are kept on the disk: what was added to the trace
 * since is outlined now, and where anything else about it has changed, outlines are made anew.
 */
export function* outlinedParts(place: TracePlace): Generator<OutlinedPart, void, void> {
  const kept = outlineFiles(join(place.state, "outlines"));
  const open = traceFiles(place).flatMap((path) => opened(path));
  try {
    const files = open.map((file) => broughtUpToDate(file, kept));
    if (files.length !== kept.files.length || files.some((file) => !kept.files.includes(file))) kept.keep(files);
    for (const [index, file] of [...open.entries()].reverse())
      for (const part of (files[index]?.parts ?? []).toReversed())
        yield { file, ...part, outline: outlineFor(file, part, kept) };
  } finally {
    for (const file of open) closeSync(file);
  }
}

function opened(path: string): number[] {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(file).isFile()) return [file];
    closeSync(file);
    return [];
  } catch {
    return [];
  }
}

function broughtUpToDate(file: number, kept: OutlineFiles): KeptFile {
  const { ino: inode, size, mtimeMs, ctimeMs } = fstatSync(file);
  const known = kept.files.find((one) => one.inode === inode);
  const isAsKnown = known?.size === size && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs;
  if (known?.isSettled && isAsKnown) return known;
  const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
  const parts = stillRight(file, size, known?.parts ?? []);
  for (let from = parts.at(-1)?.to ?? 0; from < size; ) {
    const stretch = stretchAt(file, from, size);
    if (stretch.length === 0) break;
    const to = from + stretch.length;
    parts.push(kept.write({ from, to, digest: sha256(stretch) }, outlineBytes(outlineOf(stretch))));
    from = to;
  }
  return { inode, size, mtimeMs, ctimeMs, isSettled, parts };
}

/** The first parts whose bytes are what they were; where the file has grown, its last part is looked at anew. */
function stillRight(file: number, size: number, parts: readonly KeptPart[]): KeptPart[] {
  const first = parts.findIndex(({ from, to, digest }) => to > size || digestOf(file, from, to) !== digest);
  const right = first === -1 ? [...parts] : parts.slice(0, first);
  const last = right.at(-1);
  if (last !== undefined && right.length === parts.length && last.to < size) right.pop();
  return right;
}

function digestOf(file: number, from: number, to: number): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(PIECE, to - from));
  for (let at = from; at < to; ) {
    const got = readSync(file, piece, 0, Math.min(piece.length, to - at), at);
    if (got === 0) break;
    hash.update(piece.subarray(0, got));
    at += got;
  }
  return hash.digest("hex");
}

function outlineFor(file: number, part: KeptPart, kept: OutlineFiles): Outline {
  const bytes = kept.read(part);
  const found = bytes === undefined ? undefined : outlineFrom(bytes);
  if (found !== undefined) return found;
  const made = outlineOf(stretchAt(file, part.from, part.to, part.to - part.from));
  kept.write(part, outlineBytes(made));
  return made;
}

const PIECE = 1024 * 1024;
/** The times of files go by steps; within one, a change may not show. */
const SETTLED_MS = 2000;
