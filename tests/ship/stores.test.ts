import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fleetReports, fleetStatus } from "../../src/ship/fleet.ts";
import { storedRecords } from "../../src/ship/postgres-read.ts";
import { openTarget } from "../../src/ship/targets.ts";
import { connectPostgres } from "../../src/stores/postgres-client.ts";
import { freePort, POSTGRES, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { machineWithJournal, recordOf } from "./recorded-journal.ts";

const options = { env: {}, telemetry: undefined, machine: "m1", version: "1.2.3", protocol: undefined };
const NATS = ["/usr/local/bin/nats-server", "/usr/bin/nats-server"].find(existsSync);
const started: ChildProcess[] = [];
const folders: string[] = [];

afterAll(async () => {
  for (const child of started) {
    const gone = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGINT");
    await gone;
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(POSTGRES === undefined)("a Postgres database", () => {
  let url = "";
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES ?? "");
    ({ url } = server);
  });
  afterAll(() => server?.stop());
  const rows = async (text: string) => {
    const client = await connectPostgres(url);
    return client.unsafe(text).finally(() => client.end({ timeout: 0 }));
  };

  it("gets one row a record, in partitions by day, and none twice", async () => {
    const machine = machineWithJournal();
    const days = [0, 1, 2].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString());
    const records = days.flatMap((time, day) => [0, 1, 2, 3].map((index) => recordOf(day * 4 + index, { time })));
    machine.add(...records);
    const open = () => openTarget(url, options, undefined);
    expect((await machine.ship(open, { target: url, limits: { records: 5, bytes: 1e6 } })).shipped).toBe(12);
    rmSync(join(machine.home, "state", "sluice", "ship"), { recursive: true });
    await machine.ship(open, { target: url });
    expect(await rows("select count(*)::int as count from sluice_decisions")).toMatchObject([{ count: 12 }]);
    const stored = await rows("select action, hooks, reasons, tool, record from sluice_decisions where id = '000000'");
    expect(stored).toMatchObject([
      { action: "deny", hooks: ["no-deploys"], reasons: ["no-deploys: [redacted]"], tool: "Bash" },
    ]);
    expect(stored[0]?.record).toMatchObject({ id: "000000", event_json: { tool_call_id: "call-0" } });
    const partitions = await rows(
      "select count(*)::int as count from pg_inherits where inhparent = 'sluice_decisions'::regclass",
    );
    expect(partitions).toMatchObject([{ count: 3 }]);
  });

  it("keeps records of several machines apart that have the same id, and takes signs that it cannot store", async () => {
    const [one, other] = [machineWithJournal(), machineWithJournal()];
    const strange = recordOf(900, { reasons: ["zero \u0000 and half \ud83d of a pair"] });
    one.add(strange, recordOf(901, { time: "1999-01-01T00:00:00.000Z" }));
    other.add(strange);
    const whole = { target: url, withArguments: true };
    const progress = await one.ship(() => openTarget(url, options, undefined), whole);
    expect(progress).toMatchObject({ shipped: 1, dropped: 1 });
    await other.ship(() => openTarget(url, options, undefined), { ...whole, machine: "m2" });
    const stored = await rows("select machine, reasons from sluice_decisions where id = '000384' order by machine");
    expect(stored.map((row) => row.machine)).toEqual(["m1", "m2"]);
    expect(stored[0]?.reasons).toEqual(["zero \ufffd and half \ufffd of a pair"]);
  });

  it("gives records back, newest first, page by page", async () => {
    const machine = machineWithJournal();
    const time = new Date(Date.now() + 3_600_000).toISOString();
    machine.add(...Array.from({ length: 2100 }, (_, index) => recordOf(10_000 + index, { time })));
    await machine.ship(() => openTarget(url, options, undefined), { target: url });
    const found: string[] = [];
    for await (const { id } of storedRecords(url, time)) found.push(id);
    expect(new Set(found).size).toBe(2100);
    expect(found).toHaveLength(2100);
    expect(found).toEqual(found.toSorted().reverse());
  });

  it("knows which bundle each machine has", async () => {
    const machine = machineWithJournal();
    const report = {
      machine: "m1",
      at: new Date().toISOString(),
      sluice: "1.2.3",
      bundle: 42,
      confirmed: undefined,
      problem: "its fetch fails",
    };
    await machine.ship(() => openTarget(url, options, undefined), { target: url, report: () => report });
    const status = fleetStatus(await fleetReports(url));
    expect(status).toMatchObject({
      machines: 1,
      bundles: { 42: 1 },
      troubled: [{ machine: "m1", problem: "its fetch fails" }],
    });
  });

  it("that is away is waited for, and one that refuses the user is told", async () => {
    const machine = machineWithJournal();
    machine.add(recordOf(1));
    const nowhere = `postgres://sluice@127.0.0.1:${await freePort()}/postgres`;
    const away = await machine.ship(() => openTarget(nowhere, options, undefined), { target: nowhere });
    expect(away.shipped).toBe(0);
    expect(away.problem).toContain("cannot be used");
    const other = url.replace(/postgres$/, "no_such_database");
    await expect(machine.ship(() => openTarget(other, options, undefined), { target: other })).rejects.toThrow(
      "refuses",
    );
  });
});

describe.skipIf(NATS === undefined)("a NATS stream", () => {
  it("gets one message a record, and drops what comes twice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nats-"));
    folders.push(folder);
    const port = await freePort();
    const url = `nats://127.0.0.1:${port}`;
    const machine = machineWithJournal();
    machine.add(...Array.from({ length: 50 }, (_, index) => recordOf(index)));
    const open = () => openTarget(url, options, undefined);
    expect((await machine.ship(open, { target: url })).problem).toContain("cannot be used");
    started.push(spawn(NATS ?? "", ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" }));
    await expect.poll(async () => (await machine.ship(open, { target: url })).shipped).toBe(50);
    rmSync(join(machine.home, "state", "sluice", "ship"), { recursive: true });
    expect((await machine.ship(open, { target: url })).shipped).toBe(50);
    const { connect } = await import("@nats-io/transport-node");
    const { jetstreamManager } = await import("@nats-io/jetstream");
    const connection = await connect({ servers: `127.0.0.1:${port}` });
    const { state } = await (await jetstreamManager(connection)).streams.info("SLUICE");
    await connection.close();
    expect(state.messages).toBe(50);
  });
});

it("says plainly which stores were tried", () => {
  const missing = [POSTGRES ?? "Postgres is not installed here", NATS ?? "NATS is not installed here"].filter((text) =>
    text.includes("not"),
  );
  if (missing.length > 0) console.warn(`not tried: ${missing.join(", ")}`);
  expect(missing.every((text) => text.endsWith("here"))).toBe(true);
});
