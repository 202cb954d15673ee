import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../command-server/run-command.ts";

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-stdin-"));
  const resolveDir = fileURLToPath(new URL("../../src", import.meta.url));
  for (const [file, contents] of Object.entries({ "hook.mjs": HOOK, "stdin.mjs": READS }))
    await build({
      stdin: { contents, resolveDir, loader: "ts" },
      outfile: join(folder, file),
      bundle: true,
      format: "esm",
      platform: "node",
    });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A whole hook, as its author writes it. */
const HOOK = `
  import { HookRequest, writeOutput } from "./plugin.ts";
  const request = HookRequest.fromStdin();
  const isForbidden = request.toolName === "Write" && request.toolInput.file_path === "test.py";
  writeOutput(request.complete([isForbidden ? ["block", "Cannot modify test.py"] : null, ["allow", request.cwd]]));
`;

const READS = `
  import { readStdin } from "./plugin.ts";
  try {
    process.stdout.write(JSON.stringify(readStdin()));
  } catch (error) {
    process.stdout.write(error.code);
  }
`;

function run(input: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "hook.mjs")], {
    input,
    encoding: "utf8",
  });
  return { status, stderr, said: stdout === "" ? null : JSON.parse(stdout) };
}

const PAYLOAD = {
  hook_event_name: "PreToolUse",
  tool_name: "Write",
  tool_input: { file_path: "test.py" },
  cwd: "/project",
};

describe("a hook that is a program of its own", () => {
  it("blocks with JSON on standard output, the reason on standard error and exit code 2", () => {
    const permission = { permissionDecision: "deny", permissionDecisionReason: "Cannot modify test.py" };
    expect(run(JSON.stringify(PAYLOAD))).toEqual({
      status: 2,
      stderr: "Cannot modify test.py\n",
      said: { hookSpecificOutput: { hookEventName: "PreToolUse", ...permission } },
    });
  });

  it("adds context with exit code 0, and says nothing on standard error", () => {
    const additionalContext = "/project";
    expect(run(JSON.stringify({ ...PAYLOAD, tool_name: "Read" }))).toEqual({
      status: 0,
      stderr: "",
      said: { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext } },
    });
  });

  it.each(["", "   ", "nonsense", "[1]", "null"])(
    "refuses when its input is %j, because it may have been a gate",
    (input) => {
      const { status, stderr } = run(input);
      expect(status).toBe(2);
      expect(stderr).toMatch(/standard input/);
    },
  );

  it("has the payload alone from `readStdin`, as the agent sent it, or an error that says what was there", () => {
    // Node loads a module once: each input has one of its own.
    const alone = (name: string, input: string) => {
      const module = join(folder, `${name}.mjs`);
      copyFileSync(join(folder, "stdin.mjs"), module);
      return runCommand([], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, module, input }).out;
    };
    expect(JSON.parse(alone("whole", JSON.stringify(PAYLOAD)))).toEqual(PAYLOAD);
    expect(alone("list", "[1]")).toBe("request/stdin-unreadable");
    expect(alone("blank", " ")).toBe("request/stdin-empty");
  });

  it("reads a large payload", () => {
    const content = "é".repeat(3_000_000);
    expect(run(JSON.stringify({ ...PAYLOAD, content })).status).toBe(2);
  });
});
