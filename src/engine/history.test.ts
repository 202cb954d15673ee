import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { HookRegistry } from "../registry/registry.ts";
import { HookExecutor } from "./executor.ts";
import { FileHistory } from "./file-history.ts";
import { SessionHistory } from "./history.ts";

const failure = (tool: string, sessionId: string, timestamp: number) =>
  HookEvent.toolError(tool, {}, "failed", { sessionId, timestamp });
const call = (tool: string, sessionId: string, timestamp: number) =>
  HookEvent.toolPreExecute(tool, { command: "make" }, { sessionId, timestamp });

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "sluice-history-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const HISTORIES = {
  "in memory": () => new SessionHistory(),
  "in files": () => new FileHistory(folder(), ["tool:error"]),
};

describe.each(Object.entries(HISTORIES))("a history %s", (_, make) => {
  const executor = () => {
    const registry = new HookRegistry();
    const rules = 'recent.tool_error.10m gte 3 -> ask("three failures in ten minutes: look at it first")';
    registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules }));
    return new HookExecutor({ registry, history: make() });
  };

  test("lets a rule ask after three errors of a tool in ten minutes", async () => {
    const engine = executor();
    for (const at of [1000, 1100]) await engine.decide(failure("bash", "s", at));
    expect((await engine.decide(call("bash", "s", 1150))).action).toBe("continue");
    await engine.decide(failure("bash", "s", 1200));
    const decision = await engine.decide(call("bash", "s", 1250));
    expect(decision).toMatchObject({ action: "ask", reasons: ["three failures in ten minutes: look at it first"] });
  });

  test("counts in all sessions where a rule asks about the team, also across midnight", async () => {
    const registry = new HookRegistry();
    const rules =
      'recent.tool_error.10m.team gte 3 -> ask("this tool")\nrecent.tool_error.1h.all.team gte 5 -> deny("all")';
    registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules }));
    const engine = new HookExecutor({ registry, history: make() });
    const midnight = 86_400 * 20_000;
    for (const [index, at] of [-100, -50, 50].entries())
      await engine.decide(failure("bash", `s${index}`, midnight + at));
    const asked = async (tool: string, at: number) => (await engine.decide(call(tool, "new", midnight + at))).action;
    expect(await asked("bash", 100)).toBe("ask");
    expect(await asked("edit", 100)).toBe("continue");
    expect(await asked("bash", 520)).toBe("continue");
    for (const session of ["x", "y"]) await engine.decide(failure("edit", session, midnight + 530));
    expect(await asked("bash", 540)).toBe("deny");
  });

  test("knows how long a session has lasted", async () => {
    const registry = new HookRegistry();
    registry.register(
      Hook.fromJSON({ event: "tool:pre_execute", rules: 'session_minutes gt 120 -> ask("two hours: commit first")' }),
    );
    const engine = new HookExecutor({ registry, history: make() });
    await engine.decide(HookEvent.sessionStart("s", {}, { timestamp: 1000 }));
    expect((await engine.decide(call("bash", "s", 1000 + 119 * 60))).action).toBe("continue");
    expect((await engine.decide(call("bash", "s", 1000 + 121 * 60))).action).toBe("ask");
    expect((await engine.decide(call("bash", "another", 1000 + 121 * 60))).action).toBe("continue");
  });

  test("counts events without a tool whatever the tool", async () => {
    const registry = new HookRegistry();
    registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules: "recent.session_start.10m gte 1 -> ask()" }));
    const engine = new HookExecutor({ registry, history: make() });
    await engine.decide(HookEvent.sessionStart("s", {}, { timestamp: 1000 }));
    expect((await engine.decide(call("bash", "s", 1100))).action).toBe("ask");
  });

  test("keeps apart what the team did on other days, and of other kinds", () => {
    const history = make();
    const day = 86_400;
    history.record(failure("bash", "one", day * 10 + 5));
    history.record(failure("bash", "two", day * 11 + 5));
    history.record(call("bash", "two", day * 11 + 6));
    const ofTeam = (since: number, ofTeamUntil: number) =>
      history.count({ sessionId: "new", event: "tool:error", since, ofTeamUntil });
    expect(ofTeam(day * 11, day * 11 + 9)).toBe(1);
    expect(ofTeam(day * 10, day * 11 + 9)).toBe(2);
    expect(ofTeam(day * 11 + 5, day * 11 + 9)).toBe(1);
    expect(ofTeam(day * 11 + 6, day * 11 + 9)).toBe(0);
  });

  test("is asked about a session without a name as well", () => {
    const history = make();
    history.record(HookEvent.toolError("bash", {}, "failed", { timestamp: 7 }));
    expect(history.count({ sessionId: undefined, event: "tool:error", since: 7 })).toBe(1);
    expect(history.count({ sessionId: "s", event: "tool:error", since: 0 })).toBe(0);
    expect(history.began?.(undefined)).toBe(7);
  });

  test("counts per tool, per session and within the window only", async () => {
    const engine = executor();
    for (const at of [1000, 1001, 1002]) await engine.decide(failure("bash", "s", at));
    expect((await engine.decide(call("bash", "s", 1003))).action).toBe("ask");
    expect((await engine.decide(call("other", "s", 1003))).action).toBe("continue");
    expect((await engine.decide(call("bash", "another", 1003))).action).toBe("continue");
    expect((await engine.decide(call("bash", "s", 1000 + 601 + 2))).action).toBe("continue");
  });
});

