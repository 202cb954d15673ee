import type { EventName } from "../event/catalogue.ts";

/** What a value of a context has to be: a named kind, one of some texts, a list of objects, or an object with fields. */
type Shape = "any" | "string" | "name" | "boolean" | "object" | "texts" | readonly string[] | Each | Fields;
interface Each {
  readonly each: Fields;
  /** Fields that an element may leave out. */
  readonly optional?: readonly string[];
}
interface Fields {
  readonly [name: string]: Shape;
}

/** One position in an agent's loop. */
export interface PointSpec {
  /** The event that hooks of Sluice get for it. */
  readonly event: EventName;
  /** The fields that a context must have here, which are also what its identity is made of. */
  readonly fields: Fields;
  /** Where the value is that a verdict may rewrite. */
  readonly target: readonly [field: string, key?: string];
  readonly isTransformable: boolean;
  readonly when: string;
}

const TOOL_CALL = { id: "name", name: "name", args: "object" } as const;

/** The eight interception points, in the order of a session. */
export const POINTS = {
  agent_startup: {
    event: "session:start",
    fields: { agent_init: { tools_registered: "texts" } },
    target: ["agent_init"],
    isTransformable: false,
    when: "once, before the first input of a session",
  },
  input: {
    event: "user:prompt_submit",
    fields: { input: { content: "any", role: ["user", "system", "external"] } },
    target: ["input"],
    isTransformable: true,
    when: "a request enters the session",
  },
  pre_model_call: {
    event: "llm:pre_request",
    fields: { model: { id: "string" }, messages: { each: { role: "string", content: "any" } } },
    target: ["messages"],
    isTransformable: true,
    when: "a request is about to go to the model",
  },
  post_model_call: {
    event: "llm:post_response",
    fields: {
      model: { id: "string" },
      response: {
        content: "any",
        tool_calls: { each: { id: "string", name: "string", args: "object" }, optional: ["id"] },
        finish_reason: "string",
      },
    },
    target: ["response"],
    isTransformable: true,
    when: "the model has answered",
  },
  pre_tool_call: {
    event: "tool:pre_execute",
    fields: { tool_call: TOOL_CALL },
    target: ["tool_call", "args"],
    isTransformable: true,
    when: "a tool is about to run",
  },
  post_tool_call: {
    event: "tool:post_execute",
    fields: { tool_call: TOOL_CALL, tool_result: { value: "any", is_error: "boolean" } },
    target: ["tool_result", "value"],
    isTransformable: true,
    when: "a tool has run, with success or an error",
  },
  output: {
    event: "session:message",
    fields: { output: { content: "any" } },
    target: ["output"],
    isTransformable: true,
    when: "the final response is about to be returned",
  },
  agent_shutdown: {
    event: "session:end",
    fields: { summary: { reason: ["completed", "error", "cancelled"] } },
    target: ["summary"],
    isTransformable: false,
    when: "once, at the end of a session",
  },
} as const satisfies Readonly<Record<string, PointSpec>>;

/** The name of an interception point. */
export type InterceptionPoint = keyof typeof POINTS;

/** The row of a point. */
export function pointSpec(point: InterceptionPoint): PointSpec {
  return POINTS[point];
}

/** What an interceptor gets: required fields, those of its point, and whatever the host adds. */
export interface AgentContext {
  readonly spec: string;
  readonly interception_point: InterceptionPoint;
  readonly timestamp: string;
  readonly sequence: number;
  readonly agent: { readonly id: string; readonly framework: string; readonly [key: string]: unknown };
  readonly session: { readonly id: string; readonly [key: string]: unknown };
  readonly target: unknown;
  readonly input?: { readonly content: unknown; readonly role: string };
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tool_call?: { readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  readonly tool_result?: { readonly value: unknown; readonly is_error: boolean };
  /** The other fields of a point, and whatever the host adds. */
  readonly [field: string]: unknown;
}

const ENVELOPE: Fields = {
  spec: "string",
  timestamp: "string",
  agent: { id: "name", framework: "name" },
  session: { id: "name" },
};

/** The path and reason of the first field that is missing or has the wrong type; undefined if the context is valid. */
export function whyInvalid(context: unknown): string | undefined {
  if (!isRecord(context)) return "the context is not an object";
  const { interception_point: point, sequence, spec, timestamp } = context;
  if (!isPoint(point)) return "interception_point is not one of the eight points";
  if (!Number.isSafeInteger(sequence) || Number(sequence) < 0) return "sequence is not an integer of 0 or more";
  const why = wrongField(context, ENVELOPE, "") ?? wrongField(context, POINTS[point].fields, "");
  if (why !== undefined) return why;
  if (!/^agent-hooks\/\d+\.\d+$/.test(String(spec))) return "spec does not name a version of agent-hooks";
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(String(timestamp)))
    return "timestamp is not an RFC 3339 time";
  const { framework } = context.agent as { readonly framework: string };
  if (!/^[a-z0-9_-]+$/.test(framework)) return "agent.framework is not a lowercase identifier";
  return Object.hasOwn(context, "target") ? undefined : "target is missing";
}

