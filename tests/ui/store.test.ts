import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTarget } from "../../src/ship/targets.ts";
import { storeSource } from "../../src/ui-server/call-source.ts";
import type { CallDetail, CallRow, Figures, ReviewGroup } from "../../src/ui-server/wire.ts";
import { POSTGRES, type PostgresServer, startPostgres } from "../ship/postgres-server.ts";
import { machineWithJournal, recordOf } from "../ship/recorded-journal.ts";
import { pagesServer } from "./pages-server.ts";

describe.skipIf(POSTGRES === undefined)("calls of a database", () => {
  let database: PostgresServer | undefined;
  beforeAll(async () => {
    database = await startPostgres(POSTGRES ?? "");
    await shipped("laptop", recordOf(0), recordOf(1));
    await shipped("desk", recordOf(4), recordOf(5));
  });
  afterAll(() => database?.stop());

  async function shipped(name: string, ...records: readonly object[]): Promise<void> {
    const machine = machineWithJournal();
    machine.add(...records);
    const target = database?.url ?? "";
    const options = { env: {}, telemetry: undefined, machine: name, version: "1", protocol: undefined };
    await machine.ship(() => openTarget(target, options, undefined), { target, machine: name, withArguments: true });
  }

  async function opened() {
    const server = await pagesServer({ source: storeSource(database?.url ?? "") });
    const headers = { ...(await server.logIn()), origin: `http://127.0.0.1:${server.port}` };
    const at = (path: string, body?: object) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { ...headers, "content-type": "application/json" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
    return { at, json: async <T>(path: string) => (await (await at(path)).json()) as T };
  }

  test("the pages show what every machine shipped, with its name", async () => {
    const { at, json } = await opened();
    const rows = (await (await at("/api/rows")).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as CallRow);
    expect(rows.map(({ id, machine }) => [id, machine])).toEqual([
      ["000005", "desk"],
      ["000004", "desk"],
      ["000001", "laptop"],
      ["000000", "laptop"],
    ]);
    const denied = rows.at(-1);
    const detail = await json<CallDetail>(`/api/call?id=${denied?.id}&at=${denied?.at}`);
    expect(detail).toMatchObject({ machine: "laptop", action: "deny", reasons: ["Not on this machine."] });
    expect(await json<Figures>("/api/figures?days=1")).toMatchObject({ calls: 4, denied: 2 });
  });

  test("what another machine denied can be looked at here, and is allowed and tested there", async () => {
    const { at, json } = await opened();
    const { groups } = await json<{ groups: readonly ReviewGroup[] }>("/api/review?days=1");
    expect(groups.every(({ may }) => !may.once && !may.always)).toBe(true);
    const { id, at: time } = groups[0]?.example ?? { id: "", at: 0 };
    const answer = await at("/api/review/test", { id, at: time });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining("This call was made on") });
  });

  test("what a machine ships from now on arrives, also when it was recorded a while ago", async () => {
    const { at } = await opened();
    const stream = (await at("/api/live")).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    await shipped("phone", recordOf(9, { time: new Date(Date.now() - 600_000).toISOString() }));
    while (!text.includes('"machine":"phone"')) text += (await stream?.read())?.value ?? "";
    await shipped("phone", recordOf(10));
    while (!text.includes('"id":"00000a"')) text += (await stream?.read())?.value ?? "";
    expect(text.split('"id":"000009"')).toHaveLength(2);
    await stream?.cancel();
  });
});
