import { randomUUID } from "node:crypto";
import { errorText, problems, warn } from "../problem/problem.ts";
import type { ApprovalSeam } from "./approval.ts";
import { type Combined, compose, type Interceptor } from "./compose.ts";
import type { ResolvedComposition } from "./composition.ts";
import { checkJson, type IdentityProvider, ValueDomainError } from "./identity.ts";
import { type AgentContext, type InterceptionPoint, isRecord, pointSpec, valueAt, whyInvalid } from "./points.ts";
import { type InterceptionRecord, recordOf } from "./record.ts";
import { type AgentVerdict, type HostError, hostDenial, isPermit, withUnions } from "./verdict.ts";

/** Whether verdicts are carried out, or only recorded. */
export type EnforcementMode = "enforce" | "evaluate_only";

/** What all sessions of a host share. */
export interface HostSettings {
  readonly agent: AgentContext["agent"];
  readonly interceptors: readonly Interceptor[];
  readonly composition: ResolvedComposition;
  readonly mode: EnforcementMode;
  readonly identity: IdentityProvider | null;
  readonly seam: ApprovalSeam | undefined;
  readonly timeoutMs: number;
  readonly onRecord: ((record: InterceptionRecord) => void) | undefined;
}

/** What one interception point came to. */
export interface Emission {
  /** Whether the action may proceed; always true in `evaluate_only` mode. */
  readonly permitted: boolean;
  /** The value that the action has to use. */
  readonly target: unknown;
  readonly verdict: AgentVerdict;
  readonly record: InterceptionRecord;
}

/** One session: it builds the contexts, asks the interceptors, and keeps the records. */
export class AgentHooksSession {
  readonly id: string;
  readonly records: InterceptionRecord[] = [];
  readonly #host: HostSettings;
  readonly #startedAt = new Date().toISOString();
  #sequence = 0;
  #turn = 0;
  #state: "new" | "open" | "refused" | "ended" = "new";
  /** The labels of everything that has entered the session so far. */
  readonly #labels = new Set<string>();

  constructor(host: HostSettings, id: string = randomUUID()) {
    this.#host = host;
    this.id = id;
  }

  /** Takes one interception point through the interceptors. `fields` are those that its context must have. */
  async emit(point: InterceptionPoint, fields: object, optional: object = {}): Promise<Emission> {
    this.#enter(point);
    const sequence = this.#sequence++;
    const built = this.#context(point, sequence, fields, optional);
    if ("why" in built) return this.#failed(point, sequence, "context_invalid", built.why);
    const { context } = built;
    if (Object(context.response).finish_reason === "stream_incomplete")
      return this.#failed(point, sequence, "streaming_unsupported", undefined, context);
    const input = this.#identityOf(context);
    if (input === undefined) return this.#failed(point, sequence, "context_invalid", "its identity", context);
    const combined = await this.#combined(point, context);
    const enforced = this.#identityOf(combined.context);
    const isOutside = enforced === undefined;
    const verdict = isOutside ? withUnions(hostDenial("context_invalid"), [combined.verdict]) : combined.verdict;
    const whole = { ...combined, verdict, ...(isOutside ? { decidedBy: null } : {}) };
    const identities = { input, enforced: enforced ?? null };
    return this.#finish(point, context, whole, identities);
  }

  /** Records that the host could not build a context at all; the action has to fail. */
  recordHostFailure(point: InterceptionPoint, error: unknown): Emission {
    return this.#failed(point, this.#sequence++, "context_invalid", error instanceof Error ? error.name : typeof error);
  }

  #enter(point: InterceptionPoint): void {
    const isOpening = point === "agent_startup";
    const isEnding = point === "agent_shutdown";
    const isInOrder = isOpening
      ? this.#state === "new"
      : this.#state === "open" || (isEnding && this.#state === "refused");
    if (!isInOrder) throw PROBLEMS.outOfOrder({ point, state: this.#state });
    if (isOpening) this.#state = "open";
    if (isEnding) this.#state = "ended";
    if (point === "input") this.#turn++;
  }

  async #combined(point: InterceptionPoint, context: AgentContext): Promise<Combined> {
    const { interceptors, composition, mode, seam, timeoutMs } = this.#host;
    const applies = mode === "enforce";
    if (interceptors.length === 0) {
      const none = { decidedBy: null, slots: [], isTruncated: false, resolvedBy: undefined };
      return { verdict: hostDenial("no_interceptor"), context, ...none };
    }
    const asked = applies && point !== "agent_shutdown" ? seam : undefined;
    return compose({ interceptors, composition, timeoutMs, applies, seam: asked }, context);
  }

