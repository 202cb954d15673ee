export type {
  AgentInput,
  AgentMessage,
  AgentParts,
  AgentRun,
  GuardedCall,
  ToolSeamPosture,
} from "./agent-hooks/agent-loop.ts";
export type { ApprovalRequest, ApprovalResolution, ApprovalResolver } from "./agent-hooks/approval.ts";
export type { Interceptor } from "./agent-hooks/compose.ts";
export type { Composition } from "./agent-hooks/composition.ts";
export { type AgentHooksHost, type AgentHooksOptions, agentHooks } from "./agent-hooks/host.ts";
export { canonicalJson, type IdentityProvider, JCS_SHA256 } from "./agent-hooks/identity.ts";
export {
  type AgentContext,
  type InterceptionPoint,
  POINTS as INTERCEPTION_POINTS,
  type PointSpec,
  whyInvalid as whyInvalidContext,
} from "./agent-hooks/points.ts";
export { policyInterceptor } from "./agent-hooks/policy.ts";
export type { InterceptionRecord } from "./agent-hooks/record.ts";
export type { AgentHooksSession, Emission, EnforcementMode, ModelResponse } from "./agent-hooks/session.ts";
export { replacedAt } from "./agent-hooks/transform.ts";
export type { AgentVerdict, Warning } from "./agent-hooks/verdict.ts";
export { type Hooks, type HooksSource, hooksFrom } from "./programs/hooks.ts";
