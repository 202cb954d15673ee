import { attempt } from "../event/attempt.ts";
import { canonicalJson } from "./identity.ts";
import { isRecord } from "./points.ts";

/** A concern that is recorded and changes nothing. */
export interface Warning {
  readonly reason?: string;
  readonly message?: string;
}

/** What an interceptor answers. */
export interface AgentVerdict {
  readonly decision: "allow" | "deny" | "transform";
  /** An identifier for machines; those that begin with `host_error:` belong to the host. */
  readonly reason?: string;
  readonly message?: string;
  readonly warnings?: readonly Warning[];
  /** On a denial: an approval may lift it. */
  readonly approval?: Readonly<Record<string, unknown>>;
  readonly transform?: { readonly path: string; readonly value?: unknown };
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly result_labels?: readonly string[];
}

/** The reasons that a host gives for denials of its own. */
export type HostError =
  | "context_invalid"
  | "interceptor_failed"
  | "interceptor_timeout"
  | "verdict_invalid"
  | "transform_invalid"
  | "transform_target_forbidden"
  | "transform_conflict"
  | "composition_disagreement"
  | "approval_resolver_failed"
  | "approval_unresolved"
  | "approval_identity_mismatch"
  | "no_interceptor"
  | "streaming_unsupported";

/** A denial that the host makes itself. */
export function hostDenial(error: HostError, message?: string): AgentVerdict {
  return { decision: "deny", reason: `host_error:${error}`, ...(message === undefined ? {} : { message }) };
}

/** Whether a denial is the host's own. */
export function isHostError({ decision, reason }: AgentVerdict): boolean {
  return decision === "deny" && reason?.startsWith("host_error:") === true;
}

/** Whether a verdict lets the action proceed. */
export function isPermit({ decision }: AgentVerdict): boolean {
  return decision !== "deny";
}

/** Whether a verdict is a denial that an approval may lift. */
export function isLiftable({ decision, approval }: AgentVerdict): boolean {
  return decision === "deny" && approval !== undefined;
}

/** Higher wins. */
export function severity(verdict: AgentVerdict): number {
  if (verdict.decision === "allow") return 0;
  if (verdict.decision === "transform") return 1;
  return isLiftable(verdict) ? 2 : 3;
}

/** A verdict as it was returned, or undefined if it breaks a rule of the format. */
export function readVerdict(given: unknown): AgentVerdict | undefined {
  if (!isRecord(given)) return undefined;
  const { decision, reason, message, warnings, approval, transform, evidence, result_labels } = given;
  if (decision !== "allow" && decision !== "deny" && decision !== "transform") return undefined;
  const isValid =
    isOptional(reason, (value) => typeof value === "string" && !value.startsWith("host_error:")) &&
    isOptional(message, (value) => typeof value === "string") &&
    isOptional(warnings, (value) => Array.isArray(value) && value.every(isWarning)) &&
    isOptional(approval, (value) => decision === "deny" && isRecord(value)) &&
    (transform === undefined) === (decision !== "transform") &&
    isOptional(transform, (value) => isRecord(value) && typeof value.path === "string") &&
    isOptional(evidence, isSmallRecord) &&
    isOptional(result_labels, (value) => Array.isArray(value) && value.every((label) => typeof label === "string"));
  return isValid ? (given as unknown as AgentVerdict) : undefined;
}

function isOptional(value: unknown, isFit: (value: unknown) => boolean): boolean {
  return value === undefined || isFit(value);
}

function isWarning(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return [value.reason, value.message].every((text) => text === undefined || typeof text === "string");
}

function isSmallRecord(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return attempt(() => Buffer.byteLength(canonicalJson(value)) <= MAX_EVIDENCE_BYTES) ?? false;
}

const MAX_EVIDENCE_BYTES = 10_240;

/** The combined verdict with the warnings of all verdicts, and with their labels if the action proceeds. */
export function withUnions(winner: AgentVerdict, all: readonly AgentVerdict[]): AgentVerdict {
  const { warnings: _, result_labels: __, ...rest } = winner;
  const said = all.flatMap(({ warnings = [] }) => warnings);
  const warnings = said.filter(
    (one, at) => said.findIndex(({ reason, message }) => reason === one.reason && message === one.message) === at,
  );
  const labels = isPermit(winner) ? all.filter(isPermit).flatMap(({ result_labels = [] }) => result_labels) : [];
  return {
    ...rest,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(labels.length === 0 ? {} : { result_labels: [...new Set(labels)] }),
  };
}

/** A verdict as records keep it: without the value of a transform, the members of an approval, and long messages. */
export function withoutPayload({ message, warnings, approval, transform, ...rest }: AgentVerdict): AgentVerdict {
  return {
    ...rest,
    ...(message === undefined ? {} : { message: cut(message) }),
    ...(warnings === undefined ? {} : { warnings: warnings.map(shortWarning) }),
    ...(approval === undefined ? {} : { approval: {} }),
    ...(transform === undefined ? {} : { transform: { path: transform.path } }),
  };
}

function shortWarning({ reason, message }: Warning): Warning {
  return { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message: cut(message) }) };
}

/** At most 256 bytes, cut between characters. */
function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  let kept = "";
  let bytes = Buffer.byteLength("…");
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_MESSAGE_BYTES) break;
    kept += character;
  }
  return `${kept}…`;
}

const MAX_MESSAGE_BYTES = 256;
