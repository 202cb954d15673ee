import { type AgentContext, pointSpec, whyInvalid, withTarget } from "./points.ts";
import { type AgentVerdict, type HostError, hostDenial } from "./verdict.ts";

/** A transform that cannot be applied. */
export interface DeniedTransform {
  readonly denied: AgentVerdict;
}

/** Whether the host had to deny a transform. */
export function isDenied(result: AgentContext | DeniedTransform): result is DeniedTransform {
  return "denied" in result && !("interception_point" in result);
}

/** The context with the value that a verdict puts in, or the host's denial if that cannot be done. */
export function transformed(context: AgentContext, { transform }: AgentVerdict): AgentContext | DeniedTransform {
  const { path = "", value = null } = transform ?? {};
  const root = ROOTS.find((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  if (root === undefined || !pointSpec(context.interception_point).isTransformable)
    return denied("transform_target_forbidden");
  const keys = keysOf(path.slice(root.length));
  if (keys === undefined) return denied("transform_invalid");
  const target = replaced(context.target, keys, value);
  if (target === undefined) return denied("transform_invalid");
  const changed = withTarget(context, target.value);
  return whyInvalid(changed) === undefined ? changed : denied("transform_invalid");
}

/** A value with another one at a path of `$target`, or undefined if the path does not resolve. */
export function replacedAt(target: unknown, path: string, value: unknown): { readonly value: unknown } | undefined {
  const keys = path.startsWith("$target") ? keysOf(path.slice("$target".length)) : undefined;
  return keys && replaced(target, keys, value);
}

function keysOf(segments: string): (string | number)[] | undefined {
  if (!/^(?:\.[\w-]+|\[\d+\]|\["[\w-]+"\])*$/.test(segments)) return undefined;
  return [...segments.matchAll(/\.([\w-]+)|\[(\d+)\]|\["([\w-]+)"\]/g)].map(([, dotted, index, quoted]) =>
    index === undefined ? (dotted ?? quoted ?? "") : Number(index),
  );
}

function replaced(
  target: unknown,
  [key, ...rest]: readonly (string | number)[],
  value: unknown,
): { readonly value: unknown } | undefined {
  if (key === undefined) return { value: structuredClone(value) };
  if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
  if (Array.isArray(target) !== (typeof key === "number")) return undefined;
  const inner = replaced((target as Record<string | number, unknown>)[key], rest, value);
  if (inner === undefined) return undefined;
  if (Array.isArray(target)) return { value: target.with(Number(key), inner.value) };
  return { value: { ...target, [key]: inner.value } };
}

function denied(error: HostError): DeniedTransform {
  return { denied: hostDenial(error) };
}

/** The second one is the name that earlier drafts gave it. */
const ROOTS = ["$target", "$policy_target"];
