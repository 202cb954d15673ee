import { expect, test } from "vitest";
import { createHookEngine } from "../../src/index.ts";
import { EXAMPLE, type Files, project, within } from "./project.ts";

const FILES: Files = {
  "src/gen/keep.ts": "k\n",
  "src/gen/other.ts": "o\n",
  "src/keys/k.ts": "k\n",
  "src/d/a.ts": "a\n",
  "src/d/b.md": "b\n",
  "src/e/a.ts": "a\n",
};

async function decide(scope: readonly string[], toolName: string, toolInput: object, more: Files = {}) {
  const lines = scope.map((pattern) => `          - ${JSON.stringify(pattern)}\n`).join("");
  const intents = EXAMPLE.replace(/ {10}- "src\/auth.*\n.*\n/, lines);
  const { root, env } = project({ ...FILES, ...more, ".orchestration/active_intents.yaml": intents });
  return within(env, async () => {
    const engine = createHookEngine({ root, sessionId: "s" });
    await engine.selectActiveIntent("INT-001");
    return engine.preToolUse({ toolName, toolInput });
  });
}

const bash = (command: string) => ["Bash", { command }] as const;
const IGNORED = { ".intentignore": "src/gen/keep.ts\n" };

test.each<readonly [toolName: string, toolInput: object]>([
  bash("mv src/gen src/gen2"),
  bash("mv src src2"),
  bash("mv src/ge* lib"),
  bash("git mv src/gen src/gen2"),
  bash("rename 's/gen/gen2/' src/gen"),
  ["move_file", { source: "src/gen", destination: "src/gen2" }],
  ["mcp__fs__move_file", { source: "src/gen", destination: "src/gen2" }],
  ["rename", { old_path: "src/gen", new_path: "src/gen2" }],
])("a folder that is moved takes a protected file along: %s %j", async (toolName, toolInput) => {
  expect(await decide(["**"], toolName, toolInput, IGNORED)).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
});

test.each<readonly [scope: readonly string[], command: string, allow: boolean]>([
  [["**", "!src/keys/**"], "mv src src2", false],
  [["**", "!src/keys/**"], "mv src/gen src/gen2", true],
  [["src/**/*.ts", "src/d2/**", "src/d"], "mv src/d src/d2", false],
  [["src/**/*.ts", "src/e2/**", "src/e"], "mv src/e src/e2", true],
  [["src/d/**", "src/d2"], "mv src/d src/d2", false],
  [["src/d/**", "src/d2/**"], "mv src/d src/d2", true],
  [["src/d/**", "src/d2/**"], "rmdir src/d", true],
])("with the scope %j, a call that moves a folder moves what lies in it: %s", async (scope, command, allow) => {
  const said = await decide(scope, ...bash(command));
  expect(said).toMatchObject(allow ? { allow } : { allow, code: "SCOPE_VIOLATION" });
});

test.each([bash("mv src/gen src/gen2"), ["move_file", { source: "src/gen", destination: "src/gen2" }] as const])(
  "what a moved folder brings along may be protected where it comes to lie: %s %j",
  async (toolName, toolInput) => {
    const ignored = { ".intentignore": "src/gen2/keep.ts\n" };
    expect(await decide(["**"], toolName, toolInput, ignored)).toMatchObject({ code: "SCOPE_VIOLATION" });
    expect(await decide(["**"], toolName, toolInput)).toMatchObject({ allow: true });
  },
);
