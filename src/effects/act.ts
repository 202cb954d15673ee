import type { EventFacts } from "../event/field.ts";
import type { SimpleCommand, Surroundings } from "./parse/command.ts";
import type { Effect } from "./effect.ts";

/** What a tool call does, whatever the agent and the tool are called. */
export interface Act {
  readonly effects: readonly Effect[];
  /** The programs behind it; none for tools that are no shell. */
  readonly commands: readonly SimpleCommand[];
  /** Where relative paths begin, and where `~` is. */
  readonly place: Place;
}

/** Where a call happens. */
export interface Place {
  readonly cwd: string | undefined;
  readonly home: string | undefined;
}

/** What may be looked at beside a command line, for calls that happen in this folder. */
export type Look = (event: EventFacts) => Surroundings;
