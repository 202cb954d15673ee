import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createHookEngine, type HookEngine } from "../../src/index.ts";
import { project } from "./project.ts";

const { root, env } = project({
  "src/auth/a.ts": "a\n",
  "src/auth/out": "→ ../../elsewhere/deep",
  "lib/src/auth/a.ts": "a\n",
  "elsewhere/deep/a.ts": "a\n",
});
let engine: HookEngine;

beforeAll(async () => {
  Object.assign(process.env, env);
  mkdirSync(join(root, "src/auth/sub"), { recursive: true });
  engine = createHookEngine({ root, sessionId: "s" });
  await engine.selectActiveIntent("INT-001");
});

type Call = [toolName: string, toolInput: object, cwd?: string];
const decide = (toolName: string, toolInput: object, cwd?: string) => engine.preToolUse({ toolName, toolInput, cwd });

test.each<Call>([
  ["execute_command", { command: "echo x > src/auth/a", cwd: "lib" }],
  ["execute_command", { command: "echo x > src/auth/a", cwd: join(root, "lib") }],
  ["shell", { command: ["bash", "-lc", "touch src/auth/a"], workdir: "/tmp" }],
  ["exec_command", { cmd: "touch src/auth/a", workdir: "/tmp" }],
  ["run_shell_command", { command: "touch src/auth/a", dir_path: "lib" }],
  ["run_shell_command", { command: "touch src/auth/a", directory: "lib" }],
  ["bash", { command: "touch src/auth/a", workdir: "lib" }],
  ["mcp__term__run_command", { command: "touch src/auth/a", workingDirectory: "lib" }],
  ["bash", { command: "touch ../a.ts", workdir: "src/auth" }],
  ["bash", { command: "touch a", workdir: "auth" }],
  ["bash", { command: "touch a", workdir: "src/auth/out" }],
  ["bash", { command: "touch ../a.ts", workdir: "src/auth/out" }],
  ["bash", { command: "touch src/auth/a", workdir: "/tmp", cwd: "." }],
])("a command line writes where the call says that it runs: %s %j", async (toolName, toolInput, cwd) => {
  expect(await decide(toolName, toolInput, cwd)).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
});

test.each<Call>([
  ["bash", { command: "touch a", workdir: "src/auth" }],
  ["bash", { command: "touch a", workdir: join(root, "src/auth") }],
  ["bash", { command: "touch ../a.ts", workdir: "src/auth/sub" }],
  ["bash", { command: "touch src/auth/a", workdir: root }],
  ["bash", { command: "touch src/auth/a", workdir: "" }],
  ["bash", { command: "touch a", workdir: "auth" }, "src"],
  ["bash", { command: "touch src/auth/a", workdir: ".." }, "src"],
  ["bash", { command: "cat a.ts", workdir: "/tmp" }],
  ["bash", { command: "ls", workdir: 5 }],
])("what is owned there passes: %s %j", async (toolName, toolInput, cwd) => {
  expect(await decide(toolName, toolInput, cwd)).toEqual({ allow: true });
});

test.each<unknown>([5, ["src/auth"], "$HOME", "src/auth/out/..", " src/auth", "file:///tmp"])(
  "an uncertain folder lets nothing pass that would not pass without it: %j",
  async (cwd) => {
    for (const command of ["touch src/auth/a", "touch a"])
      expect(await decide("bash", { command, cwd })).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
  },
);
