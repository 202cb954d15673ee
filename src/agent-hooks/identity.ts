import { sha256Text } from "../fs/late-builtins.ts";
import { type AgentContext, requiredPart } from "./points.ts";

/** Computes the string by which an approval and a record name a context. */
export interface IdentityProvider {
  readonly name: string;
  readonly compute: (context: AgentContext) => string;
}

/** The provider that is used unless a host names another one: the hash of the required fields as canonical JSON (RFC 8785). */
export const JCS_SHA256: IdentityProvider = {
  name: "jcs-sha256",
  compute: (context) => `sha256:${sha256Text(canonicalJson(requiredPart(context)))}`,
};

/** A value that has no canonical JSON. The message names the kind and never the value. */
export class ValueDomainError extends Error {
  override readonly name = "ValueDomainError";
}

/** A value as canonical JSON: keys sorted by UTF-16 code units, no spaces. Throws for what would have to be rounded. */
export function canonicalJson(value: unknown): string {
  checkJson(value, 0);
  return written(value);
}

/** Throws for a value that is not interoperable JSON, or that is nested too deeply. */
export function checkJson(value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH) throw new ValueDomainError(`nested more than ${MAX_DEPTH} levels deep`);
  switch (typeof value) {
    case "string":
      if (LONE_SURROGATE.test(value)) throw new ValueDomainError("a string has a lone surrogate");
      return;
    case "number":
      if (!Number.isFinite(value)) throw new ValueDomainError("a number is not finite");
      return;
    case "boolean":
      return;
    case "object":
      if (value === null) return;
      for (const [key, item] of Object.entries(value)) {
        checkJson(key, depth);
        checkJson(item, depth + 1);
      }
      return;
    default:
      throw new ValueDomainError(`a value of type ${typeof value} is not JSON`);
  }
}

function written(value: unknown): string {
  // From 1e21 on the canonical form has an exponent: it is a floating-point number, not an identifier.
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21)
    throw new ValueDomainError("an integer exceeds 2^53; write 64-bit identifiers as strings");
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${written((value as Record<string, unknown>)[key])}`);
  return `{${members.join(",")}}`;
}

const MAX_DEPTH = 128;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
