import * as v from "valibot";
import { ageMs, ageSchema } from "./undo-settings.ts";

/** How requests for approval reach the user, and how long a call waits for the answer; from the user or the administrator only. */
export interface ApprovalSettings {
  readonly via: readonly ApprovalChannel[];
  /** Milliseconds until the first notification: until then an answer at the machine needs none. */
  readonly afterMs: number;
  /** Milliseconds for which a call waits where its agent cannot ask; the agent's patience is the limit. */
  readonly waitMs: number;
  /** Whether notifications carry the arguments of calls. */
  readonly arguments: boolean;
}

/** One way to reach the user. */
export type ApprovalChannel =
  | { readonly ntfy: string }
  | { readonly slack: string }
  | { readonly webhook: string }
  | { readonly command: string | readonly string[] };

/** What `approvals` has to look like. */
export function approvalsSchema() {
  const url = v.pipe(v.string(), v.regex(/^https?:\/\/[^/]/i, "an address that begins with https:// or http://"));
  const span = v.union([v.pipe(v.number(), v.minValue(0)), ageSchema]);
  return v.looseObject({
    via: v.optional(
      v.array(
        v.union([
          v.strictObject({ ntfy: url }),
          v.strictObject({ slack: url }),
          v.strictObject({ webhook: url }),
          v.strictObject({ command: v.union([v.pipe(v.string(), v.nonEmpty()), v.array(v.string())]) }),
        ]),
      ),
    ),
    after: v.optional(span),
    wait: v.optional(span),
    arguments: v.optional(v.boolean()),
  });
}

/** Reads a setting that fits the schema. */
export function readApprovalSettings(value: unknown): ApprovalSettings {
  const given = value as v.InferOutput<ReturnType<typeof approvalsSchema>>;
  return {
    via: given.via ?? [],
    afterMs: spanMs(given.after, AFTER_MS),
    waitMs: spanMs(given.wait, 0),
    arguments: given.arguments ?? false,
  };
}

/** A number is one of seconds. */
function spanMs(value: unknown, unset: number): number {
  if (typeof value === "number") return value * 1000;
  return (typeof value === "string" ? ageMs(value) : undefined) ?? unset;
}

const AFTER_MS = 20_000;
