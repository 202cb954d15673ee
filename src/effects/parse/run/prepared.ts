import type { Assignment } from "unbash";
import type { Word } from "../command.ts";
import type { Field } from "../value.ts";
import type { Plumbing } from "./redirect.ts";

/** A command with its words expanded and its redirections read. */
export interface Prepared {
  readonly words: readonly Field[];
  /** `declare x=1`: what stands among the words as an assignment. */
  readonly declared: readonly Assignment[];
  readonly assignments: Readonly<Record<string, Word>>;
  readonly redirects: Plumbing["redirects"];
  readonly source: string;
  /** Functions are passed over, as by `command`. */
  readonly isProgram?: boolean;
}
