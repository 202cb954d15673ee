import { eventSpellings, eventsMatchedBy } from "../event/catalogue.ts";
import {
  alternatives,
  anyTool,
  compilePattern,
  compileTool,
  type ToolTest,
  unmatchedAlternative,
} from "../event/pattern.ts";
import { isToolKind, TOOL_KINDS, toolMeantBy } from "../event/tool-kinds.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { fieldNamed, type HookSpec } from "./schema.ts";

type Path = readonly (string | number)[];
type Values = Readonly<Record<string, unknown>>;

/** Everything that is wrong with the events and tools that a hook names. Such a hook can never run. */
export function eventProblems(data: object, spec: HookSpec): Problem[] {
  const { event, matcher, when } = spec;
  const key = typeof event === "string" && !matcher && !when ? event : undefined;
  if (key !== undefined && FLAWLESS.has(key)) return [];
  const label = typeof spec.name === "string" ? `hook "${spec.name}"` : "a hook";
  const found = listeningIn(data, spec).flatMap((one) => problemsIn(one, label));
  if (key !== undefined && found.length === 0 && FLAWLESS.size < MAX_FLAWLESS) FLAWLESS.add(key);
  return found;
}

/** The same pattern is in thousands of hooks. One without a problem is looked at once. */
const FLAWLESS = new Set<string>();
const MAX_FLAWLESS = 4096;

/** One condition on events and tools: of a hook, or of a `when`. */
interface Listening {
  readonly events: readonly Written[];
  readonly tools: readonly Written[];
  readonly sessions: readonly Written[];
}

interface Written {
  readonly text: string;
  readonly path: Path;
}

function listeningIn(data: object, { event, matcher, when }: HookSpec): Listening[] {
  const key = Object.keys(data).find((candidate) => fieldNamed(candidate) === "event") ?? "event";
  const given = Object(when) as Values;
  const own = listening({ event, matcher }, [], key);
  return when === undefined ? [own] : [own, listening(given, ["when"], "event")];
}

function listening({ event, matcher, tool }: Values, above: Path, key: string): Listening {
  const inMatcher = (name: string) => {
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [name, ...(camel === name ? [] : [camel])].flatMap((spelled) =>
      textsAt((Object(matcher) as Values)[spelled], [...above, "matcher", spelled]),
    );
  };
  const stated = textsAt(event, [...above, key]);
  return {
    // A stated event makes those of the matcher useless, which is reported elsewhere.
    events: stated.length > 0 ? stated : inMatcher("events"),
    tools: [...inMatcher("tools"), ...textsAt(tool, [...above, "tool"])],
    sessions: inMatcher("session_types"),
  };
}

