import type { Combined } from "./compose.ts";
import type { ResolvedComposition } from "./composition.ts";
import type { AgentContext, InterceptionPoint } from "./points.ts";
import { type AgentVerdict, withoutPayload } from "./verdict.ts";

/** What is kept of one emission: nothing of the context's content. */
export interface InterceptionRecord {
  readonly interception_point: InterceptionPoint;
  readonly mode: "enforce" | "evaluate_only";
  readonly verdict: AgentVerdict;
  readonly input_identity: string | null;
  readonly enforced_identity: string | null;
  readonly identity_provider: string | null;
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly trace?: { readonly trace_id?: string; readonly span_id?: string };
  readonly decided_by: number | null;
  readonly composition: ResolvedComposition;
  readonly verdicts: readonly {
    readonly index: number;
    readonly decision: AgentVerdict["decision"];
    readonly reason?: string;
    readonly name?: string;
  }[];
  /** In sequential profiles: whether some interceptors were never asked. */
  readonly fold_truncated?: boolean;
  readonly resolved_by?: "approval" | "rejection";
  readonly interceptors_registered: number;
}

/** What every record of a host has in common. */
interface RecordSettings {
  readonly mode: InterceptionRecord["mode"];
  readonly composition: ResolvedComposition;
  readonly identityProvider: string | null;
  readonly registered: number;
}

/** The record of an emission. */
export function recordOf(
  context: AgentContext,
  { verdict, slots, decidedBy, isTruncated, resolvedBy }: Combined,
  { input, enforced }: { readonly input: string | null; readonly enforced: string | null },
  { mode, composition, identityProvider, registered }: RecordSettings,
): InterceptionRecord {
  return {
    interception_point: context.interception_point,
    mode,
    verdict: withoutPayload(verdict),
    input_identity: input,
    enforced_identity: enforced,
    identity_provider: identityProvider,
    session_id: context.session.id,
    sequence: context.sequence,
    timestamp: context.timestamp,
    ...traceOf(context),
    decided_by: decidedBy,
    composition,
    verdicts: slots.map(({ index, name, verdict: { decision, reason } }) => ({
      index,
      decision,
      ...(reason === undefined ? {} : { reason }),
      ...(name === undefined ? {} : { name }),
    })),
    ...(composition.profile.startsWith("sequential/") ? { fold_truncated: isTruncated } : {}),
    ...(resolvedBy === undefined ? {} : { resolved_by: resolvedBy }),
    interceptors_registered: registered,
  };
}

function traceOf({ trace }: AgentContext): Pick<InterceptionRecord, "trace"> {
  const given = Object(trace) as Record<string, unknown>;
  const known = ["trace_id", "span_id"].filter((key) => typeof given[key] === "string");
  return known.length === 0 ? {} : { trace: Object.fromEntries(known.map((key) => [key, given[key]])) };
}
