import type { IdentityProvider } from "./identity.ts";
import { type AgentContext, type InterceptionPoint, isRecord } from "./points.ts";
import { withinTime } from "./time-limit.ts";
import { type AgentVerdict, type HostError, hostDenial, isPermit, readVerdict } from "./verdict.ts";

/** What an approval resolver is asked. */
export interface ApprovalRequest {
  readonly context_identity: string | null;
  readonly interception_point: InterceptionPoint;
  readonly verdict: AgentVerdict;
  readonly context: AgentContext;
}

/** What it answers; `context_identity` repeats the one of the request. */
export interface ApprovalResolution {
  readonly outcome: "approve" | "reject" | "unresolved";
  readonly context_identity: string | null;
  readonly verdict?: AgentVerdict;
}

/** Lifts a denial that carries an `approval`, or does not. */
export type ApprovalResolver = (request: ApprovalRequest) => ApprovalResolution | Promise<ApprovalResolution>;

/** How a host asks for approvals. */
export interface ApprovalSeam {
  readonly resolver: ApprovalResolver;
  /** Makes the context that the resolver sees; the identity is that of its result. */
  readonly redactor?: ((context: AgentContext) => AgentContext) | undefined;
  readonly identity: IdentityProvider | null;
  readonly timeoutMs: number;
}

/** What the resolver's answer comes to: the verdict that takes the place of the denial, or the denial that remains. */
export async function consult(seam: ApprovalSeam, verdict: AgentVerdict, context: AgentContext): Promise<AgentVerdict> {
  try {
    const copy = structuredClone(context);
    const shown = seam.redactor === undefined ? copy : structuredClone(seam.redactor(copy));
    const context_identity = seam.identity === null ? null : seam.identity.compute(shown);
    const { interception_point } = context;
    const request: ApprovalRequest = { context_identity, interception_point, verdict, context: shown };
    const answered = await withinTime(seam.timeoutMs, () => seam.resolver(request));
    return read(answered, context_identity);
  } catch {
    return hostDenial("approval_resolver_failed");
  }
}

/** The order of these checks is part of the specification: hosts report the same reason for the same answer. */
function read(answered: unknown, identity: string | null): AgentVerdict {
  const { outcome, context_identity, verdict: given } = isRecord(answered) ? answered : {};
  if (context_identity !== identity) return hostDenial("approval_identity_mismatch");
  const isKnown = outcome === "approve" || outcome === "reject" || outcome === "unresolved";
  if (!isKnown || (given === undefined) !== (outcome === "unresolved")) return hostDenial("approval_resolver_failed");
  if (outcome === "unresolved") return hostDenial("approval_unresolved");
  const verdict = readVerdict(structuredClone(given));
  const error: HostError = "verdict_invalid";
  return verdict === undefined || isPermit(verdict) !== (outcome === "approve") ? hostDenial(error) : verdict;
}
