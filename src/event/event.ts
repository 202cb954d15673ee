import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import { type Alias, type EventName, eventNamed, eventSpec, eventSpellings } from "./catalogue.ts";
import { environmentOf } from "./environment.ts";
import { budgetOf, type EventBudget, findBudgetsBy } from "./event-budget.ts";
import { attachRoot, type EventFacts, isRecorded, markRecorded, realRootOfEvent, rootOfEvent } from "./field.ts";
import { jsonSafe, toJsonText } from "./json.ts";
import { attachObserved, observedOf } from "./observed.ts";

/** What an agent or a program hands over to make an event. */
export interface EventInit {
  readonly type: EventName | Alias;
  readonly data?: object;
  readonly toolName?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Seconds since 1970; now, when left out. */
  readonly timestamp?: number | undefined;
  readonly cwd?: string | undefined;
  readonly agent?: string | undefined;
  /** The agent's own payload, kept as it came. */
  readonly raw?: unknown;
}

/** What a factory may add to an event. */
export type EventExtras = Omit<EventInit, "type" | "data" | "toolName">;

/** Says what is left of the work for an event, to what looks at the event alone. */
export let attachBudget: (event: object, budget: EventBudget | undefined) => void;

/** An event of a tool, which always has its name. */
export type ToolHookEvent = HookEvent & { readonly toolName: string };

/** One thing that happens in an agent. */
export class HookEvent implements EventFacts {
  readonly type: EventName;
  readonly timestamp: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly toolName: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly agent: string | undefined;
  readonly raw: unknown;
  /** Kept here, because a table by object costs more than any guard. */
  #budget: EventBudget | undefined;

