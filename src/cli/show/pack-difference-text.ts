import { stringify } from "yaml";
import { type HookDifference, mayOpen } from "../../packs/pack-difference.ts";
import { changedParts, lineDiff } from "../../trust/line-diff.ts";
import type { Io } from "../io.ts";
import { oneLine, paintFor, visible } from "./terminal-text.ts";

/** What a new version of a pack changes, hook by hook: what opens something first. */
export function differenceText(differences: readonly HookDifference[], io: Io): string[] {
  if (differences.length === 0) return ["  no hook changes"];
  return differences.flatMap((one) => hookText(one, io));
}

function hookText(difference: HookDifference, io: Io): string[] {
  const paint = paintFor(io);
  const { kind, name, before, after, opens } = difference;
  const mark = { removed: paint.bad("-"), changed: paint.warn("~"), added: paint.good("+") }[kind];
  const warning = mayOpen(difference) ? `  ${paint.bad("may let pass what was stopped")}` : "";
  const opened = opens.map(({ call, from, to }) => `      ${paint.bad(`${from} → ${to}`)}  ${oneLine(call, 100)}`);
  const lines = changedParts(lineDiff(yamlOf(before), yamlOf(after)), 1).map((part) => {
    if (part === undefined) return paint.dim("      …");
    if (part.kind === "same") return paint.dim(`      ${visible(part.line)}`);
    return part.kind === "new" ? paint.good(`    + ${visible(part.line)}`) : paint.bad(`    - ${visible(part.line)}`);
  });
  return [`  ${mark} ${paint.name(visible(name))} ${kind}${warning}`, ...opened, ...(kind === "changed" ? lines : [])];
}

function yamlOf(written: HookDifference["before"]): string {
  return written === undefined ? "" : stringify(written, { lineWidth: 0 }).trimEnd();
}
