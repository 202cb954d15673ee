import type { CallReport } from "../../effects/report/call-report.ts";
import type { Io } from "../io.ts";
import { columns, paintFor, visible } from "./terminal-text.ts";

/** The effects of a call as lines for a person: a sentence with its labels, then what is unknown. */
export function effectLines({ effects, unknown, readOnly }: CallReport, io: Io): string[] {
  const paint = paintFor(io);
  const rows = effects.map(({ text, labels }) => [visible(text), paint.dim(labels.join(" "))]);
  return [
    ...(rows.length === 0 ? ["No effect is known."] : columns(rows)),
    ...unknown.map(({ why, what }) => paint.warn(`unknown: ${why}: ${visible(what)}`)),
    readOnly ? paint.good("It only reads.") : "It does more than read, or not everything about it is known.",
  ];
}