test("a history need not know when a session began", async () => {
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules: 'session_minutes gt 0 -> ask("old")' }));
  const history = { record: () => undefined, count: () => 0 };
  const decision = await new HookExecutor({ registry, history }).decide(call("bash", "s", 1000));
  expect(decision).toMatchObject({ action: "continue", results: [{ success: true }] });
});

test("`.all` counts every tool, and an event of now counts itself", async () => {
  const registry = new HookRegistry();
  registry.register(
    Hook.fromJSON({ event: "tool:pre_execute", rules: 'recent.PreToolUse.1m.all gt 2 -> deny("slow down")' }),
  );
  const engine = new HookExecutor({ registry });
  const said: string[] = [];
  for (const [index, tool] of ["a", "b", "c"].entries())
    said.push((await engine.decide(call(tool, "s", 10 + index))).action);
  expect(said).toEqual(["continue", "continue", "deny"]);
});

test("a history in files survives the program, is private, and passes over torn lines", () => {
  const path = folder();
  new FileHistory(path).record(failure("bash", "s", 5));
  const file = join(path, readdirSync(path)[0] ?? "");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  appendFileSync(
    file,
    '{"event":"tool:er\n{"tool":"bash","at":6}\n{"event":"tool:error","tool":"bash","at":"soon"}\n{"event":"tool:error","tool":"bash","at":"6"}\n',
  );
  const question = { sessionId: "s", event: "tool:error", tool: "bash", since: -1 } as const;
  expect(new FileHistory(path).count(question)).toBe(1);
  expect(new FileHistory(path).began("s")).toBe(5);
  const nowhere = new FileHistory(join(path, "nowhere"));
  expect(nowhere.count(question)).toBe(0);
  expect(nowhere.began("s")).toBe(undefined);
});

test("a history whose first line is foreign does not know when its session began", () => {
  const path = folder();
  const history = new FileHistory(path);
  history.record(failure("bash", "s", 5));
  const file = join(path, readdirSync(path)[0] ?? "");
  for (const first of ["{}", '{"event":"tool:error"}', '{"event":7,"at":5}', "torn"]) {
    writeFileSync(file, `${first}\n`);
    expect(history.began("s")).toBe(undefined);
  }
});

test.runIf(existsSync("/proc/self/fd"))("a history in files closes what it opens", () => {
  const history = new FileHistory(folder());
  history.record(failure("bash", "s", 5));
  const open = readdirSync("/proc/self/fd").length;
  for (let turn = 0; turn < 50; turn++) {
    history.count({ sessionId: "s", event: "tool:error", since: 0 });
    history.began("s");
  }
  expect(readdirSync("/proc/self/fd").length).toBeLessThan(open + 20);
});

test("a history in memory forgets the oldest sessions and events, never the newest", () => {
  const history = new SessionHistory();
  for (let index = 0; index < 5000; index++) history.record(failure("bash", "busy", index));
  for (let index = 0; index < 600; index++) history.record(failure("bash", `s${index}`, 1));
  const count = (sessionId: string, since: number) => history.count({ sessionId, event: "tool:error", since });
  expect(count("busy", 0)).toBe(0);
  expect(history.began("busy")).toBe(undefined);
  for (const [session, known] of [
    ["s99", 0],
    ["s100", 1],
    ["s599", 1],
  ] as const)
    expect(count(session, 0)).toBe(known);
});

test("a history in memory keeps the newest two thousand events of a session, at times half of them", () => {
  const history = new SessionHistory();
  const count = () => history.count({ sessionId: "busy", event: "tool:error", since: 0 });
  for (let index = 1; index <= 2000; index++) history.record(failure("bash", "busy", index));
  expect(count()).toBe(2000);
  history.record(failure("bash", "busy", 2001));
  expect(count()).toBe(1001);
  expect(history.count({ sessionId: "busy", event: "tool:error", since: 2001 })).toBe(1);
  expect(history.began("busy")).toBe(1);
});
