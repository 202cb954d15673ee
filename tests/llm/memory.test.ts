import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import type { LlmSettings } from "../../src/llm/llm-settings.ts";
import { asking, Courtroom, command } from "./judging.ts";
import { say } from "./model-server.ts";

const room = new Courtroom();
beforeAll(() => room.open());
beforeEach(() => room.clear());
afterAll(() => room.close());

const HIT = "answered from the cache";

describe("the same question", () => {
  test("is asked once, and the second answer says where it comes from", async () => {
    room.server.act = () => say({ action: "deny", reason: "no" });
    const first = await room.judge(command("rm -rf /"));
    const second = await room.judge(command("rm -rf /"));
    expect(room.server.asked).toHaveLength(1);
    expect(first.result.notes).toBeUndefined();
    expect(second.result).toMatchObject({ action: "deny", reason: "no", success: true, notes: [HIT] });
    expect(second.ran.stdout).toBe(first.ran.stdout);
  });

  test("is asked every time when the hook wants no cache", async () => {
    const hook = asking({ cache: false });
    await room.judge(command("ls"), { hook });
    await room.judge(command("ls"), { hook });
    expect(room.server.asked).toHaveLength(2);
  });

  test("with a changed answer in hand is still the answer", async () => {
    room.server.act = () => say({ action: "modify", modified_data: { patch: { command: "ls -l" } } });
    const { result } = await room.judge(command("ls"));
    (result.modifiedData as { patch: object }).patch = { command: "rm -rf /" };
    const again = await room.judge(command("ls"));
    expect(again.result.modifiedData).toEqual({ patch: { command: "ls -l" } });
  });

  test("does not depend on the order of keys, on the time or on the session", async () => {
    const ask = (args: object, more: object) => room.judge(HookEvent.toolPreExecute("bash", args, more));
    await ask({ command: "ls", timeout: 1 }, { timestamp: 1, sessionId: "a" });
    const hook = asking({ prompt: "{{args.command}}" });
    await room.judge(HookEvent.toolPreExecute("bash", { command: "ls", timeout: 1 }), { hook });
    const { result } = await room.judge(HookEvent.toolPreExecute("bash", { timeout: 1, command: "ls" }), { hook });
    expect(result.notes).toEqual([HIT]);
    expect(room.server.asked).toHaveLength(2);
  });
});

describe("another question", () => {
  const ROWS: readonly [string, () => Promise<unknown>][] = [
    ["another command", () => room.judge(command("pwd"))],
    ["another folder", () => room.judge(command("ls", { cwd: "/elsewhere" }))],
    ["another prompt", () => room.judge(command("ls"), { hook: asking({ prompt: "{{args}}" }) })],
    ["another model", () => room.judge(command("ls"), { settings: room.settings({ model: "other" }) })],
    ["another provider", () => room.judge(command("ls"), { settings: room.settings({ provider: "openai" }) })],
    [
      "what the prompt does not show",
      () => room.judge(HookEvent.toolPreExecute("bash", { command: "ls", hidden: 1 }, { sessionId: "s1" })),
    ],
  ];

  test.each(ROWS)("is asked: %s", async (_, ask) => {
    await room.judge(command("ls"));
    await ask();
    expect(room.server.asked).toHaveLength(2);
  });
});

describe("another process", () => {
  const program = join(inject("programs"), "ask-model.mjs");
  const elsewhere = async (settings: LlmSettings, text: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(settings), text]);
    return JSON.parse(stdout) as { action: string; reason?: string; error?: string; notes?: string[] };
  };

  test("knows what this one was told, and what this one has spent", async () => {
    room.server.act = () => say({ action: "deny", reason: "no" });
    const settings = room.settings({ budget: { dayTokens: 100 } });
    await room.judge(command("ls"), { settings });
    expect(await elsewhere(settings, "ls")).toMatchObject({ action: "deny", reason: "no", notes: [HIT] });
    expect((await elsewhere(settings, "pwd")).error).toContain("The budget of this day is used up: 120 of 100");
    expect(room.server.asked).toHaveLength(1);
  });
});

test("no other user can read what is remembered, and what was tampered with is asked anew", async () => {
  await room.judge(command("ls"));
  const folder = join(room.state, "sluice", "llm");
  for (const name of ["cache", "spent"]) {
    const files = readdirSync(join(folder, name));
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(statSync(join(folder, name, file)).mode & 0o777).toBe(0o600);
  }
  expect(existsSync(join(folder, "cache"))).toBe(true);
  const [file = ""] = readdirSync(join(folder, "cache"));
  writeFileSync(join(folder, "cache", file), '{"wall":0');
  await room.judge(command("pwd"));
  expect(room.server.asked).toHaveLength(2);
});
