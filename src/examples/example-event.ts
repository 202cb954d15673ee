import { type Alias, type EventName, eventNamed, eventSpellings } from "../event/catalogue.ts";
import type { EventInit } from "../event/event.ts";
import { compilePattern } from "../event/pattern.ts";
import { TOOL_KINDS, type ToolKindName } from "../event/tool-kinds.ts";
import type { Hook } from "../hook/hook.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";

/** The pattern of the hook, as far as it determines the event of an example. */
export type ExampleListener = Pick<Hook, "eventPattern" | "patternMatches" | "toolsFor">;

/** Listens to everything; what a test means that is about no hook in particular. */
export const ANY_LISTENER: ExampleListener = { eventPattern: "*", patternMatches: () => true, toolsFor: () => "any" };

/** The event as an example states it; the rest comes from the hook's pattern. */
export interface WrittenEvent {
  readonly event?: string | undefined;
  readonly tool?: string | undefined;
  readonly args?: unknown;
  readonly prompt?: string | undefined;
  readonly data?: object | undefined;
}

/** The event that a text means: a shell command where the listener matches a shell, else a prompt. */
export function eventOfText(text: string, listener: ExampleListener): EventInit {
  const matched = matchedEvents(listener);
  for (const type of matched.filter(hasTool)) {
    const toolName = toolsOf("@shell").find((tool) => listener.patternMatches(type, tool));
    if (toolName !== undefined) return { type, toolName, data: { tool_args: { command: text } } };
  }
  if (matched.includes(PROMPT)) return { type: PROMPT, data: { prompt: text } };
  throw PROBLEMS.noText({ text });
}

/** The event that an example describes, with what it leaves out. */
export function eventOf({ event, tool, args, prompt, data }: WrittenEvent, listener: ExampleListener): EventInit {
  const type = event === undefined ? typeFor(listener, args ?? tool, prompt) : named(event);
  const toolName = tool ?? (hasTool(eventNamed(type)) ? toolFor(listener, eventNamed(type) ?? PRE, args) : undefined);
  const known = { ...(args === undefined ? {} : { tool_args: args }), ...(prompt === undefined ? {} : { prompt }) };
  return { type, toolName, data: { ...data, ...known } };
}

function named(event: string): EventName | Alias {
  if (eventNamed(event) === undefined) throw PROBLEMS.unknownEvent({ event });
  // The table has just confirmed that it is one.
  return event as EventName | Alias;
}

/** The first matched event that such an example can be about. */
function typeFor(listener: ExampleListener, act: unknown, prompt: string | undefined): EventName {
  const matched = matchedEvents(listener);
  const isMeant =
    act !== undefined ? hasTool : prompt !== undefined ? (type?: EventName) => type === PROMPT : () => true;
  return matched.find(isMeant) ?? matched[0] ?? PRE;
}

/** The tool that takes such arguments, among those that match. */
function toolFor(listener: ExampleListener, type: EventName, args: unknown): string | undefined {
  const keys = Object.keys(Object(args));
  const kinds = BY_ARGUMENT.filter(([key]) => keys.includes(key)).map(([, kind]) => kind);
  const likely = kinds.flatMap(toolsOf);
  const listed = listener.toolsFor(type);
  const known = typeof listed === "object" && !("beginnings" in listed) ? listed : [];
  return likely.find((tool) => listener.patternMatches(type, tool)) ?? known[0] ?? likely[0];
}

function matchedEvents({ eventPattern }: ExampleListener): EventName[] {
  return [...compilePattern(eventPattern).events.keys()];
}

function hasTool(type: EventName | undefined): boolean {
  return type !== undefined && /^(tool|permission):/.test(type);
}

/** The names of a kind, the best known first. */
function toolsOf(kind: ToolKindName): readonly string[] {
  const first = FIRST[kind];
  return first === undefined ? TOOL_KINDS[kind].names : [first, ...TOOL_KINDS[kind].names];
}

const PRE = "tool:pre_execute";
const PROMPT = "user:prompt_submit";
const FIRST: Partial<Record<ToolKindName, string>> = { "@shell": "Bash", "@write": "Write", "@read": "Read" };

/** Which kinds of tools take an argument of that name. */
const BY_ARGUMENT: readonly (readonly [key: string, kind: ToolKindName])[] = [
  ["command", "@shell"],
  ["file_path", "@write"],
  ["path", "@write"],
  ["file_path", "@read"],
  ["path", "@read"],
  ["pattern", "@read"],
  ["url", "@network"],
];

const PROBLEMS = problems("examples", {
  unknownEvent: ({ event }: { event: string }) => ({
    what: `"${event}" is not an event of Sluice.`,
    fix: `${didYouMean(event, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  noText: ({ text }: { text: string }) => ({
    what: `the text ${JSON.stringify(text.slice(0, 60))} means a shell command or a prompt, and the hook matches neither.`,
    fix: "Write the tool's arguments instead: { file_path: a.txt, content: text }.",
  }),
});
