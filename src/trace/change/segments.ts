import { readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TracePaths } from "./trace-paths.ts";

/** The files of a trace, oldest first: those that were closed, then the one that is written to. */
export function traceFiles({ file }: Pick<TracePaths, "file">): string[] {
  const folder = dirname(file);
  const numbers = namesIn(folder).flatMap((name) => {
    const number = NUMBERED.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...numbers.sort((one, other) => one - other).map((number) => segmentFile(file, number)), file];
}

/** Closes the file that is written to, as the segment of this number. */
export function closeSegment(file: string, number: number): void {
  renameSync(file, segmentFile(file, number));
}

/** The file of a closed segment. */
export function segmentFile(file: string, number: number): string {
  return join(dirname(file), basename(file).replace(/\.jsonl$/, `.${number}.jsonl`));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const NUMBERED = /^agent_trace\.(\d+)\.jsonl$/;
