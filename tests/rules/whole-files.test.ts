import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HookConfig } from "../../src/config/hook-config.ts";
import { HookEvent } from "../../src/event/event.ts";
import type { Hook } from "../../src/hook/hook.ts";
import { runInline } from "../../src/runners/inline.ts";
import { COMPREHENSIVE, MODEL_SWITCH, RULE_LANGUAGE, SIMPLE_RULES } from "./whole-files.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-rules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let projects = 0;

/** Through a file, as a user has them. */
function loaded(text: string): Hook[] {
  const root = join(folder, String(projects++));
  mkdirSync(join(root, ".sluice"), { recursive: true });
  writeFileSync(join(root, ".sluice", "hooks.yaml"), text);
  return HookConfig.loadProject(root);
}

async function said(text: string, event: HookEvent): Promise<[string | undefined, string | undefined]> {
  const hook = loaded(text).find((candidate) => candidate.type === "inline" && candidate.matches(event));
  if (hook === undefined) return ["no hook hears it", undefined];
  const context = { deadline: hook.timeout, workingDir: undefined, signal: undefined, depth: 1 };
  const { answer, failure } = await runInline(hook, event, context);
  expect(failure).toBeUndefined();
  return [answer?.action, answer?.reason];
}

const bash = (command: string) => HookEvent.toolPreExecute("bash", { command });
const toModel = (new_model: string) =>
  new HookEvent({ type: "ModelSwitch", data: { old_model: "haiku", new_model, reason: "asked" } });

describe("the configurations that users know say what they say", () => {
  const rows: [name: string, text: string, event: HookEvent, action: string, reason?: string][] = [
    ["simple rules", SIMPLE_RULES, bash("sudo rm -rf build"), "deny", "Dangerous rm -rf command blocked"],
    ["simple rules", SIMPLE_RULES, bash("rm a b"), "deny", "Bulk delete blocked"],
    ["simple rules", SIMPLE_RULES, bash("rm src/deep/file"), "deny", "Bulk delete blocked"],
    ["simple rules", SIMPLE_RULES, bash("ls"), "continue"],
    ["simple rules", SIMPLE_RULES, HookEvent.toolPreExecute("write_file", { command: "rm -rf" }), "no hook hears it"],
    ["simple rules", SIMPLE_RULES, HookEvent.toolPostExecute("bash", { command: "rm -rf /" }, ""), "no hook hears it"],
    ["the rule language", RULE_LANGUAGE, bash("rm -rf /"), "deny", "Dangerous command"],
    ["the rule language", RULE_LANGUAGE, bash("rm a b"), "deny", "Bulk delete"],
    ["the rule language", RULE_LANGUAGE, bash("cat a.py"), "continue"],
    ["a regular expression", COMPREHENSIVE, bash("rm -rf /"), "deny", "Dangerous system-wide delete blocked"],
    ["a regular expression", COMPREHENSIVE, bash("rm  -rf  /"), "deny", "Regex matched dangerous delete"],
    ["a regular expression", COMPREHENSIVE, bash("echo rm  -rf  /"), "continue"],
    ["a model switch", MODEL_SWITCH, toModel("opus-4"), "deny", "Expensive model blocked in CI environment"],
    ["a model switch", MODEL_SWITCH, toModel("haiku"), "continue"],
  ];
  test.each(rows)("%s: %#", async (_name, text, event, action, reason) => {
    expect(await said(text, event)).toEqual([action, reason]);
  });
});

test("the third line of the rule language lets Python files pass, and looks no further", async () => {
  const [hook] = loaded(
    RULE_LANGUAGE.replace("tools: [bash]", "tools: [bash, write_file]").replace(
      "-> continue()",
      '-> continue()\n        tool equals "write_file" -> deny("only Python")',
    ),
  );
  const run = (path: string) =>
    runInline(hook!, HookEvent.toolPreExecute("write_file", { file_path: path }), {
      deadline: 1,
      workingDir: undefined,
      signal: undefined,
      depth: 1,
    });
  expect((await run("src/a.py")).answer).toEqual({ action: "continue" });
  expect((await run("src/a.js")).answer).toEqual({ action: "deny", reason: "only Python" });
});

test("a file with several kinds of hooks is read whole", () => {
  expect(
    loaded(COMPREHENSIVE).map(({ name, type, priority, timeout, inlineRules }) => [
      name,
      type,
      priority,
      timeout,
      inlineRules?.length,
    ]),
  ).toEqual([
    ["bash-safety-guard", "inline", 10, 30, 2],
    ["llm-code-reviewer", "llm", 50, 15, undefined],
    ["error-logger", "command", 100, 30, undefined],
    ["checkpoint-backup", "command", 100, 30, undefined],
  ]);
  expect(loaded(MODEL_SWITCH).map(({ name, type }) => [name, type])).toEqual([
    ["model-usage-tracker", "command"],
    ["expensive-model-blocker", "inline"],
  ]);
});
