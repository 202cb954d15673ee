/** A piece of work that a person has declared: what it is, which files it owns, what it has to keep to. */
export interface Intent {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Globs and exact paths, from the project's root; nothing is owned when it is empty. */
  readonly ownedScope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  /** What becomes of acts whose effect is unknown, where this intent says more than the configuration. */
  readonly onUnknown: "allow" | "ask" | "deny" | undefined;
  /** Its position in the file. */
  readonly index: number;
}

/** The words for how far a piece of work is; only one of them lets anything be changed. */
export const STATUSES = {
  PENDING: "declared, and not begun",
  IN_PROGRESS: "being worked on: sessions may select it",
  BLOCKED: "waiting for something",
  COMPLETED: "done",
  CANCELLED: "given up",
} as const;

/** The one status that authorises. */
export const ACTIVE: keyof typeof STATUSES = "IN_PROGRESS";

/** Whether work on it may change files. */
export function isActive({ status }: Pick<Intent, "status">): boolean {
  return status === ACTIVE;
}

/** One intent with what was done for it. */
export interface BoardIntent {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly scope: readonly string[];
  readonly criteria: readonly BoardCriterion[];
  /** The sessions that worked on it, the latest first. */
  readonly sessions: readonly string[];
  readonly changes: number;
  /** When a file was changed for it last, ISO 8601; null if none was. */
  readonly lastChange: string | null;
  /** What was denied in its sessions, each violation once. */
  readonly violations: readonly { readonly code: string; readonly reason: string; readonly count: number }[];
  /** Files that were changed for it and are not in its scope. */
  readonly outside: readonly string[];
}

/** An acceptance criterion, and whether it is met. */
export interface BoardCriterion {
  readonly text: string;
  /**
   * `met` or `open` where that is known: the criterion is ticked (`[x] …`), or names a command in backticks whose latest run
   * in a session of this intent passed or failed. `unknown` otherwise.
   */
  readonly progress: "met" | "open" | "unknown";
}
