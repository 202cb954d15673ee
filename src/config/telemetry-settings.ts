import * as v from "valibot";

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
