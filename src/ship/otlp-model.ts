import { basename } from "node:path";
import { oncePerObject } from "../event/once.ts";
import { sha256 } from "../fs/read-once.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import { recordedInput } from "../trace/recorded-event.ts";
import { callIdOf, type ShippedRecord } from "./sink.ts";

/** An attribute as OTLP has it. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };

/** Attributes of what is given; what is not there has none. */
export function attributesOf(
  given: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): OtlpAttribute[] {
  return Object.entries(given).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [{ key, value: otlpValue(value) }],
  );
}

function otlpValue(value: string | number | boolean | readonly string[]): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return { doubleValue: value };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}

/** The log record of a decision. */
export function logOf(shipped: ShippedRecord): object {
  const { record } = shipped;
  const at = nanos(Date.parse(record.time));
  const severity = SEVERITIES[hasLetPass(record) ? "letPass" : record.action] ?? INFO;
  return {
    timeUnixNano: at,
    observedTimeUnixNano: at,
    ...severity,
    eventName: "sluice.decision",
    body: { stringValue: bodyOf(record) },
    ...commonOf(shipped),
  };
}

/** The spans of a decision: the call, and one below it for each hook that said something or took its time. */
export function spansOf(shipped: ShippedRecord): object[] {
  const { key, record } = shipped;
  const common = commonOf(shipped);
  const { traceId, spanId } = common;
  const end = Date.parse(record.time);
  const start = end - record.duration_ms;
  const name = record.tool === undefined ? record.event : `execute_tool ${record.tool}`;
  const call = {
    ...common,
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(end),
    ...(record.action === "deny" && { status: { code: ERROR, message: record.reasons[0] ?? "denied" } }),
  };
  let began = start;
  const hooks = record.results.map((result, index) => {
    const ended = Math.min(end, began + result.duration_ms);
    const span = {
      traceId,
      spanId: sha256(`${key}/${index}`).slice(0, 16),
      parentSpanId: spanId,
      name: `hook ${result.hook}`,
      kind: INTERNAL,
      startTimeUnixNano: nanos(began),
      endTimeUnixNano: nanos(ended),
      attributes: hookAttributes(result),
      ...(result.failure !== undefined && { status: { code: ERROR, message: result.error ?? result.failure } }),
    };
    began = ended;
    return span;
  });
  return [call, ...hooks];
}

interface CommonFields {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly OtlpAttribute[];
}

/** What the log and the span of a decision have in common, made once. */
const commonOf = oncePerObject((shipped: ShippedRecord): CommonFields => {
  const { key, record } = shipped;
  const common = {
    traceId: traceIdOf(record, key),
    spanId: sha256(key).slice(0, 16),
    attributes: decisionAttributes(record),
  };
  return common;
});

function decisionAttributes(record: DecisionRecord): OtlpAttribute[] {
  const input = recordedInput(record);
  const isKept = typeof record.event_json === "object" && "data" in Object(record.event_json);
  return attributesOf({
    [GEN_AI.operation]: record.tool === undefined ? undefined : "execute_tool",
    [GEN_AI.agent]: record.agent,
    [GEN_AI.conversation]: record.session_id,
    [GEN_AI.tool]: record.tool,
    [GEN_AI.toolType]: record.tool === undefined ? undefined : "function",
    [GEN_AI.toolCall]: callIdOf(record.event_json),
    [GEN_AI.toolArguments]: isKept && input !== undefined ? JSON.stringify(input) : undefined,
    [ERROR_TYPE]: record.action === "deny" ? "denied" : record.event === "tool:error" ? "_OTHER" : undefined,
    [SLUICE.id]: record.id,
    [SLUICE.action]: record.action,
    [SLUICE.told]: record.told,
    [SLUICE.kind]: record.kind,
    [SLUICE.event]: record.event,
    [SLUICE.reasons]: record.reasons.length === 0 ? undefined : record.reasons,
    [SLUICE.hook]: record.results.find(({ action }) => action === record.action && action !== "continue")?.hook,
    [SLUICE.rule]: record.results.find(({ rule }) => rule !== undefined)?.rule,
    [SLUICE.project]: record.root === undefined ? undefined : basename(record.root),
    [SLUICE.policy]: record.policy,
    [SLUICE.duration]: record.duration_ms,
    [SLUICE.letPass]: hasLetPass(record) || undefined,
  });
}

function hookAttributes(result: ResultRecord): OtlpAttribute[] {
  return attributesOf({
    [SLUICE.hook]: result.hook,
    [SLUICE.hookKind]: result.kind,
    [SLUICE.hookLayer]: result.layer,
    [SLUICE.action]: result.action,
    [SLUICE.rule]: result.rule,
    [SLUICE.monitor]: result.monitor,
    [SLUICE.failure]: result.failure,
    [ERROR_TYPE]: result.failure,
  });
}

/** Whether a hook failed and the call passed all the same. */
export function hasLetPass({ action, results }: DecisionRecord): boolean {
  return action === "continue" && results.some(({ failure, async }) => failure !== undefined && !async);
}

function bodyOf({ action, tool, event, reasons }: DecisionRecord): string {
  return [`${action} ${tool ?? event}`, ...reasons].join(": ");
}

/** All decisions of a session are one trace. */
function traceIdOf({ session_id: session, agent = "" }: DecisionRecord, key: string): string {
  return sha256(session === undefined ? key : `session ${agent} ${session}`).slice(0, 32);
}

/** Nanoseconds since 1970, as text: they are more than a number can say. */
export function nanos(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, "0")}`;
}

/**
 * The version of the conventions for generative AI, which are a schema of their own. All of `gen_ai.*` has the status
 * "development" and changes: the names are those of this version, here and nowhere else.
 */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** The stable attribute that a span with the status ERROR has. */
export const ERROR_TYPE = "error.type";

/** Attributes of OpenTelemetry's conventions for generative AI. */
export const GEN_AI = {
  operation: "gen_ai.operation.name",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCall: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
} as const;

/** Attributes of our own. */
export const SLUICE = {
  id: "sluice.decision.id",
  action: "sluice.decision.action",
  told: "sluice.decision.told",
  kind: "sluice.decision.kind",
  reasons: "sluice.decision.reasons",
  event: "sluice.event",
  project: "sluice.project",
  policy: "sluice.policy",
  duration: "sluice.decision.duration_ms",
  hook: "sluice.hook.name",
  hookKind: "sluice.hook.kind",
  hookLayer: "sluice.hook.layer",
  rule: "sluice.hook.rule",
  monitor: "sluice.hook.monitor",
  failure: "sluice.hook.failure",
  letPass: "sluice.let_pass",
} as const;

/** Metrics, with their counters. */
export const METRICS = {
  decisions: { name: "sluice.decisions", unit: "{decision}", description: "decisions by agent, event and action" },
  hookDuration: { name: "sluice.hook.duration", unit: "ms", description: "how long hooks took, by hook" },
  failures: {
    name: "sluice.failures",
    unit: "{failure}",
    description: "hooks that failed, and whether the call passed",
  },
} as const;

const INTERNAL = 1;
const ERROR = 2;
const INFO = { severityNumber: 9, severityText: "INFO" } as const;
const WARN = { severityNumber: 13, severityText: "WARN" } as const;
const SEVERITIES: Readonly<Record<string, { readonly severityNumber: number; readonly severityText: string }>> = {
  deny: WARN,
  ask: WARN,
  letPass: { severityNumber: 17, severityText: "ERROR" },
};
