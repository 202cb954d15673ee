import { problems } from "../problem/problem.ts";
import type { Hooks } from "../programs/hooks.ts";
import {
  type AgentInput,
  type AgentParts,
  type AgentRun,
  type GuardedCall,
  guardedCall,
  runAgent,
  runTurn,
  type ToolSeamPosture,
} from "./agent-loop.ts";
import type { ApprovalResolver } from "./approval.ts";
import type { Interceptor } from "./compose.ts";
import { type Composition, resolveComposition } from "./composition.ts";
import { type IdentityProvider, JCS_SHA256 } from "./identity.ts";
import type { AgentContext } from "./points.ts";
import { policyInterceptor } from "./policy.ts";
import type { InterceptionRecord } from "./record.ts";
import { AgentHooksSession, type EnforcementMode } from "./session.ts";

/** What a host works with. */
export interface AgentHooksOptions {
  /** The agent as records name it. */
  readonly agent: {
    readonly id: string;
    readonly framework?: string;
    readonly name?: string;
    readonly version?: string;
  };
  /** Hooks of Sluice, made with `hooksFrom`: the first interceptor, named `sluice`. */
  readonly hooks?: Hooks;
  /** Other interceptors, in this order. */
  readonly interceptors?: readonly (Interceptor | Interceptor["intercept"])[];
  /** `parallel/strictest` if left out, which is how hooks of Sluice add up. */
  readonly composition?: Composition;
  readonly mode?: EnforcementMode;
  /** Names contexts; `null` leaves approvals and records unbound. */
  readonly identityProvider?: IdentityProvider | null;
  /** Answers denials that carry an `approval`. */
  readonly resolver?: ApprovalResolver;
  /** Makes the context that the resolver is shown. */
  readonly redactor?: (context: AgentContext) => AgentContext;
  /** Milliseconds that one interceptor may take; 5,000 if left out. */
  readonly timeoutMs?: number;
  /** Milliseconds that an approval may take; ten minutes if left out. */
  readonly approvalTimeoutMs?: number;
  /** What the loop does after a denial of the host's own at a tool call; `continue` if left out. */
  readonly toolSeamHostError?: ToolSeamPosture;
  /** Gets every record as it is made. */
  readonly onRecord?: (record: InterceptionRecord) => void;
}

/** A host of agent-hooks 0.1. */
export interface AgentHooksHost {
  /** A session whose points the program emits itself. */
  session(id?: string): AgentHooksSession;
  /** A session of one input, from startup to shutdown. */
  run(input: AgentInput, parts: AgentParts, session?: AgentHooksSession): Promise<AgentRun>;
  /** One more input in a session that the program has started. */
  turn(session: AgentHooksSession, input: AgentInput, parts: AgentParts): Promise<AgentRun>;
  /** One call of a tool between its two points. */
  call(
    session: AgentHooksSession,
    call: { readonly id: string; readonly name: string; readonly args: object },
    execute: (args: Record<string, unknown>) => unknown,
  ): Promise<GuardedCall>;
}

/** Makes a host that speaks agent-hooks 0.1: it asks its interceptors at eight points of an agent's loop and carries out what they answer. */
export function agentHooks(options: AgentHooksOptions): AgentHooksHost {
  const { agent, hooks, interceptors = [], resolver, redactor, toolSeamHostError = "continue" } = options;
  const { identityProvider = JCS_SHA256, timeoutMs = 5000, approvalTimeoutMs = 600_000 } = options;
  const { mode = "enforce", composition = { profile: "parallel/strictest" }, onRecord } = options;
  if (typeof agent?.id !== "string" || agent.id === "") throw PROBLEMS.noAgent(undefined);
  const identity = checkedProvider(identityProvider);
  const named = interceptors.map((given) => (typeof given === "function" ? { intercept: given } : given));
  const settings = {
    agent: { ...agent, framework: agent.framework ?? "sluice" },
    interceptors: hooks === undefined ? named : [policyInterceptor(hooks), ...named],
    composition: resolveComposition(composition),
    mode,
    identity,
    seam: resolver === undefined ? undefined : { resolver, redactor, identity, timeoutMs: approvalTimeoutMs },
    timeoutMs,
    onRecord,
  };
  const session = (id?: string) => new AgentHooksSession(settings, id);
  return {
    session,
    run: (input, parts, own = session()) => runAgent(own, input, parts, toolSeamHostError),
    turn: (own, input, parts) => runTurn(own, input, parts, toolSeamHostError),
    call: guardedCall,
  };
}

/** The names that begin with `jcs` promise exact bytes; a provider of a program's own may not take one. */
function checkedProvider(provider: IdentityProvider | null): IdentityProvider | null {
  if (provider === null || provider === JCS_SHA256) return provider;
  const { name } = provider;
  if (!/^[a-z][a-z0-9_-]*$/.test(name) || name.startsWith("jcs")) throw PROBLEMS.badProvider({ name: String(name) });
  return provider;
}

const PROBLEMS = problems("agent-hooks", {
  noAgent: () => ({
    what: "agentHooks was given no `agent.id`, so records could not name the agent.",
    fix: 'Pass one: agentHooks({ agent: { id: "my-agent" }, … }).',
  }),
  badProvider: ({ name }: { name: string }) => ({
    what: `"${name}" is not a name for an identity provider.`,
    fix: "Use lowercase letters, digits, _ and -, beginning with a letter, and not with `jcs`: hmac-sha256-2026, for example.",
  }),
});
