import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import protobuf from "protobufjs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ERROR_TYPE, GEN_AI, SLUICE } from "../../src/ship/otlp-model.ts";
import { chooseTarget, openTarget } from "../../src/ship/targets.ts";
import { machineWithJournal, recordOf } from "./recorded-journal.ts";

/** A collector that takes both encodings, and answers as a test wants. */
const collector = {
  requests: [] as { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[],
  status: (_path: string): number => 200,
  answer: "said the collector" as string | Uint8Array,
};
const types = await protobuf.load(fileURLToPath(new URL("otlp.proto", import.meta.url)));
const MESSAGES: Readonly<Record<string, string>> = {
  "/v1/logs": "otlp.LogsRequest",
  "/v1/traces": "otlp.TracesRequest",
  "/v1/metrics": "otlp.MetricsRequest",
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { url: path = "", headers } = request;
    const bytes = gunzipSync(Buffer.concat(chunks));
    const isJson = headers["content-type"] === "application/json";
    const type = types.lookupType(MESSAGES[path] ?? "");
    const body = isJson
      ? (JSON.parse(bytes.toString("utf8")) as Record<string, unknown>)
      : type.toObject(type.decode(bytes), { longs: String, bytes: Array });
    collector.requests.push({ path, headers, body });
    response.writeHead(collector.status(path)).end(collector.answer);
  });
});
let endpoint = "";
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  collector.requests.length = 0;
  collector.status = () => 200;
  collector.answer = "said the collector";
});

const options = { env: {}, telemetry: undefined, machine: "m1", version: "1.2.3", protocol: undefined };
const opening = (more: Partial<Parameters<typeof openTarget>[1]> = {}) => {
  const target = `otlp+${endpoint}`;
  return { target, open: (memory: unknown) => openTarget(target, { ...options, ...more }, memory) };
};

/** The attributes of anything that has some, as an object. */
function attributes(of: unknown): Record<string, unknown> {
  const { attributes: list = [] } = of as { attributes?: { key: string; value: Record<string, unknown> }[] };
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** What a path of keys and positions leads to. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce((inner: unknown, key) => (inner as Record<string, unknown>)[key], value);
}

const sent = (path: string) => collector.requests.filter((request) => request.path === path).map(({ body }) => body);

