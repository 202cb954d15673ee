import { type Alias, EVENT_NAMES, EVENTS, type EventName, eventSpec } from "./catalogue.ts";

/** The schema of each event's data, under every spelling of the event. */
export const EVENT_DATA_TYPES = Object.freeze(
  Object.fromEntries(
    EVENT_NAMES.flatMap((name) => [name, ...eventSpec(name).aliases].map((spelling) => [spelling, EVENTS[name].data])),
  ),
) as { readonly [Spelling in EventName | Alias]: SchemaOf<Spelling> };

type Rows = typeof EVENTS;
type SchemaOf<Spelling> = {
  [Name in EventName]: Spelling extends Name | Rows[Name]["aliases"][number] ? Rows[Name]["data"] : never;
}[EventName];
