import { eventSpellings, eventsMatchedBy } from "../event/catalogue.ts";
import { alternatives, compilePattern, unmatchedAlternative } from "../event/pattern.ts";
import { isToolKind, TOOL_KINDS } from "../event/tool-kinds.ts";
import { Hook, type HookSurroundings, type Layer } from "../hook/hook.ts";
import { readHook } from "../hook/read.ts";
import { fieldNamed, type HookSpec } from "../hook/schema.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { Problem, problems } from "../problem/problem.ts";
import { isHijack } from "../runners/command-environment.ts";
import type { ConfigDocument } from "./document.ts";
import type { RawEntry } from "./hook-list.ts";
import { offsetAt, type Path, plain } from "./tree.ts";

/** One entry of a file: a hook, or the problems that keep it from being one. */
export interface ReadEntry {
  readonly hook: Hook | undefined;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads one entry with all its problems at their places; what is wrong with it touches no other entry. */
export function readEntry(
  { tree, index, flaws }: RawEntry,
  { place }: ConfigDocument,
  layer: Layer,
  around: HookSurroundings,
  wantsWarnings = true,
): ReadEntry {
  const placed = (problem: Problem) => {
    const wanted = ABOUT_THE_KEY.has(problem.code) ? "key" : "value";
    return problem.at(place(offsetAt(tree, problem.path ?? [], wanted)));
  };
  if (flaws.length > 0) {
    return { hook: undefined, errors: flaws.map(({ problem, at }) => problem.at(place(at))), warnings: [] };
  }
  const data = plain(tree);
  const read = readHook(data, 0, wantsWarnings);
  const found = wantsWarnings
    ? [...wrongEvents(data, read.spec), ...bothEvents(read.spec), ...withheld(read.spec)]
    : [];
  const warnings = [...read.warnings, ...found].map(placed);
  if (read.errors.length > 0) return { hook: undefined, errors: read.errors.map(placed), warnings };
  try {
    return {
      hook: Hook.fromJSON(data, { layer, place: place(tree.at), index }, { ...around, read }),
      errors: [],
      warnings,
    };
  } catch (error) {
    const problem = error instanceof Problem ? error : PROBLEMS.unusable({ why: String(error) }, { cause: error });
    return { hook: undefined, errors: [placed(problem)], warnings };
  }
}

/** Codes of what keeps a hook from ever being called: read all the same, and a problem for commands that check. */
export const NEVER_FIRES: ReadonlySet<string> = new Set([
  "config/unknown-event",
  "config/matches-nothing",
  "config/unknown-kind",
  "config/no-tool",
]);

/** Whether a hook's events or tools are misspelt. That is told where it is read; what follows from it is not told again. */
export function isMisspelt({ eventPattern: event, matcher }: Pick<Hook, "eventPattern" | "matcher">): boolean {
  return [unmatchedEvents, unknownKinds, toolless].some((look) => look({ event }, { event, matcher }).length > 0);
}

type Listens = Pick<HookSpec, "name" | "event" | "matcher">;

/** Whatever is wrong with the events and tools that a hook names. */
function wrongEvents(data: unknown, spec: HookSpec): Problem[] {
  const { event, matcher } = spec;
  const key = typeof event === "string" && matcher === undefined ? event.replace(PLAIN_TOOL, "$1:tool") : undefined;
  if (key !== undefined && FLAWLESS.has(key)) return [];
  const found = [unmatchedEvents, unknownKinds, fourParts, toolless].flatMap((look) => look(data, spec));
  if (key !== undefined && found.length === 0 && FLAWLESS.size < MOST_FLAWLESS) FLAWLESS.add(key);
  return found;
}

/** The same pattern stands in thousands of hooks; what nothing is wrong with is looked at once. */
const FLAWLESS = new Set<string>();
/** What is wrong with an event does not depend on the name of its one tool. */
const PLAIN_TOOL = /^([a-z]+:[a-z_]+):[\w-]+$/;
const MOST_FLAWLESS = 4096;

/** Events that are listened for and never come. */
function unmatchedEvents(data: unknown, { name, event, matcher }: Listens): Problem[] {
  const key = Object.keys(Object(data)).find((candidate) => fieldNamed(candidate) === "event");
  const events: unknown = matcher?.events;
  const patterns: (readonly [text: unknown, path: Path])[] =
    key !== undefined
      ? [[event, [key]]]
      : Array.isArray(events)
        ? events.map((text, index) => [text, ["matcher", "events", index]])
        : [];
  if (typeof event === "string" && alternatives(event).length === 0)
    return [PROBLEMS.matchesNothing({ name }, { path: [key ?? "event"] })];
  return patterns.flatMap(([text, path]) => {
    const unmatched = typeof text === "string" ? unmatchedAlternative(text) : undefined;
    return unmatched === undefined ? [] : [PROBLEMS.unknownEvent({ name, unmatched }, { path })];
  });
}

/** Tools that look like a kind and are none. */
function unknownKinds(data: unknown, { name, event, matcher }: Listens): Problem[] {
  const key = Object.keys(Object(data)).find((candidate) => fieldNamed(candidate) === "event") ?? "event";
  const inEvent =
    typeof event === "string" ? alternatives(event).map((one) => one.slice(one.lastIndexOf(":") + 1)) : [];
  const tools: unknown = matcher?.tools;
  const inMatcher = Array.isArray(tools) ? tools.map(String) : [];
  const kinds = [
    ...inEvent.map((kind) => ({ kind: kind.trim(), path: [key] as Path })),
    ...inMatcher.map((kind, index) => ({ kind, path: ["matcher", "tools", index] as Path })),
  ];
  return kinds
    .filter(({ kind }) => kind.startsWith("@") && !isToolKind(kind))
    .map(({ kind, path }) => PROBLEMS.unknownKind({ name, kind }, { path }));
}

/** A fourth part: it belongs to the tool's name, and hardly any tool has a colon in its name. */
function fourParts(data: unknown, { name, event, matcher }: HookSpec): Problem[] {
  const key = Object.keys(Object(data)).find((candidate) => fieldNamed(candidate) === "event");
  const pattern: unknown = event ?? (Array.isArray(matcher?.events) ? matcher.events.join(",") : undefined);
  if (typeof pattern !== "string") return [];
  const path = key === undefined ? ["matcher", "events"] : [key];
  return alternatives(pattern).flatMap((one) => {
    const parts = one.split(":").map((part) => part.trim());
    const tool = parts.slice(eventsMatchedBy(parts[0] ?? "").length > 0 ? 1 : 2);
    if (tool.length < 2 || tool[0] !== "*") return [];
    return [PROBLEMS.fourParts({ name, pattern: one, tool: tool.join(":") }, { path })];
  });
}

/** Tools that are wanted where no event has one. */
function toolless(data: unknown, { name, event, matcher }: Listens): Problem[] {
  const key = Object.keys(Object(data)).find((candidate) => fieldNamed(candidate) === "event") ?? "event";
  const tools: unknown = matcher?.tools;
  const wantsTools = Array.isArray(tools) && tools.length > 0 && !tools.includes("*");
  const pattern: unknown = event ?? (Array.isArray(matcher?.events) ? matcher.events.join(",") : undefined);
  if (typeof pattern !== "string") return [];
  if (wantsTools && neverHasTool(pattern)) return [PROBLEMS.noTool({ name, pattern }, { path: ["matcher", "tools"] })];
  return alternatives(pattern)
    .filter((one) => neverHasTool(one) && [...compilePattern(one).events.values()].every((tool) => tool !== "always"))
    .map((one) =>
      PROBLEMS.noTool({ name, pattern: one }, { path: event === undefined ? ["matcher", "events"] : [key] }),
    );
}

/** Whether no event that a pattern means ever comes with a tool. */
export function neverHasTool(pattern: string): boolean {
  const events = [...compilePattern(pattern).events.keys()];
  return events.length > 0 && events.every((name) => !WITH_TOOL.has(name) && WITHOUT_TOOL.has(categoryOf(name)));
}

function categoryOf(name: string): string {
  return name.slice(0, name.indexOf(":"));
}

const WITHOUT_TOOL: ReadonlySet<string> = new Set(["session", "user", "config", "worktree", "file", "task"]);
/** An error names the tool that made it. */
const WITH_TOOL: ReadonlySet<string> = new Set(["session:error"]);

/** Events of a matcher that a stated event makes useless. */
function bothEvents({ name, event, matcher }: HookSpec): Problem[] {
  if (event === undefined || Object(matcher).events === undefined) return [];
  return [PROBLEMS.bothEvents({ name }, { path: ["matcher", "events"] })];
}

/** Variables that are set for a hook and never reach it. */
function withheld({ name, env }: HookSpec): Problem[] {
  return Object.keys(Object(env))
    .filter(isHijack)
    .map((variable) => PROBLEMS.withheldVariable({ name, variable }, { path: ["env", variable] }));
}

/** The nearest event, with the tool part as it was: `tool:pre_exec:bash` names event and tool, so does `PreTolUse:bash`. */
function suggestion(unmatched: string): string {
  const parts = unmatched.split(":");
  const isCanonical = (spelling: string) => spelling.includes(":");
  const spellings = eventSpellings();
  const found = [
    [nearest(parts.slice(0, 2).join(":"), spellings.filter(isCanonical)), parts.slice(2)] as const,
    [
      nearest(
        parts[0] ?? "",
        spellings.filter((spelling) => !isCanonical(spelling)),
      ),
      parts.slice(1),
    ] as const,
  ].find(([name]) => name !== undefined);
  return found === undefined ? "" : `Did you mean "${[found[0], ...found[1]].join(":")}"? `;
}

function labelled(name: unknown): string {
  return typeof name === "string" ? `hook "${name}"` : "a hook";
}

const ABOUT_THE_KEY = new Set([
  "hook/unknown-key",
  "hook/unknown-member-key",
  "hook/unknown-condition",
  "hook/other-kind",
  "hook/said-twice",
  "hook/missing",
  "hook/no-event",
  "config/withheld-variable",
  "config/both-events",
]);

const PROBLEMS = problems("config", {
  unknownEvent: ({ name, unmatched }: { name: unknown; unmatched: string }) => ({
    what: `${labelled(name)} listens for "${unmatched}", which no agent emits.`,
    fix: `${suggestion(unmatched)}\`sluice events\` lists them all.`,
  }),
  matchesNothing: ({ name }: { name: unknown }) => ({
    what: `${labelled(name)} names no event; it never fires.`,
    fix: 'Write `event: "tool:pre_execute"`, for example, or "*" for all; `sluice events` lists them.',
  }),
  fourParts: ({ name, pattern, tool }: { name: unknown; pattern: string; tool: string }) => ({
    what: `${labelled(name)} listens for "${pattern}": the third part is the tool, and "${tool}" matches only tools with a colon in their name.`,
    fix: "Write category:event:tool, such as tool:pre_execute:bash.",
  }),
  unknownKind: ({ name, kind }: { name: unknown; kind: string }) => ({
    what: `${labelled(name)} names an unknown tool kind "${kind}"; it never fires.`,
    fix: didYouMean(kind, Object.keys(TOOL_KINDS)) || `There are ${Object.keys(TOOL_KINDS).join(", ")}.`,
  }),
  noTool: ({ name, pattern }: { name: unknown; pattern: string }) => ({
    what: `${labelled(name)} names a tool for "${pattern}", an event without a tool; it never fires.`,
    fix: "Leave the tool out, or listen for an event of a tool, such as tool:pre_execute.",
  }),
  bothEvents: ({ name }: { name: unknown }) => ({
    what: `${labelled(name)} has an \`event\`, and the \`events\` of its matcher do nothing beside it.`,
    fix: "Keep one of them.",
  }),
  withheldVariable: ({ name, variable }: { name: unknown; variable: string }) => ({
    what: `${labelled(name)} sets ${variable}, which changes how programs load and never reaches a hook.`,
    fix: "Remove it, or set it inside the command.",
  }),
  unusable: ({ why }: { why: string }) => ({
    what: `This hook cannot be used: ${why}.`,
    fix: "Change or remove it.",
  }),
});
