import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { readHook } from "../hook/read.ts";
import { HookRegistry } from "../registry/registry.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { HOOK_TEMPLATES, TEMPLATES, type TemplateName } from "./index.ts";
import type { Template, TemplateExample } from "./template.ts";

const ROWS = Object.entries(TEMPLATES) as [TemplateName, Template][];
const OUTSIDE = { ...process.env };
let folder = "";

/** Everything a template may touch lies in one folder that is gone afterwards. */
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "template ")));
  for (const name of Object.keys(process.env)) if (/^(GIT|XDG|SLUICE)_/.test(name)) delete process.env[name];
  process.env.HOME = folder;
  process.env.XDG_STATE_HOME = join(folder, "state");
  process.env.XDG_CONFIG_HOME = join(folder, "config");
  process.env.PATH = [join(folder, "bin"), OUTSIDE.PATH].join(delimiter);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, OUTSIDE);
});

describe.each(ROWS)("%s", (name, { hook, title, why, examples }) => {
  test("is a frozen hook of its own name that any registry takes as it is", () => {
    expect(HOOK_TEMPLATES[name]).toBe(hook);
    expect(hook.name).toBe(name);
    expect(Object.isFrozen(hook)).toBe(true);
    expect(() => {
      hook.enabled = false;
    }).toThrow(/shared/);
    const registry = new HookRegistry();
    registry.register(hook);
    expect(registry.hooks).toEqual([hook]);
  });

  test("reads like a hook that a user wrote, and a copy of it can be switched off", () => {
    const { errors, warnings } = readHook(hook.toJSON());
    expect([...errors, ...warnings]).toEqual([]);
    expect([title, why, hook.description].every((words) => words.length > 10)).toBe(true);
    const copy = Hook.fromJSON(hook.toJSON());
    copy.enabled = false;
    expect([copy.enabled, hook.enabled]).toEqual([false, true]);
  });

  test("is a few lines that a team can maintain: rules, or commands that a POSIX shell can read", () => {
    const texts = hook.parts.map(({ command, rules }) => command ?? rules ?? "");
    for (const { command } of hook.parts)
      if (command !== undefined) expect(execFileSync("sh", ["-n", "-c", command], { encoding: "utf8" })).toBe("");
    expect(texts.join("\n").split("\n").length).toBeLessThanOrEqual(15);
    expect(texts.join("\n")).not.toMatch(/TOOL_ARGS\b|TOOL_RESULT\b/);
    expect(hook.parts.filter(({ type }) => type === "inline").flatMap((part) => readHookRules(part).problems)).toEqual(
      [],
    );
  });

  test.each(examples.map((example) => [brief(example.does), example] as const))("%s", async (_, example) => {
    prepare(example);
    const registry = new HookRegistry();
    registry.register(hook);
    const decision = await new HookExecutor({ registry, workingDir: folder }).decide(eventOf(example));
    const words = [...decision.reasons, ...decision.contexts].join("\n");
    expect({ heard: decision.results.length, action: decision.action }, words).toEqual({
      heard: 1,
      action: example.expect,
    });
    if (example.says === undefined) expect(words).toBe("");
    else expect(words).toContain(example.says);
    if (example.after !== undefined) inFolder(example.after);
  });
});

describe("the templates with stated patterns", () => {
  test("hear exactly that", () => {
    const { log_all, notify_session_start, git_auto_commit, block_sudo } = HOOK_TEMPLATES;
    expect(log_all.eventPattern).toBe("*");
    expect(notify_session_start.eventPattern).toBe("session:start");
    expect(git_auto_commit.eventPattern).toBe("tool:post_execute:write");
    expect(git_auto_commit.command).toContain("git commit");
    expect(git_auto_commit.timeout).toBe(30);
    expect(block_sudo.eventPattern).toBe("tool:pre_execute:bash");
  });

  test("sudo ends with code 1, and everything else with 0", async () => {
    const registry = new HookRegistry();
    registry.register(HOOK_TEMPLATES.block_sudo);
    const codes = ["sudo ls", "ls"].map(async (command) => {
      const event = HookEvent.toolPreExecute("bash", { command }, { cwd: folder });
      const [result] = await new HookExecutor({ registry }).executeHooks(event);
      return result?.exitCode;
    });
    expect(await Promise.all(codes)).toEqual([1, 0]);
  });

  test("a log that cannot be written is a failure that is shown and stops no call", async () => {
    writeFileSync(join(folder, "state"), "a file where the folder should be");
    const registry = new HookRegistry();
    registry.register(HOOK_TEMPLATES.log_all);
    const event = HookEvent.toolPreExecute("bash", { command: "ls" }, { cwd: folder });
    const [result] = await new HookExecutor({ registry }).executeHooks(event, { stopOnFailure: true });
    expect(result).toMatchObject({ success: false, shouldContinue: true, failure: { why: "exited", exitCode: 1 } });
  });

  test("templates cannot be added, removed or replaced", () => {
    expect(Object.isFrozen(HOOK_TEMPLATES)).toBe(true);
    expect(Object.keys(HOOK_TEMPLATES)).toEqual(Object.keys(TEMPLATES));
  });
});

test("every template shows both ends of its judgement, or something that it does", () => {
  for (const [name, { examples }] of ROWS) {
    const denies = examples.some((example) => example.expect === "deny");
    const passes = examples.some((example) => example.expect === "continue");
    const acts = examples.some((example) => example.after !== undefined || example.says !== undefined);
    expect(denies ? passes : acts, name).toBe(true);
  }
});

function prepare({ files = {}, programs = {}, before }: TemplateExample): void {
  for (const [path, text] of Object.entries(files)) put(path, text);
  for (const [name, script] of Object.entries(programs)) put(join("bin", name), `#!/bin/sh\n${script}\n`, 0o755);
  if (before !== undefined) inFolder(before);
}

function put(path: string, text: string, mode = 0o644): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

function inFolder(line: string): void {
  execFileSync("sh", ["-c", line], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}

function eventOf({ event, tool, args, data }: TemplateExample): HookEvent {
  const input = args === undefined ? {} : { tool_args: args };
  return new HookEvent({ type: event, toolName: tool, data: { ...data, ...input }, cwd: folder });
}

function brief(text: string): string {
  const line = text.replaceAll("\n", "⏎").replaceAll("%", "%%");
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
