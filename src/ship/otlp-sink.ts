import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import type { ProxySettings } from "../http/proxy.ts";
import { startRequest } from "../http/start-request.ts";
import { whyUnreachable } from "../http/why-unreachable.ts";
import { StoreUnavailable } from "../stores/store.ts";
import { metricsOf, readSums, withRecords } from "./otlp-metrics.ts";
import { attributesOf, logOf, SCHEMA_URL, spansOf } from "./otlp-model.ts";
import { encodeMessage, type MessageFields, readFields } from "./protobuf.ts";
import type { OpenSink } from "./ship.ts";
import type { ShippedRecord, SinkReceipt } from "./sink.ts";

/** Where telemetry goes. */
export interface OtlpTarget {
  /** The address before `/v1/logs`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/protobuf" | "http/json";
  /** What is known about this machine besides its name. */
  readonly resource?: Readonly<Record<string, string>> | undefined;
  readonly version: string;
  readonly proxies: ProxySettings;
}

/** Sends logs, traces and metrics to an OpenTelemetry collector over HTTP. */
export function otlpSink(target: OtlpTarget, machine: string, memory: unknown): OpenSink {
  const resource = {
    attributes: attributesOf({
      "service.name": "sluice",
      "service.version": target.version,
      "service.instance.id": machine,
      ...target.resource,
    }),
  };
  const scope = { name: "sluice", version: target.version };
  let sums = readSums(memory, Date.now());
  const bodies = (batch: readonly ShippedRecord[], counted: object[]): Record<OtlpSignal, object> => ({
    logs: { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: batch.map(logOf), schemaUrl: SCHEMA_URL }] }] },
    traces: {
      resourceSpans: [{ resource, scopeSpans: [{ scope, spans: batch.flatMap(spansOf), schemaUrl: SCHEMA_URL }] }],
    },
    metrics: { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: counted }] }] },
  });
  return {
    send: async (batch): Promise<SinkReceipt> => {
      const next = withRecords(
        sums,
        batch.map(({ record }) => record),
      );
      const all = bodies(batch, metricsOf(next, Date.now()));
      const logs = await post(target, "logs", all.logs);
      // A collector without traces or metrics is fine; what counts is whether it took the decisions.
      for (const signal of ["traces", "metrics"] as const) await post(target, signal, all[signal]);
      sums = next;
      const keys = batch.map(({ key }) => key);
      if (logs === undefined) return { acknowledged: keys, dropped: [] };
      // The protocol says how many records were refused, not which.
      const taken = Math.max(0, keys.length - logs.refused);
      return {
        acknowledged: keys.slice(0, taken),
        dropped: keys.slice(taken).map((key) => ({ key, why: logs.why })),
      };
    },
    memory: () => sums,
    close: async () => {},
  };
}

interface Refusal {
  readonly refused: number;
  readonly why: string;
}

/** Posts one signal; undefined if it was accepted, else how much of it the collector will never take, and why. */
async function post(target: OtlpTarget, signal: OtlpSignal, body: object): Promise<Refusal | undefined> {
  const url = new URL(`${target.endpoint.replace(/(?<!\/)\/+$/, "")}/v1/${signal}`);
  const isJson = target.protocol === "http/json";
  const plain = isJson ? Buffer.from(JSON.stringify(body)) : encodeMessage(body, OTLP_REQUESTS[signal]);
  const bytes = gzipSync(plain, { level: 1 });
  const headers = {
    "user-agent": `sluice/${target.version}`,
    ...target.headers,
    "content-type": isJson ? "application/json" : "application/x-protobuf",
    "content-encoding": "gzip",
    "content-length": bytes.length,
  };
  const { status, answer, retryAfter } = await request(url, headers, bytes, target.proxies);
  const place = `${url.origin}${url.pathname}`;
  if (status >= 200 && status < 300) {
    const part = isJson ? jsonPartialSuccess(answer) : binaryPartialSuccess(answer);
    return part && { ...part, why: `${place} took only a part${part.why === "" ? "" : `: ${part.why}`}` };
  }
  const text = visibleText(answer);
  const said = `${place} answered ${status}${text === "" ? "" : `: ${text}`}`;
  if (status >= 500 || RETRYABLE.has(status)) throw new StoreUnavailable(said, retryAfter);
  // The records are not what is wrong: they wait until the address or the credentials are mended.
  if (signal === "logs" && (status < 400 || WRONG_ADDRESS.has(status)))
    throw new StoreUnavailable(`${said}. Correct the address or the headers of the collector; the records wait`);
  return { refused: Number.POSITIVE_INFINITY, why: said };
}

function visibleText(bytes: Buffer): string {
  return bytes
    .toString("utf8")
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 200);
}

/** What a collector that answers 200 says it has refused all the same. */
function jsonPartialSuccess(answer: Buffer): Refusal | undefined {
  try {
    const { partialSuccess } = Object(JSON.parse(answer.toString("utf8"))) as { readonly partialSuccess?: unknown };
    const { rejectedLogRecords, errorMessage } = Object(partialSuccess) as Readonly<Record<string, unknown>>;
    const refused = Number(rejectedLogRecords);
    return refused > 0 ? { refused, why: visibleText(Buffer.from(String(errorMessage ?? ""))) } : undefined;
  } catch {
    return undefined;
  }
}

