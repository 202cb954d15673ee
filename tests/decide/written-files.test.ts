import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { readLayersOnce } from "../../src/decide/caller.ts";
import { readLayers } from "../../src/decide/layers.ts";
import { clone } from "../trust/clone.ts";

const RULE = (name: string) => `  - { name: ${name}, event: tool:pre_execute, rules: 'tool exists -> deny("no")' }\n`;
const TEXT = `hooks:\n${RULE("first")}${RULE("second")}`;

/** Writes a file in place whenever it is told to: empty for a while, then half of it, then all. */
function writer(path: string): Writer {
  const child = spawn(
    process.execPath,
    [
      "-e",
      `const fs = require("node:fs"); const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
       const [path, text] = process.argv.slice(1); const half = text.indexOf("  - { name: second");
       process.stdin.on("data", () => {
         const times = [Date.now()]; const file = fs.openSync(path, "w"); fs.writeSync(1, "begun\\n");
         for (const part of [text.slice(0, half), text.slice(half)]) { sleep(3); fs.writeSync(file, part); times.push(Date.now()); }
         fs.closeSync(file); fs.writeSync(1, Math.max(times[1] - times[0], times[2] - times[1]) + " ms\\n");
       });`,
      path,
      TEXT,
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value as string;
  return {
    begin: async () => {
      child.stdin.write("now");
      expect(await line()).toBe("begun");
    },
    longestPause: async () => Number.parseInt(await line(), 10),
  };
}

interface Writer {
  /** Empties the file, and goes on while this process does something else. */
  begin(): Promise<void>;
  /** How long it left the file as it was, in milliseconds, when it has written all. */
  longestPause(): Promise<number>;
}

/** A file that does not change for longer is at rest: a writer that a busy machine has held up tells nothing about the call. */
const AT_REST_MS = 20;

test("a file that is emptied and written anew while calls come is read whole", async () => {
  const root = mkdtempSync(join(tmpdir(), "sluice-written-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, ".sluice", "hooks.yaml");
  mkdirSync(dirname(path));
  writeFileSync(path, TEXT);
  const { begin, longestPause } = writer(path);
  const seen: string[] = [];
  for (let call = 0; seen.length < 20; call++) {
    await begin();
    await new Promise((resolve) => setTimeout(resolve, call % 8));
    const layers = call % 2 === 0 ? readLayers(root) : await readLayersOnce(root);
    const own = layers.hooks.filter(({ layer }) => layer === "project").map(({ name }) => name);
    if ((await longestPause()) < AT_REST_MS) seen.push(`${own.join(" ")} ${layers.errors.length}`);
  }
  expect(new Set(seen)).toEqual(new Set(["first second 0"]));
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
  expect(permissionDecisionReason).toContain("cannot be read, so the answers of its hooks are unknown");
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
