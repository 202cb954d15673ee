import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SHARED_KINDS, type SharedKind } from "../../src/config/journal-settings.ts";
import { fileHistory } from "../../src/decide/project.ts";
import type { Decision } from "../../src/decision/decision.ts";
import { examineShared } from "../../src/doctor/shared-counts.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { FileHistory } from "../../src/engine/file-history.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { Budget } from "../../src/llm/budget.ts";
import { Ledger } from "../../src/llm/ledger.ts";
import { deniedBefore, rememberDenial } from "../../src/policies/protect/deny-memory.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { type ShareOptions, shareCounts } from "../../src/ship/share.ts";
import { addForeignLine } from "../../src/ship/shared-files.ts";
import { openSharedStore } from "../../src/ship/shared-stores.ts";
import { sharingName } from "../../src/stores/store.ts";
import { freePort, POSTGRES, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { REDIS, startRedis } from "./redis-server.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A machine with a state of its own; all have the same machine id, as containers of one image do. */
function machineOf(store: string, what: readonly SharedKind[] = SHARED_KINDS) {
  const home = mkdtempSync(join(tmpdir(), "sluice-shared-"));
  folders.push(home);
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  const state = join(home, "state", "sluice");
  const settings = { store, what };
  return {
    env,
    state,
    settings,
    ledger: new Ledger(join(state, "llm", "spent")),
    history: new FileHistory(join(state, "sessions")),
    share: (more: Partial<ShareOptions> = {}) =>
      shareCounts({
        env,
        settings,
        machine: sharingName({ env }),
        once: true,
        signal: new AbortController().signal,
        open: () => openSharedStore(store, env),
        ...more,
      }),
  };
}

const failed = (sessionId: string) =>
  new HookEvent({ type: "tool:error", toolName: "Bash", sessionId, data: {}, timestamp: Date.now() / 1000 });

const ENGINES = [
  { engine: "Redis", program: REDIS, start: startRedis },
  { engine: "Postgres", program: POSTGRES, start: startPostgres },
];

describe.each(ENGINES)("machines that count together in $engine", ({ program, start }) => {
  let server: PostgresServer | undefined;
  let store = "";
  beforeAll(async () => {
    server = program === undefined ? undefined : await start(program);
    store = server?.url ?? "";
  });
  afterAll(() => server?.stop());

  it.skipIf(program === undefined)("have one budget for all, and none counts a question twice", async () => {
    const [one, other, third] = [1, 2, 3].map(() => machineOf(store));
    if (one === undefined || other === undefined || third === undefined) throw new Error("three machines");
    const limits = { dayTokens: 1000 };
    const ask = ({ ledger }: typeof one, session: string, tokens: number) =>
      new Budget(limits, ledger).admit(session, { input: 0, output: 0 }).settle({ input: tokens, output: 0 });
    ask(one, "s1", 400);
    ask(other, "s2", 500);
    for (let round = 0; round < 2; round++) for (const machine of [one, other, third, one]) await machine.share();
    const { day } = one.ledger.accounts(undefined);
    expect([one, other, third].map(({ ledger }) => ledger.spent(day).tokens)).toEqual([900, 900, 900]);
    ask(third, "s3", 150);
    for (const machine of [third, one]) await machine.share();
    expect(() => ask(one, "s1", 1)).toThrow("The budget of this day is used up: 1050 of 1000");
  });

  it.skipIf(program === undefined)("know how often something happened in a session on any of them", async () => {
    const [one, other] = [machineOf(store), machineOf(store)];
    for (let times = 0; times < 3; times++) one.history.record(failed("moving"));
    other.history.record(failed("moving"));
    for (const machine of [one, other, one, other]) await machine.share();
    const count = ({ history }: typeof one, sessionId: string) =>
      history.count({ sessionId, event: "tool:error", tool: "Bash", since: Date.now() / 1000 - 600 });
    expect([count(one, "moving"), count(other, "moving"), count(other, "another")]).toEqual([4, 4, 0]);
  });

  it.skipIf(program === undefined)("know how often something happened in any session of the team", async () => {
    const [one, other, third] = [1, 2, 3].map(() => machineOf(store));
    if (one === undefined || other === undefined || third === undefined) throw new Error("three machines");
    const rules = 'recent.tool_error.10m.team gte 4 -> ask("four failures in the team")';
    const hook = Hook.fromJSON({ event: "tool:pre_execute", rules });
    const engineOf = async ({ env }: typeof one) => {
      const registry = new HookRegistry();
      registry.register(hook);
      return new HookExecutor({ registry, history: await fileHistory([hook], env) });
    };
    const call = () =>
      new HookEvent({ type: "tool:pre_execute", toolName: "Bash", sessionId: "quiet", data: { tool_args: {} } });
    const engines = await Promise.all([one, other, third].map(engineOf));
    for (const [index, engine] of engines.entries())
      for (const session of ["a", "b"].slice(0, index + 1)) await engine.decide(failed(`${session}${index}`));
    const asked = async () => Promise.all(engines.map(async (engine) => (await engine.decide(call())).action));
    expect(await asked()).toEqual(["continue", "continue", "continue"]);
    for (let round = 0; round < 2; round++) for (const machine of [one, other, third]) await machine.share();
    expect(await asked()).toEqual(["ask", "ask", "ask"]);
  });

  it.skipIf(program === undefined)("count what a rule matches together, in a session and in a period", async () => {
    const machines = [machineOf(store), machineOf(store), machineOf(store)];
    const rules = `
      call network "*.count.example" and count(call network "*.count.example") per hour gte 3 -> deny("three in an hour, for all")
      call runs "cargo test" and count(call runs "cargo test" and event equals "tool:error") per session gte 2 -> ask("two failures")`;
    const hook = Hook.fromJSON({ event: "tool:pre_execute", rules });
    const engineOf = async ({ env }: (typeof machines)[number]) => {
      const registry = new HookRegistry();
      registry.register(hook);
      return new HookExecutor({ registry, history: await fileHistory([hook], env) });
    };
    const engines = await Promise.all(machines.map(engineOf));
    const about = (sessionId: string) => ({ sessionId, cwd: "/" });
    const calls = async (command: string, sessionId = "moved") =>
      Promise.all(
        engines.map(
          async (engine) =>
            (await engine.decide(HookEvent.toolPreExecute("Bash", { command }, about(sessionId)))).action,
        ),
      );
    const share = async () => {
      for (let round = 0; round < 2; round++) for (const machine of machines) await machine.share();
    };
    expect(await calls("curl https://a.count.example")).toEqual(["continue", "continue", "continue"]);
    for (const engine of engines.slice(1))
      await engine.decide(HookEvent.toolError("Bash", { command: "cargo test" }, "exit 1", about("moved")));
    expect(await calls("cargo test")).toEqual(["continue", "continue", "continue"]);
    await share();
    expect(await calls("curl https://b.count.example", "another")).toEqual(["deny", "deny", "deny"]);
    expect(await calls("curl https://other.example")).toEqual(["continue", "continue", "continue"]);
    expect(await calls("cargo test")).toEqual(["ask", "ask", "ask"]);
    expect(await calls("cargo test", "another")).toEqual(["continue", "continue", "continue"]);
  });

  it.skipIf(program === undefined)(
    "share only what is named, and remember what a session was denied elsewhere",
    async () => {
      const [one, other] = [machineOf(store), machineOf(store, ["denials"])];
      const event = (command: string) =>
        new HookEvent({
          type: "tool:pre_execute",
          toolName: "Bash",
          sessionId: "s",
          agent: "a",
          cwd: "/srv",
          data: { tool_args: { command } },
        });
      const context = ({ env }: typeof one) => ({ env, root: "/srv", home: env.HOME });
      const result = { hook: "no", action: "deny", reason: "not this file" };
      const denial = {
        event: event("rm /srv/keep.txt"),
        action: "deny",
        results: [result],
        reasons: ["not this file"],
      };
      rememberDenial(denial as unknown as Decision, context(one) as never);
      one.history.record(failed("s"));
      expect(deniedBefore(event("find /srv/keep.txt -delete"), context(other) as never)).toBeUndefined();
      for (const machine of [one, other]) await machine.share();
      expect(deniedBefore(event("find /srv/keep.txt -delete"), context(other) as never)?.reason).toContain(
        "You were denied",
      );
      expect(other.history.count({ sessionId: "s", event: "tool:error", since: 0 })).toBe(0);
    },
  );
});

describe("a store that is away", () => {
  it("changes nothing that is counted here, and is told", async () => {
    for (const scheme of ["redis", "postgres"]) {
      const machine = machineOf(`${scheme}://127.0.0.1:${await freePort()}/0`);
      const { day } = machine.ledger.accounts(undefined);
      machine.ledger.book(day, { tokens: 7, usd: 0 });
      expect((await machine.share())?.problem).toMatch(/cannot be used/);
      expect(machine.ledger.spent(day).tokens).toBe(7);
      const [finding] = await examineShared(machine.settings, machine);
      expect(finding).toMatchObject({ state: "wrong" });
      expect(finding?.what).toContain("still apply");
    }
  });

  it.skipIf(REDIS === undefined)("keeps what had come from others, and gets the rest when it is back", async () => {
    const { url, stop } = await startRedis(REDIS ?? "");
    const [one, other] = [machineOf(url), machineOf(url)];
    const { day } = one.ledger.accounts(undefined);
    one.ledger.book(day, { tokens: 5, usd: 0 });
    await one.share();
    await other.share();
    await stop();
    other.ledger.book(day, { tokens: 3, usd: 0 });
    expect((await other.share())?.problem).toBeDefined();
    expect(other.ledger.spent(day).tokens).toBe(8);
  });
});

describe("a line of another machine", () => {
  const state = mkdtempSync(join(tmpdir(), "sluice-shared-"));
  folders.push(state);
  const line = { machine: "evil", part: "p", end: 1, text: '{"tokens":1,"usd":0}' };
  it.each([
    "budgets/../../../x.jsonl",
    "budgets/day-1.txt",
    "denials/permits.json",
    "denials/pause.json",
    "rates/../protect/pause.json",
    "other/day-1.jsonl",
    "__proto__/day-1.jsonl",
    "budgets",
  ])("reaches no file but those that count: %s", (file) => {
    expect(addForeignLine(state, SHARED_KINDS, { ...line, file })).toBe(false);
  });

  it("is one line, whatever it holds", () => {
    for (const text of ["[1]", "null", "{", "x".repeat(10_000), '{"a":1}\n{"b":2}'])
      expect(addForeignLine(state, SHARED_KINDS, { ...line, file: "budgets/day-1.jsonl", text })).toBe(false);
    expect(addForeignLine(state, SHARED_KINDS, { ...line, file: "budgets/day-1.jsonl" })).toBe(true);
    const written = readFileSync(join(state, "llm/spent/day-1.jsonl"), "utf8");
    expect(written).toBe('{"tokens":1,"usd":0,"from":"evil"}\n');
  });
});
