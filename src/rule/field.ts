import { type EventFacts, FIELD_SPELLINGS } from "../event/field.ts";
import { unpacked } from "../event/packed.ts";
import { type CallField, callFieldNamed, isPathInInput } from "./call-fields.ts";
import type { Tools } from "./operators.ts";
import { compileRecent, SESSION_MINUTES, sessionMinutes } from "./recent.ts";
import { compileFlow } from "./session-flow.ts";

/** Finds the values of one field in an event. */
export interface FieldReader {
  /** Where there can be one value at most: that value, or `undefined`. */
  readonly one: ((event: EventFacts) => unknown) | undefined;
  /** Several when the path has a `*` or the field has several homes; each of them once. */
  readonly all: (event: EventFacts) => readonly unknown[];
}

/** Compiles a field path such as `args.command`, `tool`, `path`, `args.edits.*.path`, in any spelling. */
export function compileField(path: string, tools: Tools): FieldReader {
  const ofCall = callFieldNamed(path);
  if (ofCall !== undefined) return callReader(path, ofCall, tools);
  const known = COMPILED.get(path);
  if (known !== undefined) return known;
  const fresh = compilePath(path);
  if (COMPILED.size < MAX_COMPILED) COMPILED.set(path, fresh);
  return fresh;
}

/** Rules of one project ask for few fields, again and again. */
const COMPILED = new Map<string, FieldReader>();
const MAX_COMPILED = 500;

/** The input's own key for a path counts as it is written, too. */
function callReader(path: string, field: CallField, tools: Tools): FieldReader {
  if (!isPathInInput(path)) return { one: undefined, all: (event) => field.values(event, tools) };
  const written = IN_INPUT.map((key) => follow(rootOf("args", true), [key]));
  return {
    one: undefined,
    all: (event) => [...new Set([...field.values(event, tools), ...written.flatMap((read) => present(read(event)))])],
  };
}

const IN_INPUT = ["path", "file_path"];

function compilePath(path: string): FieldReader {
  const [first = "", ...keys] = path.split(".");
  const recent = first === "recent" ? compileRecent(keys) : undefined;
  if (path === SESSION_MINUTES) return { one: sessionMinutes, all: (event) => present(sessionMinutes(event)) };
  if (recent !== undefined) return { one: recent, all: (event) => present(recent(event)) };
  const flow = first === "session" ? compileFlow(path) : undefined;
  if (flow !== undefined) return { one: undefined, all: flow };
  const root = rootOf(first, keys.length > 0);
  if (keys.includes("*")) return { one: undefined, all: (event) => spread(root(event), keys) };
  const one = follow(root, keys);
  return { one, all: (event) => present(one(event)) };
}

type Read = (event: EventFacts) => unknown;

/** The first part of a path: what the event itself knows wins over anything in its data. */
function rootOf(name: string, hasMore: boolean): Read {
  const core = CORE.get(name);
  const [best = "", ...others] = spellingsOf(name);
  const fromData: Read = ({ data }) => {
    const value = own(data, best);
    return value === undefined ? firstOf(data, others) : value;
  };
  if (core !== undefined) return (event) => event[core] ?? fromData(event);
  if (!hasMore || !PACKED.has(name)) return fromData;
  return (event) => {
    // Written out: a place in the code that only ever sees one name is found at once.
    const value = Object.hasOwn(event.data, best) ? (event.data[best] ?? fromData(event)) : fromData(event);
    // Some agents send a tool's input as the text of its JSON.
    return typeof value === "string" ? unpacked(value) : value;
  };
}

/** The fields that hold the name of the event. */
export const EVENT_NAME_FIELDS: ReadonlySet<string> = new Set(["event", "type"]);

const CORE: ReadonlyMap<string, keyof EventFacts> = new Map<string, keyof EventFacts>([
  ["event", "type"],
  ["type", "type"],
  ["tool", "toolName"],
  ["tool_name", "toolName"],
  ["session_id", "sessionId"],
  ["cwd", "cwd"],
  ["agent", "agent"],
  ["timestamp", "timestamp"],
  ["data", "data"],
]);

/** What every event has, whatever its data. */
export const CORE_FIELDS: readonly string[] = [...CORE.keys()];

const { tool_args, tool_result, tool_name } = FIELD_SPELLINGS;
const PACKED: ReadonlySet<string> = new Set([...tool_args, ...tool_result]);

/** Names of one thing in the order of who wins; for the rest the very word that the rule uses comes first. */
function spellingsOf(name: string): readonly string[] {
  const groups: readonly (readonly string[])[] = Object.values(FIELD_SPELLINGS);
  const group = groups.find((spellings) => spellings.includes(name)) ?? [];
  return SAME_THING.includes(group) ? group : [...new Set([name, ...group])];
}

const SAME_THING: readonly (readonly string[])[] = [tool_args, tool_result, tool_name];

function firstOf(data: unknown, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = own(data, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** One step at a time; the usual depths have no loop. */
function follow(root: Read, keys: readonly string[]): Read {
  const [first, second, ...rest] = keys;
  if (first === undefined) return root;
  if (second === undefined) return (event) => own(root(event), first);
  const both: Read = (event) => own(own(root(event), first), second);
  return rest.length === 0 ? both : (event) => rest.reduce(own, both(event));
}

/** Level by level, each value once: what refers to itself, or to one thing twice, costs no more than it holds. */
function spread(start: unknown, keys: readonly string[]): unknown[] {
  let level = new Set(present(start));
  for (const key of keys) {
    const next = new Set<unknown>();
    for (const value of level) {
      if (key !== "*") for (const inner of present(own(value, key))) next.add(inner);
      else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) next.add(inner);
    }
    level = next;
  }
  level.delete(undefined);
  return [...level];
}

/** Own properties only: no rule reaches a prototype. */
function own(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function present(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}
