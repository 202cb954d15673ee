import { isAbsolute, resolve } from "node:path";
import type { TelemetrySettings } from "../config/journal-settings.ts";
import { attempt } from "../event/attempt.ts";
import { proxiesIn } from "../http/proxy.ts";
import { problems } from "../problem/problem.ts";
import { requestHeaders } from "../runners/http.ts";
import { fileSink, pathOf } from "./file-sink.ts";
import { otlpSink } from "./otlp-sink.ts";
import type { OpenSink } from "./ship.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What opening a target takes. */
export interface TargetOptions {
  readonly env: Environment;
  readonly telemetry: TelemetrySettings | undefined;
  readonly machine: string;
  readonly version: string;
  readonly protocol: string | undefined;
}

/** How the address of a target begins, and what opens it. */
const TARGETS: Readonly<
  Record<string, (target: string, options: TargetOptions, memory: unknown) => Promise<OpenSink> | OpenSink>
> = {
  "otlp+http:": openOtlp,
  "otlp+https:": openOtlp,
  "postgres:": async (target) => (await import("./postgres-sink.ts")).postgresSink(target),
  "postgresql:": async (target) => (await import("./postgres-sink.ts")).postgresSink(target),
  "nats:": async (target, { machine }) => (await import("./nats-sink.ts")).natsSink(target, machine),
  "file:": (target, { machine }) => fileSink(target, machine),
};

/** Opens the target of an address. */
export async function openTarget(target: string, options: TargetOptions, memory: unknown): Promise<OpenSink> {
  const open = TARGETS[schemeOf(target)];
  if (open === undefined) throw PROBLEMS.unknownTarget({ stated: target, known: Object.keys(TARGETS) });
  return open(target, options, memory);
}

/** The address that records are shipped to: the stated one, else the one of the settings, else that of the environment. */
export function chooseTarget(
  stated: string | undefined,
  { env, telemetry }: Pick<TargetOptions, "env" | "telemetry">,
): string {
  if (stated !== undefined) {
    if (!Object.hasOwn(TARGETS, schemeOf(stated)))
      throw PROBLEMS.unknownTarget({ stated, known: Object.keys(TARGETS) });
    if (schemeOf(stated) === "file:") return absoluteFile(stated);
    return schemeOf(stated).startsWith("otlp+") ? withHost(stated, "--to") : stated;
  }
  const endpoint = telemetry?.otlp.endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || endpoint === "") throw PROBLEMS.noTarget(undefined);
  if (!/^https?:/i.test(endpoint)) throw PROBLEMS.noAddress({ stated: endpoint, place: "OTEL_EXPORTER_OTLP_ENDPOINT" });
  return withHost(
    `otlp+${endpoint}`,
    telemetry === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "telemetry.otlp.endpoint",
  );
}

/** A relative name means another file in every folder, so progress is kept for the absolute one. */
function absoluteFile(stated: string): string {
  const path = namedPath(stated);
  if (path === "" || path === "/") throw PROBLEMS.noFile({ stated });
  return isAbsolute(path) ? stated : `file:${resolve(path)}${path.endsWith("/") ? "/" : ""}`;
}

/** Undefined for an address that is not a file of this machine, such as one with a host. */
function namedPath(stated: string): string {
  return attempt(() => pathOf(stated)) ?? "";
}

function withHost(target: string, place: string): string {
  const address = target.replace(/^otlp\+/i, "");
  if (!URL.canParse(address) || new URL(address).host === "") throw PROBLEMS.noAddress({ stated: address, place });
  return target;
}

function schemeOf(target: string): string {
  return /^[a-z+]+:/i.exec(target)?.[0].toLowerCase() ?? "";
}

function openOtlp(
  target: string,
  { env, telemetry, machine, version, protocol }: TargetOptions,
  memory: unknown,
): OpenSink {
  const endpoint = target.replace(/^otlp\+/i, "");
  const isConfigured = telemetry?.otlp.endpoint === endpoint;
  const written = { ...listed(env.OTEL_EXPORTER_OTLP_HEADERS), ...(isConfigured && telemetry.otlp.headers) };
  const headers = requestHeaders(written, 0, env);
  if ("problem" in headers) throw PROBLEMS.badHeaders({ problem: headers.problem });
  const own = Object.entries(headers.all).filter(([name]) =>
    Object.keys(written).some((one) => one.toLowerCase() === name),
  );
  const chosen = protocol ?? (isConfigured ? telemetry.otlp.protocol : env.OTEL_EXPORTER_OTLP_PROTOCOL) ?? PROTOCOLS[0];
  const known = PROTOCOLS.find((one) => one === chosen);
  if (known === undefined) throw PROBLEMS.unknownProtocol({ chosen });
  return otlpSink(
    {
      endpoint,
      headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
      protocol: known,
      resource: listed(env.OTEL_RESOURCE_ATTRIBUTES),
      version,
      proxies: proxiesIn(env),
    },
    machine,
    memory,
  );
}

/** `name=value,name=value`, as OpenTelemetry writes lists in variables. */
function listed(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((pair): [string, string][] => {
    const [name = "", ...value] = pair.split("=");
    return name.trim() === "" || value.length === 0 ? [] : [[name.trim(), decoded(value.join("=").trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PROTOCOLS = ["http/protobuf", "http/json"] as const;

const PROBLEMS = problems("ship", {
  unknownTarget: ({ stated, known }: { stated: string; known: readonly string[] }) => ({
    what: `--to ${stated}: not a kind of address that Sluice ships to.`,
    fix: `It begins with one of ${known.map((scheme) => `${scheme}//`).join(", ")}.`,
  }),
  noFile: ({ stated }: { stated: string }) => ({
    what: `--to ${stated}: not a file or folder of this machine.`,
    fix: "Write --to file:decisions.jsonl, or --to file:///share/ for a folder.",
  }),
  noAddress: ({ stated, place }: { stated: string; place: string }) => ({
    what: `${place} ${stated}: not an address with a host, so nothing was shipped.`,
    fix: "Write a scheme, a host and a port: http://127.0.0.1:4318 is a collector on this machine.",
  }),
  noTarget: () => ({
    what: "There is no target to ship to.",
    fix: "Write --to, or `telemetry: { otlp: { endpoint: … } }` into your own configuration.",
  }),
  badHeaders: ({ problem }: { problem: string }) => ({
    what: `The headers for the collector cannot be sent: ${problem}.`,
    fix: "Correct `telemetry.otlp.headers` or OTEL_EXPORTER_OTLP_HEADERS.",
  }),
  unknownProtocol: ({ chosen }: { chosen: string }) => ({
    what: `The protocol ${chosen} is not supported.`,
    fix: "Write http/protobuf or http/json; a collector speaks both on port 4318.",
  }),
});
