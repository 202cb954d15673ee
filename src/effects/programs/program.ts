import type { Call } from "./call.ts";
import type { Role } from "../effect.ts";
import type { OptionStyle } from "./options.ts";

/** What one way of calling a program does. */
export interface Use {
  /** Its options, as `readOptions` takes them. */
  readonly options?: string;
  readonly style?: OptionStyle;
  /** What it always does. */
  readonly roles?: readonly Role[];
  /** What it does with its arguments. */
  readonly does?: (call: Call) => void;
}

/** One program, or several that are called alike. */
export interface Program extends Use {
  /** Parts that are chosen by the first operands, such as `push` or `stash drop`; several names apart by `|`. */
  readonly verbs?: Readonly<Record<string, Use | readonly Role[]>>;
  /** A command, and what it does beyond running, in the words of `effectText`. */
  readonly examples: readonly (readonly [command: string, ...effects: string[]])[];
}

/** Programs by their names; several names of one row stand apart by blanks. */
export type Programs = Readonly<Record<string, Program>>;
