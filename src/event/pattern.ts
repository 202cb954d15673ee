import { compileGlob, expandBraces, type Test } from "../pattern/glob.ts";
import { EVENT_NAMES, type EventName, eventsMatchedBy } from "./catalogue.ts";
import { isOfKind, isToolKind, TOOL_KINDS, type ToolKind, type ToolKindName } from "./tool-kinds.ts";

/** Which tools a pattern wants. */
export interface ToolTest {
  readonly holds: Test;
  /** All tools there are that fit, where they can be counted: what an index is made of. */
  readonly names?: readonly string[];
  /** Every tool that fits begins with one of these, where that is known: what else an index is made of. */
  readonly beginnings?: readonly string[];
}

/** What a pattern says about one event: matched with any tool or none, or only with some tools. */
type Listens = "always" | ToolTest;

/** A compiled event pattern. */
export interface EventPattern {
  /** The events it can match at all. An empty map means that it matches nothing. */
  readonly events: ReadonlyMap<EventName, Listens>;
}

/** Compiles `tool:*:write`, `session:start,session:end`, `PreToolUse:@shell`, `*`. */
export function compilePattern(pattern: string): EventPattern {
  const known = COMPILED.get(pattern);
  if (known) return known;
  const compiled = { events: listensTo(pattern) };
  if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
  COMPILED.set(pattern, compiled);
  return compiled;
}

/** Whether a pattern matches this event with this tool. */
export function matchesPattern(pattern: EventPattern, event: EventName, tool: string | undefined): boolean {
  const listens = pattern.events.get(event);
  if (listens === undefined) return false;
  return listens === "always" || (tool !== undefined && listens.holds(tool));
}

/** The comma-separated alternatives of a pattern, blanks removed, empty ones dropped; commas in braces separate none. */
export function alternatives(pattern: string): string[] {
  const found: string[] = [];
  let end = pattern.length;
  // From the end: a comma is in braces if the next brace after it closes.
  let brace = "";
  for (let at = pattern.length - 1; at >= 0; at--) {
    const sign = pattern[at] ?? "";
    if (sign === "{" || sign === "}") brace = sign;
    else if (sign === "," && brace !== "}") {
      found.push(pattern.slice(at + 1, end).trim());
      end = at;
    }
  }
  found.push(pattern.slice(0, end).trim());
  return found.reverse().filter((part) => part !== "");
}

/** A test for the tool part of a pattern, or for one entry of a matcher's `tools`. */
export function compileTool(part: string): ToolTest {
  if (part === "*") return { holds: () => true };
  if (isToolKind(part)) return ofKind(part);
  const choices = expandBraces(part);
  if (choices.length > 1) return anyTool(choices.map(compileTool));
  const sign = part.search(/[*?[]/);
  if (sign === -1)
    return {
      holds: (tool) => tool === part,
      names: [part],
      beginnings: [part],
    };
  const holds = compileGlob(part, ":");
  return sign === 0 ? { holds } : { holds, beginnings: [part.slice(0, sign)] };
}

/** Fits what any of the tests fits. */
export function anyTool(tests: readonly ToolTest[]): ToolTest {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  const holds: Test = (tool) => tests.some((test) => test.holds(tool));
  const names = allOf(tests.map((test) => test.names));
  const beginnings = allOf(tests.map((test) => test.beginnings));
  return { holds, ...(names && { names }), ...(beginnings && { beginnings }) };
}

/** The lists as one; undefined if one of them is unknown. */
function allOf(lists: readonly (readonly string[] | undefined)[]): string[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length < lists.length ? undefined : [...new Set(known.flat())];
}

function ofKind(kind: ToolKindName): ToolTest {
  const { names, prefixes, shape }: ToolKind = TOOL_KINDS[kind];
  const holds: Test = (tool) => isOfKind(tool, kind);
  if (shape !== undefined) return { holds };
  return prefixes === undefined ? { holds, names, beginnings: names } : { holds, beginnings: [...names, ...prefixes] };
}

function listensTo(pattern: string): Map<EventName, Listens> {
  const wanted = new Map<EventName, Listens[]>();
  for (const alternative of alternatives(pattern)) {
    const { names, tool } = readAlternative(alternative);
    for (const name of names) {
      const known = wanted.get(name);
      if (known === undefined) wanted.set(name, [tool]);
      else known.push(tool);
    }
  }
  return new Map([...wanted].map(([name, tools]) => [name, anyOf(tools)]));
}

function readAlternative(alternative: string): {
  names: readonly EventName[];
  tool: Listens;
} {
  const parts = alternative.split(":").map((part) => part.trim());
  const first = parts[0] ?? "";
  if (alternative === "*") return { names: EVENT_NAMES, tool: "always" };
  const aliased = eventsMatchedBy(first);
  if (aliased.length > 0) return { names: aliased, tool: toolPart(parts.slice(1)) };
  return { names: namesLike(first, parts[1] ?? "*"), tool: toolPart(parts.slice(2)) };
}

/** The events whose two parts fit; thousands of patterns differ in their tool alone. */
function namesLike(first: string, second: string): readonly EventName[] {
  const key = `${first}:${second}`;
  const known = NAMES.get(key);
  if (known) return known;
  const category = compileGlob(first, ":");
  const event = compileGlob(second, ":");
  const names = EVENT_NAMES.filter((name) => {
    const [itsCategory = "", itsEvent = ""] = name.split(":");
    return category(itsCategory) && event(itsEvent);
  });
  if (NAMES.size >= MAX_COMPILED) NAMES.clear();
  NAMES.set(key, names);
  return names;
}

/** A name may hold colons itself (`server:tool`); whatever follows the event is the tool. */
function toolPart(parts: readonly string[]): Listens {
  return parts.length === 0 ? "always" : compileTool(parts.join(":"));
}

function anyOf(tools: readonly Listens[]): Listens {
  const tests = tools.filter((tool) => tool !== "always");
  return tests.length < tools.length ? "always" : anyTool(tests);
}

/** The first alternative that matches no event at all, if there is one: most likely a typing error. */
export function unmatchedAlternative(pattern: string): string | undefined {
  return alternatives(pattern).find((alternative) => compilePattern(alternative).events.size === 0);
}

/** Patterns repeat across thousands of hooks; compiling each text once keeps registration cheap. */
const COMPILED = new Map<string, EventPattern>();
const NAMES = new Map<string, readonly EventName[]>();
const MAX_COMPILED = 4096;
