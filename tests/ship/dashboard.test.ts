import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { metricsOf, readSums, withRecords } from "../../src/ship/otlp-metrics.ts";
import type { DecisionRecord } from "../../src/trace/record.ts";
import { freePort } from "./postgres-server.ts";
import { recordOf } from "./recorded-journal.ts";

const PROMETHEUS = ["/usr/bin/prometheus", "/usr/local/bin/prometheus"].find(existsSync);
const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/grafana/${name}`, import.meta.url)), "utf8");

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly asInt?: string;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
}

/** Metrics as a collector shows them to Prometheus. */
function exposed(records: readonly DecisionRecord[]): string {
  const metrics = metricsOf(withRecords(readSums(undefined, Date.now()), records), Date.now()) as readonly {
    readonly name: string;
    readonly sum?: { readonly dataPoints: readonly Point[] };
    readonly histogram?: { readonly dataPoints: readonly Point[] };
  }[];
  const plain = (text: string) => text.replaceAll(".", "_");
  const lines = metrics.flatMap(({ name, sum, histogram }) => [
    ...(sum?.dataPoints ?? []).map((point) => `${plain(name)}_total{${labelsOf(point)}} ${point.asInt}`),
    ...(histogram?.dataPoints ?? []).flatMap((point) => {
      const [base, labels] = [`${plain(name)}_milliseconds`, labelsOf(point)];
      let total = 0;
      const buckets = (point.bucketCounts ?? []).map((count, index) => {
        total += Number(count);
        return `${base}_bucket{${labels},le="${point.explicitBounds?.[index] ?? "+Inf"}"} ${total}`;
      });
      return [...buckets, `${base}_sum{${labels}} ${point.sum}`, `${base}_count{${labels}} ${point.count}`];
    }),
  ]);
  return `${[...lines, 'target_info{service_name="sluice",service_version="1.0.0"} 1'].join("\n")}\n`;

  function labelsOf({ attributes }: Point): string {
    return attributes
      .map(({ key, value }) => `${plain(key)}=${JSON.stringify(String(Object.values(value)[0]))}`)
      .join(",");
  }
}

const letPass = (index: number) =>
  recordOf(index, {
    action: "continue",
    reasons: [],
    results: [
      {
        hook: "scan",
        layer: "user",
        kind: "command",
        fingerprint: "0",
        action: "continue",
        failure: "timeout",
        exit_code: null,
        duration_ms: 1500,
      },
    ],
  });

describe.skipIf(PROMETHEUS === undefined)("the dashboard and the alerts, in Prometheus", () => {
  it("ask for what is there, and the first failure that let something pass raises the alert", async () => {
    const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
    const records: unknown[] = Array.from({ length: 40 }, (_, index) => recordOf(index));
    const target = createServer((_, response) => response.end(exposed(records as DecisionRecord[])));
    await new Promise<void>((ready) => target.listen(0, "127.0.0.1", ready));
    const scraped = `127.0.0.1:${(target.address() as AddressInfo).port}`;
    const config = {
      global: { scrape_interval: "1s" },
      scrape_configs: [{ job_name: "c", static_configs: [{ targets: [scraped] }] }],
    };
    writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const server = spawn(
      PROMETHEUS ?? "",
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=${address}`,
      ],
      { stdio: "ignore" },
    );
    const gone = new Promise((ended) => server.on("exit", ended));
    const ask = async (query: string): Promise<readonly unknown[]> => {
      const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`);
      const { data, error } = (await answer.json()) as { data?: { result: unknown[] }; error?: string };
      if (error !== undefined) throw new Error(`${query}: ${error}`);
      return data?.result ?? [];
    };
    const until = async (query: string) => {
      for (let tries = 0; tries < 150; tries++) {
        const found = await ask(query).catch(() => []);
        if (found.length > 0) return found;
        await setTimeout(200);
      }
      return [];
    };
    try {
      await until("sluice_decisions_total");
      const { groups } = parse(read("alerts.yaml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
      const rules = groups.flatMap((group) => group.rules);
      const failedOpen = rules[0]?.expr ?? "";
      expect(await ask(failedOpen)).toEqual([]);
      records.push(...Array.from({ length: 20 }, (_, index) => recordOf(100 + index)), letPass(200));
      expect(await until(failedOpen)).not.toEqual([]);
      for (const { expr } of rules) await ask(expr);
      await until("increase(sluice_failures_total[1h])");
      const queries = [...read("sluice.json").matchAll(/"expr":\s*("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
        String(JSON.parse(text ?? '""')).replaceAll("$agent", ".*"),
      );
      expect(queries.length).toBeGreaterThan(6);
      for (const query of queries) expect(await ask(query), query).not.toEqual([]);
    } finally {
      server.kill();
      await gone;
      target.closeAllConnections();
      target.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
