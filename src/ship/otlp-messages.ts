import type { MessageFields } from "./protobuf.ts";

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
export const OTLP_REQUESTS = {
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

export type OtlpSignal = keyof typeof OTLP_REQUESTS;
