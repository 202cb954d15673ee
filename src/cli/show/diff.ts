import { changedParts, lineDiff } from "../../trust/line-diff.ts";
import type { Io } from "../io.ts";
import { paintFor } from "./terminal-text.ts";

/** The lines of a text that change, with some around them. */
export function diffText(
  { before = "", after }: { readonly before?: string | undefined; readonly after: string },
  io: Io,
): string[] {
  const paint = paintFor(io);
  return changedParts(lineDiff(before, after)).map((part) => {
    if (part === undefined) return paint.dim("    …");
    if (part.kind === "same") return paint.dim(`    ${part.line}`);
    return part.kind === "new" ? paint.good(`  + ${part.line}`) : paint.bad(`  - ${part.line}`);
  });
}
