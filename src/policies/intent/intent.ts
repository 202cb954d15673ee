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
export function isActive({ status }: Intent): boolean {
  return status === ACTIVE;
}