  #context(
    point: InterceptionPoint,
    sequence: number,
    fields: object,
    optional: object,
  ): { readonly context: AgentContext } | { readonly why: string } {
    try {
      const given = structuredClone({ ...optional, ...fields });
      const labels = [...this.#labels];
      const sources = labels.length === 0 ? {} : { sluice: { source_labels: labels } };
      const context: AgentContext = {
        ...given,
        ...(labels.length === 0 ? {} : { extensions: { ...Object(given).extensions, ...sources } }),
        spec: "agent-hooks/0.1",
        interception_point: point,
        timestamp: new Date().toISOString(),
        sequence,
        agent: this.#host.agent,
        session: { id: this.id, started_at: this.#startedAt, turn: this.#turn },
        target: structuredClone(valueAt(given, pointSpec(point).target)),
      };
      const why = whyInvalid(context);
      if (why !== undefined) return { why };
      checkJson(context);
      return JSON.stringify(context).length > MAX_CONTEXT ? { why: "larger than 5 MiB" } : { context };
    } catch (error) {
      // These messages name a kind of value; those of other errors may quote one.
      if (error instanceof ValueDomainError) return { why: error.message };
      return { why: error instanceof Error ? error.name : typeof error };
    }
  }

  /** Null if the host declares no provider; undefined if the provider failed or refused the context. */
  #identityOf(context: AgentContext): string | null | undefined {
    const { identity } = this.#host;
    if (identity === null) return null;
    try {
      const computed: unknown = identity.compute(structuredClone(context));
      return typeof computed === "string" ? computed : undefined;
    } catch {
      return undefined;
    }
  }

  /** A denial before any interceptor was asked. */
  #failed(
    point: InterceptionPoint,
    sequence: number,
    error: HostError,
    what: string | undefined,
    context?: AgentContext,
  ): Emission {
    const verdict = hostDenial(error, what);
    const { agent } = this.#host;
    const timestamp = new Date().toISOString();
    const session = { id: this.id };
    const bare: AgentContext = {
      spec: "agent-hooks/0.1",
      interception_point: point,
      timestamp,
      sequence,
      agent,
      session,
      target: null,
    };
    const none = { decidedBy: null, slots: [], isTruncated: false, resolvedBy: undefined };
    return this.#finish(
      point,
      context ?? bare,
      { verdict, context: context ?? bare, ...none },
      { input: null, enforced: null },
      true,
    );
  }

  #finish(
    point: InterceptionPoint,
    context: AgentContext,
    combined: Combined,
    identities: { readonly input: string | null; readonly enforced: string | null },
    isHostFault = false,
  ): Emission {
    const { mode, composition, identity, interceptors, onRecord } = this.#host;
    const settings = { mode, composition, identityProvider: identity?.name ?? null, registered: interceptors.length };
    const record = recordOf(context, combined, identities, settings);
    this.records.push(record);
    try {
      onRecord?.(record);
    } catch (error) {
      warn(PROBLEMS.recordLost({ why: errorText(error) }));
    }
    const isEnforced = mode === "enforce";
    const isAllowed = isPermit(combined.verdict);
    const permitted = isAllowed || (!isEnforced && !isHostFault);
    if (point === "agent_startup" && !permitted) this.#state = "refused";
    if (permitted && isAllowed) for (const label of combined.verdict.result_labels ?? []) this.#labels.add(label);
    const target = isEnforced ? combined.context.target : context.target;
    return { permitted, target, verdict: combined.verdict, record };
  }
}

/** A denial as the model reads it. */
export function denialText({ reason, message }: AgentVerdict): string {
  const why = [reason, message].filter((text) => text !== undefined && text !== "").join(": ");
  return `Blocked${why === "" ? "" : `: ${why}`}`;
}

/** The part of a response that a context carries. */
export function isResponse(value: unknown): value is ModelResponse {
  return isRecord(value) && Array.isArray(value.tool_calls) && typeof value.finish_reason === "string";
}

/** What a model answers. */
export interface ModelResponse {
  readonly content: unknown;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly args: object }[];
  readonly finish_reason: string;
}

/** In UTF-16 code units: a limit on work, not on bytes. */
const MAX_CONTEXT = 5 * 1024 * 1024;

const PROBLEMS = problems("agent-hooks", {
  outOfOrder: ({ point, state }: { point: string; state: string }) => ({
    what: `${point} was emitted in a session that is ${state}.`,
    fix: "Emit agent_startup first and once, agent_shutdown last and once; after a denied startup nothing but agent_shutdown.",
  }),
  recordLost: ({ why }: { why: string }) => ({
    what: `A record was not taken by \`onRecord\`: ${why}`,
    fix: "The decision itself holds; the record is in `session.records`.",
  }),
});