  static {
    attachBudget = (event, budget) => {
      if (#budget in event) event.#budget = budget ?? event.#budget;
      else if (budget !== undefined) BUDGETS.set(event, budget);
    };
    findBudgetsBy((event) => (#budget in event ? event.#budget : BUDGETS.get(event)));
  }

  constructor(init: EventInit) {
    const type = eventNamed(String(init?.type));
    if (type === undefined) throw PROBLEMS.unknown({ name: String(init?.type) });
    const data = (init.data ?? {}) as Readonly<Record<string, unknown>>;
    this.type = isFailedTool(init.type, data) ? "tool:error" : type;
    this.timestamp = init.timestamp ?? Date.now() / 1000;
    this.data = data;
    this.toolName = text(init.toolName, "toolName") ?? (typeof data.tool === "string" ? data.tool : undefined);
    this.sessionId = text(init.sessionId, "sessionId");
    this.cwd = text(init.cwd, "cwd");
    this.agent = text(init.agent, "agent");
    this.raw = init.raw;
    Object.freeze(this);
  }

  /** Can a hook still stop what this event announces? */
  get isGate(): boolean {
    return eventSpec(this.type).gate;
  }

  /** The environment of a command hook that matches this event; long values are left out. */
  toEnv(): Record<string, string> {
    return environmentOf(this).small;
  }

  /** The event as it goes over a wire; `JSON.stringify(event)` always works. */
  toJSON(): Record<string, unknown> {
    return this.#wire(stringifies(this.data) ? this.data : jsonSafe(this.data));
  }

  /** The event as JSON text: what a command hook reads on its standard input. */
  toText(): string {
    return toJsonText(this.#wire(this.data));
  }

  #wire(data: unknown): Record<string, unknown> {
    return {
      type: this.type,
      timestamp: this.timestamp,
      data,
      ...(this.toolName === undefined ? {} : { tool_name: this.toolName }),
      ...(this.sessionId === undefined ? {} : { session_id: this.sessionId }),
      ...(this.cwd === undefined ? {} : { cwd: this.cwd }),
      ...(this.agent === undefined ? {} : { agent: this.agent }),
    };
  }

  /** The same hook event with other data; what a hook changed is passed on this way. */
  withData(data: object): HookEvent {
    const changed = newEvent({ ...this, data });
    attachRoot(changed, rootOfEvent(this), realRootOfEvent(this) ?? rootOfEvent(this));
    if (isRecorded(this)) markRecorded(changed);
    attachBudget(changed, budgetOf(this));
    attachObserved(changed, observedOf(this));
    return changed;
  }

  static toolPreExecute(tool: string, args: unknown, extras?: EventExtras): ToolHookEvent {
    return toolEvent("tool:pre_execute", tool, { tool_args: args }, extras);
  }

  static toolPostExecute(tool: string, args: unknown, result: unknown, extras?: EventExtras): ToolHookEvent {
    const data = { tool_args: args, tool_result: result };
    return toolEvent("tool:post_execute", tool, data, extras);
  }

  static toolError(tool: string, args: unknown, error: unknown, extras?: EventExtras): ToolHookEvent {
    const data = { tool_args: args, error: errorText(error) };
    return toolEvent("tool:error", tool, data, extras);
  }

  static llmPreRequest(model: string, data?: object, extras?: EventExtras): HookEvent {
    return newEvent({ ...extras, type: "llm:pre_request", data: { ...data, llm_model: model } });
  }

  static llmPostResponse(model: string, tokens: unknown, data?: object, extras?: EventExtras): HookEvent {
    return newEvent({
      ...extras,
      type: "llm:post_response",
      data: { ...data, llm_model: model, llm_tokens: tokens },
    });
  }

  static sessionStart(sessionId: string, data?: object, extras?: EventExtras): HookEvent {
    return newEvent({ ...extras, type: "session:start", sessionId, data: { ...data } });
  }

  static sessionEnd(sessionId: string, data?: object, extras?: EventExtras): HookEvent {
    return newEvent({ ...extras, type: "session:end", sessionId, data: { ...data } });
  }

  static permissionCheck(tool: string, level: string, data?: object, extras?: EventExtras): ToolHookEvent {
    return toolEvent("permission:check", tool, { ...data, perm_level: level }, extras);
  }

  static userPromptSubmit(prompt: string, extras?: EventExtras): HookEvent {
    return newEvent({ ...extras, type: "user:prompt_submit", data: { prompt } });
  }
}

/** Budgets of events that another copy of this package has made. */
const BUDGETS = new WeakMap<object, EventBudget>();

/** Stands outside of the class: the bundler renames a class that names itself, and a user who prints one reads that name. */
function newEvent(init: EventInit): HookEvent {
  return new HookEvent(init);
}

/** Member by member: adding members to a spread costs microseconds, and this happens at every call. */
function toolEvent(type: EventName, toolName: string, data: object, extras?: EventExtras | null): ToolHookEvent {
  const { sessionId, timestamp, cwd, agent, raw } = extras ?? {};
  // It was just given its tool.
  return new HookEvent({ type, toolName, data, sessionId, timestamp, cwd, agent, raw }) as ToolHookEvent;
}

/** Programs without types hand over anything; what is not text here would break every hook that matches it. */
function text(value: unknown, field: keyof EventInit): string | undefined {
  if (typeof value === "string") return value;
  if (value !== undefined && value !== null) throw PROBLEMS.noText({ field, value });
  return undefined;
}

const PROBLEMS = problems("event", {
  unknown: ({ name }: { name: string }) => ({
    what: `"${name}" is not an event of Sluice.`,
    fix: `${didYouMean(name, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  noText: ({ field, value }: { field: string; value: unknown }) => ({
    what: `The \`${field}\` of an event is ${toJsonText(value).slice(0, 60)}; it has to be a string.`,
    fix: "Pass a string, or leave it out.",
  }),
});

/** `PostToolUse` names both ends of a call; with an error it is the failed one. */
function isFailedTool(type: string, { error }: Readonly<Record<string, unknown>>): boolean {
  return (type === "PostToolUse" || type === "post_tool_use") && error !== undefined && error !== null;
}

/** What was thrown, as text; anything can be thrown, and reading it must not throw again. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return String(error.message);
  return typeof error === "object" && error !== null ? toJsonText(error) : String(error);
}

function stringifies(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
