import type { Action } from "../decision/result.ts";
import type { EventInit } from "../event/event.ts";

/** What happens, and what has to come of it. */
export interface Example {
  readonly name: string;
  readonly event: EventInit;
  readonly expect: Action;
  /** A part of the reason, or a regular expression between slashes. */
  readonly reason?: string | undefined;
  /** What the changed input has to hold, at least. */
  readonly input?: unknown;
  /** The keys that lead to it. */
  readonly path: readonly (string | number)[];
  /** Hooks that have to take part. */
  readonly hooks: readonly string[];
  /** Variables that are set while it runs. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it happens; the project when left out. */
  readonly cwd?: string | undefined;
}
