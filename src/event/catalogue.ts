import { type EventSpec, ROWS, type Row } from "./event-table.ts";

export type { EventSpec } from "./event-table.ts";

/** The table of events for every caller; reading `data` gives the schema itself. */
export const EVENTS = /* @__PURE__ */ withSchemas();

type Events = {
  readonly [Name in EventName]: {
    readonly [Column in keyof (typeof ROWS)[Name]]: Column extends "data"
      ? ReturnType<(typeof ROWS)[Name]["data"]>
      : (typeof ROWS)[Name][Column];
  } & { readonly name: Name };
};

function withSchemas(): Events {
  const rows = Object.entries<Row>(ROWS).map(([name, row]) => {
    const withSchema = {
      name,
      ...row,
      get data() {
        return row.data();
      },
    };
    return [name, Object.freeze(withSchema)];
  });
  return Object.freeze(Object.fromEntries(rows)) as Events;
}

/** A canonical event name, such as `tool:pre_execute`. */
export type EventName = keyof typeof ROWS;
/** Another spelling of an event name, such as `PreToolUse`. */
export type Alias = (typeof ROWS)[EventName]["aliases"][number];

/** Every canonical name, in the order of the table. */
export const EVENT_NAMES = Object.keys(ROWS) as readonly EventName[];

/** What an event allows, without its schema. */
export function eventSpec(name: EventName): Omit<EventSpec, "data"> {
  return ROWS[name];
}

/** The event that a canonical name or an alias names; `undefined` when none does. */
export function eventNamed(name: string): EventName | undefined {
  return NAMED.get(name);
}

/** Every event that a hook on this name matches: `PostToolUse` matches failures too. */
export function eventsMatchedBy(name: string): readonly EventName[] {
  return MATCHED_BY.get(name) ?? [];
}

/** The events that Sluice makes from this one, such as `session:error` from `tool:error`. */
export function eventsDerivedFrom(name: EventName): readonly EventName[] {
  return DERIVED.get(name) ?? NONE;
}

/** Canonical names and aliases, for suggestions and completion. */
export function eventSpellings(): readonly string[] {
  return [...MATCHED_BY.keys()];
}

type UpperSnake<T extends string> = T extends `${infer Category}:${infer Event}`
  ? `${Uppercase<Category>}_${Uppercase<Event>}`
  : never;

/** Constants for the canonical names: `EventType.TOOL_PRE_EXECUTE` is `"tool:pre_execute"`. */
export const EventType = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(
    /* @__PURE__ */ EVENT_NAMES.map((name) => [name.replace(":", "_").toUpperCase(), name]),
  ),
) as { readonly [Name in EventName as UpperSnake<Name>]: Name };

const NAMED = new Map<string, EventName>();
const MATCHED_BY = new Map<string, EventName[]>();
const DERIVED = new Map<string, EventName[]>();
const NONE: readonly EventName[] = [];
for (const name of EVENT_NAMES) {
  const { aliases, alsoMatchedBy = [], derivedFrom } = eventSpec(name);
  if (derivedFrom !== undefined) DERIVED.set(derivedFrom, [...(DERIVED.get(derivedFrom) ?? []), name]);
  for (const spelling of [name, ...aliases]) NAMED.set(spelling, name);
  for (const spelling of [name, ...aliases, ...alsoMatchedBy])
    MATCHED_BY.set(spelling, [...(MATCHED_BY.get(spelling) ?? []), name]);
}

/** A tool is about to run. */
export const PRE_TOOL_USE = "PreToolUse" satisfies Alias;
/** A tool has run, or has failed. */
export const POST_TOOL_USE = "PostToolUse" satisfies Alias;
/** A session begins. */
export const SESSION_START = "SessionStart" satisfies Alias;
/** A session closes. */
export const SESSION_END = "SessionEnd" satisfies Alias;
/** The agent tells its user something. */
export const NOTIFICATION = "Notification" satisfies Alias;
/** The agent wants to stop. */
export const STOP = "Stop" satisfies Alias;
/** A sub-agent wants to stop. */
export const SUBAGENT_STOP = "SubagentStop" satisfies Alias;
/** Something in the session failed. */
export const ERROR = "Error" satisfies Alias;
/** A state of the session was saved. */
export const CHECKPOINT = "Checkpoint" satisfies Alias;
/** The session is about to use another model. */
export const MODEL_SWITCH = "ModelSwitch" satisfies Alias;
/** A file that agents read as memory is changing. */
export const MEMORY_UPDATE = "MemoryUpdate" satisfies Alias;
