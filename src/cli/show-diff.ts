import { changedParts, lineDiff } from "../trust/line-diff.ts";
import type { Io } from "./io.ts";
import { paintFor } from "./paint.ts";

/** What would change in a file, as lines that a person can read. */
export function diffLines(before: string | undefined, after: string | undefined, io: Io): string[] {
  const paint = paintFor(io);
  const parts = changedParts(lineDiff(before ?? "", after ?? ""));
  const shown = parts.length > MOST_LINES + 1 ? parts.slice(0, MOST_LINES) : parts;
  const lines = shown.map((part) => {
    if (part === undefined) return paint.dim("    …");
    if (part.kind === "same") return paint.dim(`    ${part.line}`);
    return part.kind === "new" ? paint.good(`  + ${part.line}`) : paint.bad(`  - ${part.line}`);
  });
  return shown === parts
    ? lines
    : [...lines, paint.dim(`    … and ${parts.length - MOST_LINES} more lines like these`)];
}

const MOST_LINES = 100;
