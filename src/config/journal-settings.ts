import * as v from "valibot";
import { ageMs, ageSchema, sizeBytes, sizeSchema } from "./undo-settings.ts";

/** How much of the journal is kept, and for how long; what is left out has its default. */
export interface JournalSettings {
  readonly days?: number;
  readonly bytes?: number;
}

/** `{ keep: 30d, max: 512MiB }`. */
export function journalSchema() {
  return v.looseObject({ keep: v.optional(ageSchema), max: v.optional(sizeSchema) });
}

/** Reads a setting that fits the schema. */
export function readJournalSettings(value: unknown): JournalSettings {
  const { keep, max } = Object(value) as Readonly<Record<string, unknown>>;
  const [kept, bytes] = [typeof keep === "string" ? ageMs(keep) : undefined, sizeBytes(max)];
  return { ...(kept === undefined ? {} : { days: kept / DAY_MS }), ...(bytes === undefined ? {} : { bytes }) };
}

/** What several machines have in common, and where; from the user or the administrator only. */
export interface SharedSettings {
  readonly store: string;
  readonly what: readonly SharedKind[];
  /** What requests and grants are sealed with. */
  readonly key?: string | undefined;
}

/** What can be shared. */
export const SHARED_KINDS = ["budgets", "rates", "denials", "intents", "approvals"] as const;

/** One of them. */
export type SharedKind = (typeof SHARED_KINDS)[number];

/** What is shared where the configuration does not say it: approvals need a key. */
const SHARED_COUNTS = ["budgets", "rates", "denials"] as const;

/** What `shared` has to look like; made when it is asked for, which is seldom. */
export function sharedSchema() {
  return v.pipe(
    v.looseObject({
      store: v.pipe(
        v.string(),
        v.regex(/^(?:rediss?|postgres(?:ql)?):\/\//i, "an address that begins with redis://, rediss:// or postgres://"),
      ),
      what: v.optional(v.array(v.picklist(SHARED_KINDS))),
      key: v.optional(v.pipe(v.string(), v.regex(/^(?:.{32,}|.*\$\{\w+\}.*)$/, "a text of 32 characters or more"))),
    }),
    v.check(
      ({ what, key }) => key !== undefined || what?.includes("approvals") !== true,
      "`shared` with a `key`, which approvals are sealed with",
    ),
  );
}

/** Reads a setting that fits the schema. */
export function readSharedSettings(value: unknown): SharedSettings {
  const { store, what = SHARED_COUNTS, key } = value as v.InferOutput<ReturnType<typeof sharedSchema>>;
  return { store, what, ...(key === undefined ? {} : { key }) };
}

/** Where telemetry goes, from the user or the administrator only. */
export interface TelemetrySettings {
  readonly otlp: {
    readonly endpoint: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly protocol: "http/protobuf" | "http/json";
  };
  /** Whether the arguments of calls are sent, too. */
  readonly arguments: boolean;
}

/** What `telemetry` has to look like; made when it is asked for, which is seldom. */
export function telemetrySchema() {
  return v.looseObject({
    otlp: v.looseObject({
      endpoint: v.pipe(v.string(), v.regex(/^https?:\/\//i, "an address that begins with https:// or http://")),
      headers: v.optional(v.record(v.string(), v.string())),
      protocol: v.optional(v.picklist(PROTOCOLS)),
    }),
    arguments: v.optional(v.boolean()),
  });
}

/** Reads a setting that fits the schema. */
export function readTelemetrySettings(value: unknown): TelemetrySettings {
  const given = value as v.InferOutput<ReturnType<typeof telemetrySchema>>;
  const { endpoint, headers = {}, protocol = "http/protobuf" } = given.otlp;
  return { otlp: { endpoint, headers, protocol }, arguments: given.arguments ?? false };
}

const PROTOCOLS = ["http/protobuf", "http/json"] as const;

const DAY_MS = 24 * 60 * 60 * 1000;
