/**
 * The names that decisions have in telemetry. All of `gen_ai.*` has the status "development" and moves: the names are those
 * of this version of the conventions, here and nowhere else.
 */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";

/** Attributes of OpenTelemetry's conventions for generative AI. */
export const GEN_AI = {
  operation: "gen_ai.operation.name",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  tool: "gen_ai.tool.name",
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

/** Metrics, with what they count. */
export const METRICS = {
  decisions: { name: "sluice.decisions", unit: "{decision}", description: "decisions by agent, event and action" },
  hookDuration: { name: "sluice.hook.duration", unit: "ms", description: "how long hooks took, by hook" },
  failures: {
    name: "sluice.failures",
    unit: "{failure}",
    description: "hooks that failed, and whether the call passed",
  },
} as const;