function textsAt(value: unknown, path: Path): Written[] {
  if (typeof value === "string") return [{ text: value, path }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((text: unknown, index) => (typeof text === "string" ? [{ text, path: [...path, index] }] : []));
}

function problemsIn({ events, tools, sessions }: Listening, label: string): Problem[] {
  const found = [
    ...events.flatMap((written) => eventProblem(written, label) ?? []),
    ...tools.flatMap(({ text, path }) => {
      // Spellings of a tool beside its own name do no harm.
      const meant = toolMeantBy(text)?.toLowerCase();
      const isVariant = tools.some(({ text: other }) => other !== text && other.toLowerCase() === meant);
      return isVariant ? [] : (toolProblem(text, label, path) ?? []);
    }),
    ...sessions.flatMap(({ text, path }) => {
      const meant = SESSION_TYPES.includes(text) ? undefined : nearest(text, SESSION_TYPES);
      return meant === undefined ? [] : [PROBLEMS.unknownSession({ label, type: text, meant }, { path })];
    }),
  ];
  return found.length > 0 ? found : (noTool(events, tools, label) ?? contradiction(events, tools, label));
}

const SESSION_TYPES: readonly string[] = ["root", "subagent"];

function eventProblem({ text, path }: Written, label: string): Problem[] | undefined {
  const all = alternatives(text);
  if (all.length === 0) return [PROBLEMS.matchesNothing({ label }, { path })];
  const unmatched = unmatchedAlternative(text);
  if (unmatched !== undefined) return [PROBLEMS.unknownEvent({ label, unmatched }, { path })];
  return all.flatMap((one) => {
    const tool = toolPartOf(one);
    if (tool === undefined) return [];
    const [first = "", ...rest] = tool.split(":").map((part) => part.trim());
    const isKnown = first === "*" || isToolKind(first) || toolMeantBy(first) === first;
    if (rest.length > 0 && (isKnown || [first, ...rest].includes("")))
      return [PROBLEMS.fourParts({ label, pattern: one, tool }, { path })];
    if (tool === "") return [PROBLEMS.emptyTool({ label, pattern: one }, { path })];
    return (
      toolProblem(tool, label, path) ?? (neverHasTool(one) ? [PROBLEMS.noTool({ label, pattern: one }, { path })] : [])
    );
  });
}

/** The part of an alternative after its event; `undefined` if there is none. */
function toolPartOf(alternative: string): string | undefined {
  const parts = alternative.split(":").map((part) => part.trim());
  const after = parts.slice(eventsMatchedBy(parts[0] ?? "").length > 0 ? 1 : 2);
  return after.length === 0 ? undefined : after.join(":");
}

function toolProblem(tool: string, label: string, path: Path): Problem[] | undefined {
  if (tool.trim() === "") return [PROBLEMS.emptyTool({ label, pattern: tool }, { path })];
  if (tool.startsWith("@") && !isToolKind(tool)) return [PROBLEMS.unknownKind({ label, kind: tool }, { path })];
  const near = toolMeantBy(tool);
  return near === undefined || near === tool ? undefined : [TOOL_PROBLEMS.nearTool({ label, tool, near }, { path })];
}

/** Tools that are wanted where no event has one. */
function noTool(events: readonly Written[], tools: readonly Written[], label: string): Problem[] | undefined {
  const [first] = tools;
  const pattern = events.map(({ text }) => text).join(",");
  if (first === undefined || pattern === "" || tools.some(({ text }) => text === "*") || !neverHasTool(pattern))
    return undefined;
  const path = first.path.slice(0, typeof first.path.at(-1) === "number" ? -1 : undefined);
  return [PROBLEMS.noTool({ label, pattern }, { path })];
}

/** Tools of the event, and other tools beside them: both conditions never hold together. */
function contradiction(events: readonly Written[], tools: readonly Written[], label: string): Problem[] {
  const [first] = tools;
  const [event] = events;
  if (first === undefined || event === undefined) return [];
  const inEvents = events.flatMap(({ text }) => alternatives(text).map(toolPartOf));
  const named = inEvents.filter((tool) => tool !== undefined);
  if (named.length < inEvents.length) return [];
  const [one, other] = [anyTool(named.map(compileTool)), anyTool(tools.map(({ text }) => compileTool(text)))];
  if (mayMeet(one, other)) return [];
  const given = tools.map(({ text }) => text).join(", ");
  const path = first.path.slice(0, typeof first.path.at(-1) === "number" ? -1 : undefined);
  return [PROBLEMS.otherTools({ label, event: named.join(", "), tools: given }, { path })];
}

/** Whether a tool may fit both tests. It is certain only where one of them lists its tools. */
function mayMeet(one: ToolTest, other: ToolTest): boolean {
  if (one.names !== undefined) return one.names.some(other.holds);
  return other.names === undefined || other.names.some(one.holds);
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

/**
 * The widest pattern of events that a pattern with problems may have meant: its event where that can be read, all events of
 * its category where only that can be read, else every event. A tool that cannot be read is left out.
 */
export function meantPattern(pattern: unknown): string {
  const all = typeof pattern === "string" ? alternatives(pattern) : [];
  return all.length === 0 ? "*" : [...new Set(all.map(meantAlternative))].join(",");
}

function meantAlternative(alternative: string): string {
  const parts = alternative.split(":").map((part) => part.trim());
  const tool = toolPartOf(alternative)?.split(":", 1)[0] ?? "";
  const meant = isToolKind(tool) ? tool : toolMeantBy(tool);
  const suffix = meant === undefined || tool.includes("*") ? "" : `:${meant}`;
  const [first = "", second = ""] = parts;
  if (eventsMatchedBy(first).length > 0) return `${first}${suffix}`;
  const isCategory = compilePattern(`${first}:*`).events.size > 0;
  if (!isCategory) return "*";
  const event = compilePattern(`${first}:${second}`).events.size > 0 ? second : "*";
  return `${first}:${event}${suffix}`;
}

/** The nearest event, with the tool part as it is written: `tool:pre_exec:bash` names event and tool, so does `PreTolUse:bash`. */
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

const PROBLEMS = problems("config", {
  unknownEvent: ({ label, unmatched }: { label: string; unmatched: string }) => ({
    what: `${label} listens for "${unmatched}", which no agent emits.`,
    fix: `${suggestion(unmatched)}\`sluice events\` lists them all.`,
  }),
  matchesNothing: ({ label }: { label: string }) => ({
    what: `${label} names no event; it never fires.`,
    fix: 'Write `event: "tool:pre_execute"`, for example, or "*" for all; `sluice events` lists them.',
  }),
  fourParts: ({ label, pattern, tool }: { label: string; pattern: string; tool: string }) => ({
    what: `${label} listens for "${pattern}": the third part is the tool, and no tool is called "${tool}".`,
    fix: "Write category:event:tool, such as tool:pre_execute:bash.",
  }),
  emptyTool: ({ label, pattern }: { label: string; pattern: string }) => ({
    what: `${label} names an empty tool in "${pattern}"; it never fires.`,
    fix: "Leave out the last colon for every tool, or name one: tool:pre_execute:@shell.",
  }),
  unknownKind: ({ label, kind }: { label: string; kind: string }) => ({
    what: `${label} names an unknown tool kind "${kind}"; it never fires.`,
    fix: didYouMean(kind, Object.keys(TOOL_KINDS)) || `There are ${Object.keys(TOOL_KINDS).join(", ")}.`,
  }),
  noTool: ({ label, pattern }: { label: string; pattern: string }) => ({
    what: `${label} names a tool for "${pattern}", an event without a tool; it never fires.`,
    fix: "Leave the tool out, or listen for an event of a tool, such as tool:pre_execute.",
  }),
  otherTools: ({ label, event, tools }: { label: string; event: string; tools: string }) => ({
    what: `${label} names the tool ${event} in its event and ${tools} beside it; no call is of both, so it never fires.`,
    fix: "Name the tools in one of the two places.",
  }),
  unknownSession: ({ label, type, meant }: { label: string; type: string; meant: string }) => ({
    what: `${label} names the session type "${type}", which no agent has; it never fires.`,
    fix: `Did you mean "${meant}"?`,
  }),
});

const TOOL_PROBLEMS = problems("hook", {
  nearTool: ({ label, tool, near }: { label: string; tool: string; near: string }) => ({
    what: `${label} matches the tool ${tool}, which no agent is known to have; names of tools compare exactly.`,
    fix: `Did you mean "${near}"? A tool kind such as @shell means such a tool in every agent.`,
  }),
});
