import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readLayers } from "../../src/decide/layers.ts";
import { readLayersOnce } from "../../src/decide/plain-layers.ts";
import { clone } from "../trust/clone.ts";

const RULE = (name: string) => `  - { name: ${name}, event: tool:pre_execute, rules: 'tool exists -> deny("no")' }\n`;
const TEXT = `hooks:\n${RULE("first")}${RULE("second")}`;

/** Writes a file in place, over and over: empty for a while, then half of it, then all. */
function writer(path: string): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      "-e",
      `const fs = require("node:fs"); const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
       const [path, text] = process.argv.slice(1); const half = text.indexOf("  - { name: second");
       for (const end = Date.now() + 20000; Date.now() < end; sleep(60)) {
         const file = fs.openSync(path, "w"); sleep(2); fs.writeSync(file, text.slice(0, half)); sleep(2); fs.writeSync(file, text.slice(half)); fs.closeSync(file);
       }`,
      path,
      TEXT,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("a file that is emptied and written anew while calls come is read whole", async () => {
  const root = mkdtempSync(join(tmpdir(), "sluice-written-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, ".sluice", "hooks.yaml");
  mkdirSync(dirname(path));
  writeFileSync(path, TEXT);
  const { pid } = writer(path);
  expect(pid).toBeDefined();
  const seen = new Set<string>();
  for (let call = 0; call < 30; call++) {
    const layers = call % 2 === 0 ? readLayers(root) : await readLayersOnce(root);
    const own = layers.hooks.filter(({ layer }) => layer === "project").map(({ name }) => name);
    seen.add(`${own.join(" ")} ${layers.errors.length}`);
    await new Promise((resolve) => setTimeout(resolve, 7));
  }
  expect([...seen]).toEqual(["first second 0"]);
});

test("gates of a user's configuration that is there and cannot be read are asked about, not opened", () => {
  const made = clone();
  const file = join(made.home, ".config", "sluice", "hooks.yaml");
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync("hooks.yaml", file);
  const payload = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const { permissionDecision, permissionDecisionReason } = JSON.parse(
    made.run("claude-code", payload).out,
  ).hookSpecificOutput;
  expect(permissionDecision).toBe("ask");
  expect(permissionDecisionReason).toContain("cannot be read, so what its hooks would say is not known");
  expect(JSON.parse(made.run("codex", payload).out).hookSpecificOutput.permissionDecision).toBe("deny");
});

test("so are gates of one that is too large to be read", () => {
  const made = clone();
  const file = join(made.home, ".config", "sluice", "hooks.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${TEXT}#${"x".repeat(1024 * 1024)}\n`);
  const payload = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  expect(JSON.parse(made.run("claude-code", payload).out).hookSpecificOutput.permissionDecision).toBe("ask");
});
