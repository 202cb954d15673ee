import type { Place } from "../problem/problem.ts";

/** One thing that was looked at, and how it is. */
export interface Finding {
  /** `fine` needs nothing; `note` is worth knowing; `wrong` means that something does not work as it should. */
  readonly state: "fine" | "note" | "wrong";
  readonly what: string;
  /** The step that ends it. */
  readonly fix?: string | undefined;
  readonly place?: Place | undefined;
}

/** Findings about one subject, such as an agent. */
export interface Examination {
  readonly subject: string;
  readonly findings: readonly Finding[];
}

/** Needs nothing. */
export function fine(what: string): Finding {
  return { state: "fine", what };
}

/** Is worth knowing. */
export function note(what: string, fix?: string): Finding {
  return { state: "note", what, fix };
}

/** Does not work as it should. */
export function wrong(what: string, fix?: string, place?: Place): Finding {
  return { state: "wrong", what, fix, place };
}
