import { GAP } from "../command.ts";
import type { Field } from "../value.ts";
import type { Prepared } from "./prepared.ts";
import type { Frame, Outcome, Reader } from "./reader.ts";

/** A call of something that the shell does itself. */
interface BuiltinCall {
  readonly name: string;
  readonly args: readonly Field[];
  readonly prepared: Prepared;
}

/** Does to the shell what a builtin would do. */
export type Builtin = (call: BuiltinCall, frame: Frame, reader: Reader) => Outcome;

/** Done, nothing printed. */
export const WELL: Outcome = { stdout: "", ends: "well" };

/** Nothing printed; only the run knows how it ends. */
export const UNCLEAR: Outcome = { stdout: "", ends: "unknown" };

/** Words with blanks between them, as `eval` reads them. */
export function joined(words: readonly Field[]): Field {
  const text = words.map((word) => word.text).join(" ");
  return { text, isKnown: !text.includes(GAP) && words.every(({ isKnown }) => isKnown), isGlob: false };
}