/** Whether a value names one of the eight points. */
function isPoint(value: unknown): value is InterceptionPoint {
  return typeof value === "string" && Object.hasOwn(POINTS, value);
}

/** The part of a context that its identity is made of: required fields, and of them the known keys. */
export function requiredPart(context: AgentContext): object {
  const { spec, interception_point, timestamp, sequence, agent, session } = context;
  const { fields, target } = pointSpec(interception_point);
  const own = picked(context, fields);
  const envelope = { agent: { id: agent.id, framework: agent.framework }, session: { id: session.id } };
  return { spec, interception_point, timestamp, sequence, ...envelope, ...own, target: valueAt(own, target) };
}

/** The value that a point's verdicts may rewrite, in a context or a part of one. */
export function valueAt(context: object, [field, key]: PointSpec["target"]): unknown {
  const value = (context as Record<string, unknown>)[field];
  return key === undefined ? value : Object(value)[key];
}

/** The context with another target, in both places where a context has it. */
export function withTarget(context: AgentContext, target: unknown): AgentContext {
  const [field, key] = pointSpec(context.interception_point).target;
  const whole = key === undefined ? target : { ...Object(context[field]), [key]: target };
  return { ...context, [field]: whole, target };
}

function picked(context: object, fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, shape]) => {
      const value = (context as Record<string, unknown>)[name];
      return [name, isFields(shape) ? picked(Object(value), shape) : value];
    }),
  );
}

function wrongField(value: Record<string, unknown>, fields: Fields, at: string): string | undefined {
  for (const [name, shape] of Object.entries(fields)) {
    const path = at + name;
    if (!Object.hasOwn(value, name)) return `${path} is missing`;
    const why = wrongValue(value[name], shape, path);
    if (why !== undefined) return why;
  }
  return undefined;
}

function wrongValue(value: unknown, shape: Shape, path: string): string | undefined {
  if (typeof shape === "string") return KINDS[shape](value) ? undefined : `${path} is not ${KIND_NAMES[shape]}`;
  if (isChoice(shape)) return shape.includes(String(value)) ? undefined : `${path} is not one of ${shape.join(", ")}`;
  if (isFields(shape)) return isRecord(value) ? wrongField(value, shape, `${path}.`) : `${path} is not an object`;
  if (!Array.isArray(value)) return `${path} is not a list`;
  const { each, optional = [] } = shape as Each;
  for (const [at, item] of value.entries()) {
    if (!isRecord(item)) return `${path}[${at}] is not an object`;
    const needed = Object.entries(each).filter(([name]) => !optional.includes(name) || Object.hasOwn(item, name));
    const why = wrongField(item, Object.fromEntries(needed), `${path}[${at}].`);
    if (why !== undefined) return why;
  }
  return undefined;
}

type Kind = Extract<Shape, string>;
const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === "string",
  name: (value) => typeof value === "string" && value !== "",
  boolean: (value) => typeof value === "boolean",
  object: isRecord,
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const KIND_NAMES: Readonly<Record<Kind, string>> = {
  any: "a value",
  string: "a string",
  name: "a string that is not empty",
  boolean: "true or false",
  object: "an object",
  texts: "a list of strings",
};

function isChoice(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}

function isFields(shape: Shape): shape is Fields {
  return typeof shape === "object" && !isChoice(shape) && !Object.hasOwn(shape, "each");
}

/** Whether a value is an object of JSON. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
