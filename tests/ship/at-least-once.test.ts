import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileSink } from "../../src/ship/file-sink.ts";
import { fleetReports, fleetStatus } from "../../src/ship/fleet.ts";
import { machineReport } from "../../src/ship/machine-report.ts";
import type { OpenSink } from "../../src/ship/ship.ts";
import type { ShippedRecord } from "../../src/ship/sink.ts";
import { StoreUnavailable } from "../../src/stores/store.ts";
import { compressClosed } from "../../src/trace/compressed.ts";
import { machineWithJournal, recordOf } from "./recorded-journal.ts";

/** A target in memory, which keeps what it was sent. */
function target(behave: (batch: readonly ShippedRecord[]) => void = () => {}) {
  const got: ShippedRecord[] = [];
  const open = async (): Promise<OpenSink> => ({
    send: async (batch) => {
      behave(batch);
      got.push(...batch);
      return { acknowledged: batch.map(({ key }) => key), dropped: [] };
    },
    close: async () => {},
  });
  return { got, open, ids: () => got.map(({ record }) => record.id) };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => recordOf(index).id);
const records = (count: number, from = 0) => Array.from({ length: count }, (_, index) => recordOf(from + index));

describe("the journal on its way to a target", () => {
  it("is sent in order and once, and later only what is new", async () => {
    const machine = machineWithJournal();
    const { open, ids: sent } = target();
    machine.add(...records(5), ...records(2, 5));
    await machine.ship(open, { limits: { records: 3, bytes: 1e6 } });
    expect(sent()).toEqual(ids(7));
    machine.add(...records(2, 7));
    const progress = await machine.ship(open);
    expect(sent()).toEqual(ids(9));
    expect(progress).toMatchObject({ shipped: 9, dropped: 0, problem: undefined });
  });

  it("goes on behind the last acknowledged batch after the target was away", async () => {
    const machine = machineWithJournal();
    machine.add(...records(10));
    let calls = 0;
    const { open, ids: sent } = target(() => {
      calls++;
      if (calls > 2 && calls < 5) throw new StoreUnavailable("the collector is away");
    });
    const limits = { records: 3, bytes: 1e6 };
    expect((await machine.ship(open, { limits })).shipped).toBe(10);
    expect(sent()).toEqual(ids(10));
    expect(calls).toBe(6);
  });

  it("stays where it is while the target is away, and loses nothing", async () => {
    const machine = machineWithJournal();
    machine.add(...records(4));
    const { open: away } = target(() => {
      throw new StoreUnavailable("nothing listens there");
    });
    expect(await machine.ship(away)).toMatchObject({ shipped: 0, problem: "nothing listens there" });
    machine.add(...records(2, 4));
    const { open, ids: sent } = target();
    expect(await machine.ship(open)).toMatchObject({ shipped: 6, problem: undefined });
    expect(sent()).toEqual(ids(6));
  });

  it("is sent again when the process ended before it could note the acknowledgement, under the same keys", async () => {
    const machine = machineWithJournal();
    machine.add(...records(3));
    const { open, got } = target();
    await machine.ship(open);
    rmSync(join(machine.home, "state", "sluice", "ship"), { recursive: true });
    await machine.ship(open);
    expect(got.map(({ key }) => key).slice(0, 3)).toEqual(got.map(({ key }) => key).slice(3));
  });

  it("is found again in files that were rolled over and compressed", async () => {
    const machine = machineWithJournal();
    machine.write("2026-01-01", records(6));
    const { open, ids: sent } = target();
    await machine.ship(open, { limits: { records: 2, bytes: 1e6 }, signal: endAfter(1) });
    expect(sent().length).toBeLessThan(6);
    expect(await compressClosed(machine.journal, new Date(Date.now() + 3_600_000))).toBe(1);
    await machine.ship(open);
    expect(sent()).toEqual(ids(6));
  });

  it("leaves out a torn line, and the arguments of calls unless they are asked for", async () => {
    const machine = machineWithJournal();
    machine.add(recordOf(0));
    machine.write("2026-01-01", []);
    const { open, got } = target();
    await machine.ship(open);
    expect(JSON.stringify(got)).not.toContain("secret-argument");
    expect(got[0]?.record.event_json).toEqual({ tool_call_id: "call-0" });
    const { open: other, got: whole } = target();
    await machine.ship(other, { target: "file:other", withArguments: true });
    expect(JSON.stringify(whole)).toContain("secret-argument-0");
  });

  it("is looked through for secrets of this environment before it leaves", async () => {
    const machine = machineWithJournal();
    machine.add(recordOf(0, { reasons: ["It would print hunter2-hunter2-hunter2."] }));
    const { open, got } = target();
    await machine.ship(open, { env: { ...machine.env, DEPLOY_TOKEN: "hunter2-hunter2-hunter2" } });
    expect(JSON.stringify(got)).not.toContain("hunter2");
  });

  it("is shipped by one process at a time to each target", async () => {
    const machine = machineWithJournal();
    machine.add(...records(1));
    const { open } = target();
    const slow: typeof open = async () => {
      await expect(machine.ship(open)).rejects.toThrow("Another process ships");
      return open();
    };
    expect((await machine.ship(slow)).shipped).toBe(1);
  });
});

describe("a file", () => {
  it("gets one line a record; in a folder, each machine has its own, with a report for the fleet", async () => {
    const machine = machineWithJournal();
    machine.add(...records(3));
    const folder = `file://${machine.home}/share/`;
    const where = { env: machine.env };
    await machine.ship(async () => fileSink(folder, "m1"), {
      report: () => machineReport("m1", "1.2.3", undefined, where),
    });
    const lines = readFileSync(join(machine.home, "share", "m1.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids(3));
    const status = fleetStatus(await fleetReports(folder));
    expect(status).toMatchObject({
      machines: 1,
      versions: { "1.2.3": 1 },
      bundles: { 0: 1 },
      silent: [],
      troubled: [],
    });
    expect(fleetStatus(await fleetReports(folder), Date.now() + 2 * 86_400_000).silent).toHaveLength(1);
    const reports = { m2: '{"half', m3: "[]", m4: '{"machine":"m4"}', m5: '{"machine":"m5","at":"never"}' };
    for (const [name, text] of Object.entries(reports))
      writeFileSync(join(machine.home, "share", `${name}.machine.json`), text);
    const torn = fleetStatus(await fleetReports(folder));
    expect(torn.troubled.map((one) => one.machine)).toEqual(["m2", "m3", "m4"]);
    expect(torn.troubled[0]?.problem).toContain(join(machine.home, "share", "m2.machine.json"));
    expect([torn.machines, torn.silent.map((one) => one.machine)]).toEqual([5, ["m5"]]);
  });
});

/** A signal that ends shipping behind so many batches. */
function endAfter(batches: number): AbortSignal {
  let left = batches;
  return {
    get aborted() {
      return left-- <= 0;
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  } as unknown as AbortSignal;
}