/** The same from `ExportLogsServiceResponse`: field 1 is the message, in it 1 is the number and 2 the text. */
function binaryPartialSuccess(answer: Buffer): Refusal | undefined {
  const inner = readFields(answer)?.get(1);
  const fields = typeof inner === "object" ? readFields(inner) : undefined;
  const [refused, why] = [fields?.get(1), fields?.get(2)];
  if (typeof refused !== "number" || refused <= 0) return undefined;
  return { refused, why: typeof why === "object" ? visibleText(why) : "" };
}

interface CollectorAnswer {
  readonly status: number;
  readonly answer: Buffer;
  readonly retryAfter: number | undefined;
}

async function request(
  url: URL,
  headers: Readonly<Record<string, string | number>>,
  body: Buffer,
  proxies: ProxySettings,
): Promise<CollectorAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const away = (error: unknown) =>
    new StoreUnavailable(`${url.origin} cannot be reached: ${whyUnreachable(error, signal.aborted)}`);
  const started = await startRequest(url, { method: "POST", headers, signal, proxies, keepsConnection: true }).catch(
    (error: unknown) => {
      throw away(error);
    },
  );
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(away(error));
    started
      .on("error", fail)
      .on("response", (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => {
          if (chunks.length < MAX_CHUNKS) chunks.push(chunk);
        });
        response.on("error", fail);
        response.on("end", () => {
          const seconds = Number(response.headers["retry-after"]);
          const retryAfter = Number.isFinite(seconds) ? seconds * 1000 : undefined;
          resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks), retryAfter });
        });
      })
      .end(body);
  });
}

/** The messages of OpenTelemetry's protocol 1.x that are sent, field by field: opentelemetry-proto, `*_service.proto`. */
const ANY_VALUE: MessageFields = {
  stringValue: [1, "string"],
  boolValue: [2, "bool"],
  intValue: [3, "int64"],
  doubleValue: [4, "double"],
  arrayValue: [5, () => ARRAY_VALUE],
};
const ARRAY_VALUE: MessageFields = { values: [1, ANY_VALUE] };
const KEY_VALUE: MessageFields = { key: [1, "string"], value: [2, ANY_VALUE] };
const RESOURCE: MessageFields = { attributes: [1, KEY_VALUE] };
const SCOPE: MessageFields = { name: [1, "string"], version: [2, "string"] };

const LOG_RECORD: MessageFields = {
  timeUnixNano: [1, "fixed64"],
  severityNumber: [2, "varint"],
  severityText: [3, "string"],
  body: [5, ANY_VALUE],
  attributes: [6, KEY_VALUE],
  traceId: [9, "hex"],
  spanId: [10, "hex"],
  observedTimeUnixNano: [11, "fixed64"],
  eventName: [12, "string"],
};

const SPAN: MessageFields = {
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  parentSpanId: [4, "hex"],
  name: [5, "string"],
  kind: [6, "varint"],
  startTimeUnixNano: [7, "fixed64"],
  endTimeUnixNano: [8, "fixed64"],
  attributes: [9, KEY_VALUE],
  status: [15, { message: [2, "string"], code: [3, "varint"] }],
};

const NUMBER_POINT: MessageFields = {
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  asInt: [6, "sfixed64"],
  attributes: [7, KEY_VALUE],
};

const HISTOGRAM_POINT: MessageFields = {
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  count: [4, "fixed64"],
  sum: [5, "double"],
  bucketCounts: [6, "fixed64"],
  explicitBounds: [7, "double"],
  attributes: [9, KEY_VALUE],
};

const METRIC: MessageFields = {
  name: [1, "string"],
  description: [2, "string"],
  unit: [3, "string"],
  sum: [7, { dataPoints: [1, NUMBER_POINT], aggregationTemporality: [2, "varint"], isMonotonic: [3, "bool"] }],
  histogram: [9, { dataPoints: [1, HISTOGRAM_POINT], aggregationTemporality: [2, "varint"] }],
};

/** What one request to each path holds. */
const OTLP_REQUESTS = {
  logs: {
    resourceLogs: [
      1,
      {
        resource: [1, RESOURCE],
        scopeLogs: [2, { scope: [1, SCOPE], logRecords: [2, LOG_RECORD], schemaUrl: [3, "string"] }],
      },
    ],
  },
  traces: {
    resourceSpans: [
      1,
      { resource: [1, RESOURCE], scopeSpans: [2, { scope: [1, SCOPE], spans: [2, SPAN], schemaUrl: [3, "string"] }] },
    ],
  },
  metrics: {
    resourceMetrics: [1, { resource: [1, RESOURCE], scopeMetrics: [2, { scope: [1, SCOPE], metrics: [2, METRIC] }] }],
  },
} as const satisfies Record<string, MessageFields>;

type OtlpSignal = keyof typeof OTLP_REQUESTS;

/** What the protocol says to try again, besides every failure of the server. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 429]);
/** Answers about the address or the credentials; redirects, which are not followed, are such answers too. */
const WRONG_ADDRESS: ReadonlySet<number> = new Set([401, 403, 404, 405, 407]);
const TIMEOUT_MS = 10_000;
const MAX_CHUNKS = 16;
