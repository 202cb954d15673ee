import { describe, expect, it } from "vitest";
import { aggregate } from "../decision/aggregate.ts";
import type { HookResult } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { decisionRecord, hookEventRecord } from "./record.ts";
import { redactor } from "./redact.ts";

const GUARD = Hook.fromJSON(
  { name: "guard", event: "tool:pre_execute", command: "true" },
  { layer: "project", place: { file: "/p/.sluice/hooks.yaml", line: 3, column: 5 }, index: 0 },
);

function result(said: Partial<HookResult>): HookResult {
  const ran = { success: true, shouldContinue: true, timedOut: false, exitCode: 0, stdout: "", stderr: "" };
  return { hook: GUARD, action: "continue", ...ran, duration: 0.0012345, durationMs: 1.2345, ...said };
}

function recordOf(args: unknown, results: readonly HookResult[], changed?: { value: unknown }) {
  const event = HookEvent.toolPreExecute("bash", args, { sessionId: "s1", cwd: "/p" });
  return decisionRecord(
    aggregate({ event, results, ...(changed && { changed }) }),
    { agent: "x", root: "/p" },
    redactor(),
  );
}

describe("a record", () => {
  it("says what happened, who ran, what each said and what it came to", () => {
    const failure = { why: "timeout", afterMs: 10 } as const;
    const record = recordOf({ command: "ls" }, [
      result({ action: "deny", reason: "no", notes: ["left out a key"] }),
      result({ failure, error: "did not finish", exitCode: null }),
      result({ wouldBe: "ask" }),
    ]);
    expect(record).toMatchObject({
      v: 1,
      kind: "decision",
      agent: "x",
      session_id: "s1",
      event: "tool:pre_execute",
      tool: "bash",
      cwd: "/p",
      root: "/p",
      action: "deny",
      reasons: ["no"],
      notes: ["left out a key"],
      event_json: { type: "tool:pre_execute", data: { tool_args: { command: "ls" } }, tool_name: "bash" },
      results: [
        { hook: "guard", layer: "project", file: "/p/.sluice/hooks.yaml", line: 3, kind: "command", action: "deny" },
        { failure: "timeout", error: "did not finish", exit_code: null, duration_ms: 1.235 },
        { action: "continue", monitor: "ask" },
      ],
    });
    expect(record.id).toMatch(/^[0-9a-f]{6}$/);
    expect(new Date(record.time).toISOString()).toBe(record.time);
  });

  it("keeps what spoke of thousands of results, and looks at no more hooks than it has room for", () => {
    let asked = 0;
    const hook = (name: string) => {
      const made = Hook.fromJSON({ name, event: "tool:pre_execute", command: "true" });
      Object.defineProperty(made, "toJSON", { value: () => ({ name, at: asked++ }) });
      return made;
    };
    const quiet = Array.from({ length: 5000 }, (_, at) => result({ hook: hook(`h${at}`) }));
    const record = recordOf({ command: "ls" }, [
      ...quiet,
      result({ hook: hook("last"), action: "deny", reason: "no" }),
    ]);
    expect(record.results[0]).toMatchObject({ hook: "last", action: "deny" });
    expect(record.cut).toContain("/results");
    expect(asked).toBeLessThanOrEqual(1000);
  });

  it("knows a hook by what it says, also after it was switched off and on again", () => {
    const hook = Hook.fromJSON({ name: "guard", event: "tool:pre_execute", command: "true" });
    const printOf = () => recordOf({}, [result({ hook })]).results[0]?.fingerprint;
    const before = printOf();
    expect(printOf()).toBe(before);
    hook.enabled = false;
    expect(printOf()).not.toBe(before);
    hook.enabled = true;
    expect(printOf()).toBe(before);
    const same = Hook.fromJSON({ name: "guard", event: "tool:pre_execute", command: "true" });
    expect(recordOf({}, [result({ hook: same })]).results[0]?.fingerprint).toBe(before);
  });

  it("keeps the input beside what hooks made of it", () => {
    const record = recordOf({ command: "a" }, [result({ action: "modify" })], { value: { command: "b" } });
    expect(record).toMatchObject({ event_json: { data: { tool_args: { command: "a" } } }, input: { command: "b" } });
  });

  it("holds no secret, wherever it stood", () => {
    const secret = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const said = { action: "deny", reason: `no ${secret}`, error: secret, notes: [secret] } as const;
    const record = recordOf({ command: `echo ${secret}`, [secret]: [secret] }, [result(said)], {
      value: { a: secret },
    });
    expect(JSON.stringify(record)).not.toContain(secret.slice(0, 20));
    expect(record.reasons).toEqual(["no [redacted:github_token]"]);
  });

  it("shortens long values and says so, and never grows beyond all bounds", () => {
    const args = { text: "x".repeat(20_000), list: Array.from({ length: 5000 }, () => "y".repeat(1000)) };
    const record = recordOf(args, []);
    const text = JSON.stringify(record);
    expect(text.length).toBeLessThan(80 * 1024);
    expect(text).toContain("…[shortened from 20000 characters]");
    expect(text).toContain("[left out]");
  });

  it.each([8_192 - 10, 16_384 - 10, 16_384 - 40])("tears no secret in two that lies at %d characters", (at) => {
    const secret = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${"aB3d".repeat(2500)}\n-----END RSA PRIVATE KEY-----\n`;
    for (const before of ["", key]) {
      const text = `${before}${" ".repeat(Math.max(0, at - before.length))}${secret} ${"z".repeat(9000)}`;
      expect(JSON.stringify(recordOf({ text }, []))).not.toContain("ghp_a");
    }
  });

  it("is made of anything that an event may hold", () => {
    const circle: Record<string, unknown> = { big: 1n, when: new Date(0), run: () => 1, gone: undefined };
    circle.self = circle;
    const record = recordOf(circle, []);
    expect(JSON.parse(JSON.stringify(record))).toMatchObject({
      event_json: { data: { tool_args: { big: "1", when: "1970-01-01T00:00:00.000Z" } } },
    });
  });

  it("can be about a call that came to no decision", () => {
    const hookEvent = {
      kind: "unknown_moment",
      agent: "x",
      event: "beforeLunch",
      action: "continue",
      payload: { a: 1 },
    } as const;
    expect(hookEventRecord(hookEvent, redactor())).toMatchObject({
      kind: "unknown_moment",
      event: "beforeLunch",
      event_json: { a: 1 },
      results: [],
    });
  });
});