describe("an OpenTelemetry collector", () => {
  it("gets a log and a span for each decision, and a span below it for each hook", async () => {
    const machine = machineWithJournal();
    machine.add(recordOf(0), recordOf(1), recordOf(3));
    await machine.ship(opening().open, { target: opening().target });
    const [logs] = sent("/v1/logs");
    expect(attributes(at(logs, "resourceLogs", 0, "resource"))).toMatchObject({
      "service.name": "sluice",
      "service.version": "1.2.3",
      "service.instance.id": "m1",
    });
    const records = at(logs, "resourceLogs", 0, "scopeLogs", 0, "logRecords") as Record<string, unknown>[];
    expect(records).toHaveLength(3);
    expect(attributes(records[0])).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.agent.name": "claude-code",
      "gen_ai.conversation.id": "session-0",
      "gen_ai.tool.name": "Bash",
      "gen_ai.tool.type": "function",
      "error.type": "denied",
      "gen_ai.tool.call.id": "call-0",
      "sluice.decision.id": "000000",
      "sluice.decision.action": "deny",
      "sluice.hook.name": "no-deploys",
      "sluice.project": "app",
    });
    expect(records[0]).toMatchObject({ severityText: "WARN", eventName: "sluice.decision" });
    expect(at(records[0], "body", "stringValue")).toBe("deny Bash: no-deploys: [redacted]");
    expect(String(records[0]?.timeUnixNano)).toMatch(/^\d{19}$/);
    const [traces] = sent("/v1/traces");
    const spans = at(traces, "resourceSpans", 0, "scopeSpans", 0, "spans") as Record<string, unknown>[];
    expect(spans.map(({ name }) => name)).toEqual([
      "execute_tool Bash",
      "hook no-deploys",
      "execute_tool Bash",
      "execute_tool Bash",
    ]);
    expect(spans[1]?.parentSpanId).toEqual(spans[0]?.spanId);
    expect(spans[1]?.traceId).toEqual(spans[0]?.traceId);
    expect(spans[0]?.spanId).toEqual(records[0]?.spanId);
    expect(spans[3]?.traceId).toEqual(spans[0]?.traceId);
    expect(spans[2]?.traceId).not.toEqual(spans[0]?.traceId);
    expect(JSON.stringify(collector.requests)).not.toContain("secret-argument");
  });

  it("gets metrics that count everything so far, so that a batch sent twice counts once", async () => {
    const machine = machineWithJournal();
    const failed = {
      hook: "judge",
      layer: "user",
      kind: "llm",
      fingerprint: "0",
      action: "continue",
      failure: "timeout",
      exit_code: null,
      duration_ms: 900,
    };
    machine.add(recordOf(0), recordOf(1), recordOf(2, { results: [failed] }));
    const { open, target } = opening();
    await machine.ship(open, { target, limits: { records: 2, bytes: 1e6 } });
    machine.add(recordOf(4));
    await machine.ship(open, { target });
    const metrics = at(sent("/v1/metrics").at(-1), "resourceMetrics", 0, "scopeMetrics", 0, "metrics") as Record<
      string,
      unknown
    >[];
    expect(metrics.map(({ name }) => name)).toEqual(["sluice.decisions", "sluice.failures", "sluice.hook.duration"]);
    const points = at(metrics[0], "sum", "dataPoints") as Record<string, unknown>[];
    expect(points.map((point) => [attributes(point)["sluice.decision.action"], point.asInt])).toEqual([
      ["deny", "2"],
      ["continue", "2"],
    ]);
    const [failure] = at(metrics[1], "sum", "dataPoints") as Record<string, unknown>[];
    expect(attributes(failure)).toEqual({
      "sluice.hook.name": "judge",
      "sluice.hook.failure": "timeout",
      let_pass: "true",
    });
    const judge = (at(metrics[2], "histogram", "dataPoints") as Record<string, unknown>[]).find(
      (point) => attributes(point)["sluice.hook.name"] === "judge",
    );
    expect(judge).toMatchObject({ count: "1", sum: 900 });
    const counts = (at(judge, "bucketCounts") as string[]).map(Number);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(counts).toHaveLength((at(judge, "explicitBounds") as number[]).length + 1);
  });

  it("gets the same as JSON where it is asked for, with arguments only where they are", async () => {
    const machine = machineWithJournal();
    machine.add(recordOf(0));
    const { open, target } = opening({ protocol: "http/json" });
    await machine.ship(open, { target, withArguments: true });
    expect(collector.requests[0]?.headers["content-type"]).toBe("application/json");
    const log = at(sent("/v1/logs")[0], "resourceLogs", 0, "scopeLogs", 0, "logRecords", 0);
    expect(attributes(log)["gen_ai.tool.call.arguments"]).toBe('{"command":"echo secret-argument-0"}');
    expect(at(log, "traceId")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("that is overloaded is asked again, and one that refuses costs the batch, which is counted and told", async () => {
    const machine = machineWithJournal();
    machine.add(recordOf(0), recordOf(1));
    let left = 2;
    collector.status = () => (left-- > 0 ? 503 : 200);
    const { open, target } = opening();
    expect(await machine.ship(open, { target })).toMatchObject({ shipped: 2, dropped: 0 });
    collector.status = (path) => (path === "/v1/logs" ? 400 : 200);
    machine.add(recordOf(2));
    const progress = await machine.ship(open, { target });
    expect(progress).toMatchObject({ shipped: 2, dropped: 1 });
    expect(progress.problem).toContain("answered 400: said the collector");
    collector.status = (path) => (path === "/v1/logs" ? 200 : 404);
    machine.add(recordOf(3));
    expect(await machine.ship(open, { target })).toMatchObject({ shipped: 3, dropped: 1, problem: undefined });
  });

  it.each([302, 307, 401, 403, 404, 405, 407, 501, 520])(
    "that answers %i keeps nothing and costs nothing",
    async (status) => {
      const machine = machineWithJournal();
      machine.add(recordOf(0));
      const { open, target } = opening();
      collector.status = () => status;
      const progress = await machine.ship(open, { target });
      expect(progress).toMatchObject({ shipped: 0, dropped: 0 });
      expect(progress.problem).toContain(`answered ${status}`);
      collector.status = () => 200;
      expect(await machine.ship(open, { target })).toMatchObject({ shipped: 1, dropped: 0 });
    },
  );

  it.each([
    ["http/json", '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too old"}}'],
    ["http/protobuf", Buffer.from("\x0a\x0b\x08\x01\x12\x07too old", "latin1")],
  ])("that takes a part of a batch over %s is told, with what it refused counted", async (protocol, answer) => {
    const machine = machineWithJournal();
    machine.add(recordOf(0), recordOf(1), recordOf(2));
    const { open, target } = opening({ protocol });
    collector.answer = answer;
    const progress = await machine.ship(open, { target });
    expect(progress).toMatchObject({ shipped: 2, dropped: 1 });
    expect(progress.problem).toContain("took only a part: too old");
    for (const fine of [
      "",
      "{}",
      '{"partialSuccess":{}}',
      "{",
      Buffer.from([0x0a, 0x00]),
      Buffer.from([0x0a, 0x09, 0x08]),
    ]) {
      machine.add(recordOf(3));
      collector.answer = fine;
      expect(await machine.ship(open, { target })).toMatchObject({ dropped: 1, problem: undefined });
    }
  });

  it.each(["nonsense", "localhost:4318", "http://", "ftp://x"])(
    "is not at %s, and nothing is written in its place",
    (stated) => {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: stated };
      expect(() => chooseTarget(undefined, { env, telemetry: undefined })).toThrow("not an address with a host");
    },
  );

  it.each(["file:", "file://", "file://host/x.jsonl", "otlp+http://"])("is not named by --to %s", (stated) => {
    expect(() => chooseTarget(stated, { env: {}, telemetry: undefined })).toThrow(
      /not a file|not an address with a host/,
    );
  });

  it("that is a file by a relative name is another target in every folder", () => {
    const none = { env: {}, telemetry: undefined };
    expect(chooseTarget("file:out.jsonl", none)).toBe(`file:${process.cwd()}/out.jsonl`);
    expect(chooseTarget("file:share/", none)).toBe(`file:${process.cwd()}/share/`);
    expect(chooseTarget("file:///share/", none)).toBe("file:///share/");
  });

  it("is named by --to, by the user's settings, or by OpenTelemetry's variables, with headers", async () => {
    const otlp = {
      endpoint: "https://otel.example:4318",
      headers: { "x-key": "${COLLECTOR_KEY}" },
      protocol: "http/protobuf",
    } as const;
    const telemetry = { otlp, arguments: false };
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b" };
    expect(chooseTarget(undefined, { env, telemetry })).toBe("otlp+https://otel.example:4318");
    expect(chooseTarget(undefined, { env, telemetry: undefined })).toBe("otlp+http://127.0.0.1:4318");
    expect(() => chooseTarget(undefined, { env: {}, telemetry: undefined })).toThrow("There is no target to ship to");
    expect(() => chooseTarget("gopher://x", { env: {}, telemetry })).toThrow(
      "not a kind of address that Sluice ships to",
    );
    const machine = machineWithJournal();
    machine.add(recordOf(0));
    const here = { otlp: { ...otlp, endpoint }, arguments: false };
    const { open, target } = opening({ env: { ...env, COLLECTOR_KEY: "k" }, telemetry: here });
    await machine.ship(open, { target });
    expect(collector.requests[0]?.headers).toMatchObject({ "x-key": "k", "x-tenant": "a b" });
    await expect(opening({ telemetry: here }).open(undefined)).rejects.toThrow("COLLECTOR_KEY");
    await expect(opening({ protocol: "grpc" }).open(undefined)).rejects.toThrow("not supported");
  });
});

it("every attribute that is sent has one row in the mapping to OCSF and ECS", () => {
  const page = readFileSync(new URL("../../docs/telemetry.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("## For a SIEM"), page.indexOf("## What goes wrong"));
  const rows = section
    .split("\n")
    .flatMap((line) => /^\| `([a-z_.]+)`[^|]*\|[^|]*`[^|]*\|[^|]*`/.exec(line)?.[1] ?? []);
  const sent = [...Object.values(GEN_AI), ...Object.values(SLUICE), ERROR_TYPE, "service.instance.id"];
  expect(rows.sort()).toEqual(sent.sort());
});
