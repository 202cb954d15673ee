import { eventSpec } from "../event/catalogue.ts";
import { dataField, dataKey, type EventFacts, FIELD_SPELLINGS, type FieldName } from "../event/field.ts";
import { problems } from "../problem/problem.ts";
import { unpacked } from "../event/packed.ts";

/** What a rule's `modify` comes to as `modified_data`: the part of the event with one field set, on a copy. */
export function modifiedData(event: EventFacts, field: string, value: unknown): Record<string, unknown> {
  const part = partOf(event);
  if (part === undefined) throw PROBLEMS.nothingToChange({ event: event.type, field });
  const keys = keysInside(event, part, field.split("."));
  if (part.name === undefined) return { data: setIn(event.data, keys, value, field) };
  const whole = dataField(event, part.name);
  if (keys.length === 0) return { [part.word]: value };
  const inner = unpacked(whole);
  const changed = setIn(inner, keys, value, field);
  // What came as the text of its JSON goes on as such.
  return { [part.word]: inner === whole ? changed : JSON.stringify(changed) };
}

/** The part of an event that may be changed: where it lies, and the word for it in `modified_data`. */
interface Part {
  /** `undefined` when it is all of the data. */
  readonly name: FieldName | undefined;
  readonly word: string;
}

const PARTS = {
  input: { name: "tool_args", word: "args" },
  output: { name: "tool_result", word: "result" },
  prompt: { name: "prompt", word: "prompt" },
} as const satisfies Record<string, Part>;

function partOf(event: EventFacts): Part | undefined {
  const { modifies } = eventSpec(event.type);
  if (modifies === null) return undefined;
  return event.type.startsWith("llm:") ? { name: undefined, word: "data" } : PARTS[modifies];
}

/** `args.command`, `tool_input.command` and `command` are one field of a tool's input; `path` is wherever the path lies. */
function keysInside(event: EventFacts, part: Part, [first = "", ...rest]: readonly string[]): readonly string[] {
  if (part.name === undefined) return first === "data" ? rest : [spelledIn(event, first), ...rest];
  const spellings: readonly string[] = FIELD_SPELLINGS[part.name];
  if (spellings.includes(first)) return PATHS.includes(rest.join(".")) ? [pathKey(event, rest)] : rest;
  const isElsewhere = part.name === "prompt" || ELSEWHERE.includes(first);
  if (isElsewhere) throw PROBLEMS.elsewhere({ event: event.type, field: [first, ...rest].join("."), word: part.word });
  return rest.length === 0 && PATHS.includes(first) ? [pathKey(event, [first])] : [first, ...rest];
}

const PATHS = ["path", "file_path"];
const ELSEWHERE: readonly string[] = [
  ...["tool", "tool_name", "event", "type", "session_id", "cwd", "agent", "timestamp", "data", "error"],
  ...FIELD_SPELLINGS.tool_args,
  ...FIELD_SPELLINGS.tool_result,
  ...FIELD_SPELLINGS.prompt,
];

/** The key under which the tool's input holds its path; the one that the rule names when it holds none. */
function pathKey(event: EventFacts, [named = ""]: readonly string[]): string {
  const args = Object(unpacked(dataField(event, "tool_args")));
  return [named, ...PATHS].find((key) => Object.hasOwn(args, key)) ?? named;
}

function spelledIn(event: EventFacts, key: string): string {
  const names = Object.keys(FIELD_SPELLINGS) as FieldName[];
  const name = names.find((candidate) => (FIELD_SPELLINGS[candidate] as readonly string[]).includes(key));
  return name === undefined || Object.hasOwn(event.data, key) ? key : dataKey(event, name);
}

/** Sets a nested value without touching what it was; a list stays a list, `*` stands for every item. */
function setIn(target: unknown, keys: readonly string[], value: unknown, field: string): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (target !== undefined && target !== null && typeof target !== "object") throw PROBLEMS.noInside({ field, key });
  const inner = (item: unknown) => setIn(item, rest, value, field);
  if (Array.isArray(target)) {
    if (key === "*") return target.map(inner);
    if (!/^\d{1,9}$/.test(key)) throw PROBLEMS.noInside({ field, key });
    const at = Math.min(Number(key), target.length);
    return [...target.slice(0, at), inner(target[at]), ...target.slice(at + 1)];
  }
  const entries = new Map(Object.entries(target ?? {}));
  if (key === "*") for (const [name, item] of entries) entries.set(name, inner(item));
  else entries.set(key, inner(entries.get(key)));
  return Object.fromEntries(entries);
}

const PROBLEMS = problems("rule", {
  nothingToChange: ({ event, field }: { event: string; field: string }) => ({
    what: `A rule wants to change ${field}, and nothing of ${event} can be changed.`,
    fix: "Let the rule deny or ask instead.",
  }),
  elsewhere: ({ event, field, word }: { event: string; field: string; word: string }) => ({
    what: `A rule wants to change ${field}, and of ${event} only ${word} can be changed.`,
    fix: `Name a field of ${word}.`,
  }),
  noInside: ({ field, key }: { field: string; key: string }) => ({
    what: `A rule wants to change ${field}, and there is no place for "${key}" in what the event holds.`,
    fix: "Change the field, or let another rule ask first whether it exists.",
  }),
});
