import type { Action } from "../decision/result.ts";
import type { EventName } from "../event/catalogue.ts";

/** One run of a template in a fresh folder: what is there, what happens, what comes of it. */
export interface TemplateExample {
  /** A sentence without its subject: `lets a search for sudoers pass`. */
  readonly does: string;
  readonly event: EventName;
  readonly tool?: string;
  /** The tool's input. */
  readonly args?: unknown;
  /** What the event holds besides. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Files that are there, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Programs that are found first, by name, each a shell script. */
  readonly programs?: Readonly<Record<string, string>>;
  /** A shell line that prepares the folder. */
  readonly before?: string;
  /** What the event comes to; a denial after the fact is feedback, and the event continues. */
  readonly expect: Action;
  /** A part of what the agent is told; where it is left out, the agent is told nothing. */
  readonly says?: string;
  /** A shell line that succeeds in the folder afterwards. */
  readonly after?: string;
}
