import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileHistory } from "../../src/engine/file-history.ts";
import { SessionHistory } from "../../src/engine/history.ts";
import { Hook, HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";

/** `count(<condition>) per …`: how many earlier calls met a condition. */

const HISTORIES = {
  memory: () => undefined,
  files: () => new FileHistory(mkdtempSync(join(tmpdir(), "counts-"))),
} as const;

function executorFor(rules: string, event: string, history: keyof typeof HISTORIES) {
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON({ name: "limit", event, type: "inline", rules }));
  const made = HISTORIES[history]();
  return new HookExecutor({ registry, ...(made === undefined ? {} : { history: made }) });
}

const NOW = Date.now() / 1000;
const shell = (command: string, sessionId = "s", timestamp = NOW) =>
  HookEvent.toolPreExecute("Bash", { command }, { sessionId, timestamp, cwd: "/" });

describe.each(["memory", "files"] as const)("calls that are counted in %s", (history) => {
  const run = async (rules: string, events: readonly HookEvent[], event = "tool:pre_execute") => {
    const executor = executorFor(rules, event, history);
    const actions: string[] = [];
    for (const one of events) actions.push((await executor.decide(one)).action);
    return actions;
  };
  const NETWORK = 'call network "*" and count(call network "*") per session gte 2 -> deny("two are enough")';

  it("are those that met the condition, and not every call of the tool", async () => {
    const calls = [
      "ls",
      "curl https://a.example",
      "ls",
      "wget https://b.example",
      "ls",
      "curl https://c.example",
      "ls",
    ];
    expect(
      await run(
        NETWORK,
        calls.map((one) => shell(one)),
      ),
    ).toEqual([..."ccccc", "d", "c"].map((one) => (one === "d" ? "deny" : "continue")));
  });

  it("are counted for each session by itself, and in a period for all of them", async () => {
    const inSessions = [1, 2, 3, 4, 5].map((at) => shell("curl https://a.example", `s${at}`));
    expect(new Set(await run(NETWORK, inSessions))).toEqual(new Set(["continue"]));
    const hour = 'count(call network "*") per hour gt 2 -> ask("many")';
    expect(await run(hour, inSessions)).toEqual(["continue", "continue", "continue", "ask", "ask"]);
  });

  it("are forgotten when their period is over", async () => {
    const rule = 'count(call runs "npm") per minute gt 0 -> deny("wait")';
    const at = [0, 10, 69, 131].map((seconds) => shell("npm test", "s", NOW + seconds));
    expect(await run(rule, at)).toEqual(["continue", "deny", "deny", "continue"]);
  });

  it("may have run already, and failed", async () => {
    const rule =
      'call runs "npm test" and count(call runs "npm test" and event equals "tool:error") per session gte 3 -> ask("three failures")';
    const failed = () =>
      HookEvent.toolError("Bash", { command: "npm test" }, "exit 1", { sessionId: "s", timestamp: NOW, cwd: "/" });
    const passed = () =>
      HookEvent.toolPostExecute("Bash", { command: "npm test" }, "ok", { sessionId: "s", timestamp: NOW, cwd: "/" });
    const events = [
      shell("npm test"),
      failed(),
      shell("npm test"),
      passed(),
      shell("npm test"),
      failed(),
      failed(),
      shell("npm test"),
    ];
    expect((await run(rule, events)).at(-1)).toBe("ask");
    expect((await run(rule, events.slice(0, -2))).filter((one) => one !== "continue")).toEqual([]);
  });

  it("stay counted in a session, however many other events it has", async () => {
    const rules = 'call runs "deploy" and count(call runs "deploy") per session gte 1 -> deny("once a session")';
    const registry = new HookRegistry();
    registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules }));
    const made = HISTORIES[history]() ?? new SessionHistory();
    const executor = new HookExecutor({ registry, history: made });
    expect((await executor.decide(shell("deploy"))).action).toBe("continue");
    for (let times = 0; times < 4500; times++) made.record(shell("ls"));
    expect((await executor.decide(shell("deploy"))).action).toBe("deny");
  });

  it("count each other when they run side by side", async () => {
    const executor = executorFor(NETWORK, "tool:pre_execute", history);
    const decisions = await Promise.all([1, 2, 3, 4].map(() => executor.decide(shell("curl https://a.example"))));
    expect(decisions.filter(({ action }) => action === "continue").length).toBeLessThanOrEqual(2);
  });
});
