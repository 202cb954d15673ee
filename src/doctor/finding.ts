import type { Place } from "../problem/problem.ts";

/** One thing that was looked at, and how it is. */
export interface Finding {
  /** `fine` needs nothing; `note` is worth knowing; `wrong` means that something does not work as it should. */
  readonly state: "fine" | "note" | "wrong";
  readonly what: string;
  /** The step that ends it. */
  readonly fix?: string | undefined;
  readonly place?: Place | undefined;
  /** Holds for every user of this version of the agent: nothing here can change it. */
  readonly isFixed?: true | undefined;
  /** The agent runs our hooks only after its user has trusted them in the agent itself. */
  readonly isUntrusted?: boolean | undefined;
  /** The agent itself has recorded each of our hooks, so it has loaded them. */
  readonly isListed?: true | undefined;
}

/** Findings about one subject, such as an agent. */
export interface Examination {
  /** What people call it. */
  readonly subject: string;
  /** The id of the agent, where it is one. */
  readonly agent?: string | undefined;
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

/** Worth knowing once: nothing here changes it. */
export function fact(what: string): Finding {
  return { state: "note", what, isFixed: true };
}

/** Does not work as it should. */
export function wrong(what: string, fix?: string, place?: Place): Finding {
  return { state: "wrong", what, fix, place };
}
