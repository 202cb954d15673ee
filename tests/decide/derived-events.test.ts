import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer } from "../../src/decide/answer.ts";
import { createHookEngine } from "../../src/hosts/hook-engine.ts";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";
import { ToolExecutionHooks } from "../../src/hosts/tool-execution.ts";
import { guardFunction } from "../../src/programs/function.ts";
import { hooksFrom } from "../../src/programs/hooks.ts";
import { within } from "../intent/project.ts";

/** A project whose only hook writes down every event that it matches. */
function project() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-derived-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(home, "project");
  for (const folder of [join(home, ".config/sluice"), join(root, ".sluice")]) mkdirSync(folder, { recursive: true });
  const line = "tr -d '\\n' >> seen; echo >> seen";
  const hooks = ["tool:*", "session:error", "memory:update"].map((event) => ({ event, command: line }));
  writeFileSync(join(home, ".config/sluice/hooks.json"), JSON.stringify({ hooks }));
  writeFileSync(join(root, ".sluice/hooks.json"), '{"hooks":[]}');
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  } as Record<string, string>;
  const seen = () => {
    const lines = readFileSync(join(root, "seen"), "utf8").trim().split("\n");
    return lines.map((text) => JSON.parse(text) as { type: string; tool_name?: string; data: Record<string, unknown> });
  };
  return { root, env, seen };
}

type Project = ReturnType<typeof project>;

/** A tool `Bash` that fails with "no such host", in every front. */
const FAILURES: Readonly<Record<string, (at: Project) => Promise<unknown>>> = {
  "Claude Code": (at) =>
    run(at, "claude-code", {
      hook_event_name: "PostToolUseFailure",
      session_id: "s",
      cwd: at.root,
      tool_name: "Bash",
      tool_input: { command: "ping x" },
      error: "no such host",
    }),
  "Gemini CLI": (at) =>
    run(at, "gemini-cli", {
      hook_event_name: "AfterTool",
      session_id: "s",
      cwd: at.root,
      tool_name: "Bash",
      tool_input: { command: "ping x" },
      tool_response: { error: { message: "no such host" } },
    }),
  "any program": (at) =>
    run(at, "json", {
      type: "tool:error",
      session_id: "s",
      cwd: at.root,
      tool_name: "Bash",
      data: { tool_args: { command: "ping x" }, error: "no such host" },
    }),
  createHookEngine: async ({ root }) =>
    createHookEngine({ root, sessionId: "s" }).postToolUse(
      { toolName: "Bash", toolInput: { command: "ping x" } },
      new Error("no such host"),
    ),
  wrapToolCall: async (at) =>
    new ToolExecutionHooks(manager(at)).wrapToolCall({ sessionId: "s" }, "Bash", { command: "ping x" }, fails),
  guardFunction: async (at) =>
    guardFunction(
      hooksFrom({ manager: manager(at), session: { sessionId: "s" } }),
      "Bash",
      fails,
    )({
      command: "ping x",
    }),
};

describe("a failed tool fires tool:error and then session:error", () => {
  it.each(Object.entries(FAILURES))("%s", async (_, fail) => {
    const at = project();
    await within(at.env, () => fail(at).catch(() => {}));
    const events = at.seen().filter(({ type }) => type !== "tool:pre_execute");
    expect(events.map(({ type }) => type)).toEqual(["tool:error", "session:error"]);
    const [failed, error] = events;
    expect(failed).toMatchObject({ tool_name: "Bash", data: { tool_args: { command: "ping x" } } });
    expect(error).toMatchObject({ tool_name: "Bash", data: { tool: "Bash", session_id: "s", severity: "error" } });
    expect(error?.data.error_message).toContain("no such host");
  });
});

describe("hooks see the same data in every front", () => {
  const call = { command: "ls" };
  const fronts: Readonly<Record<string, (at: Project) => Promise<unknown>>> = {
    "sluice run": async (at) => {
      const about = { session_id: "s", cwd: at.root, tool_name: "Bash", tool_input: call };
      await run(at, "claude-code", { hook_event_name: "PreToolUse", ...about });
      await run(at, "claude-code", { hook_event_name: "PostToolUse", ...about, tool_response: "done" });
    },
    createHookEngine: async ({ root }) => {
      const engine = createHookEngine({ root, sessionId: "s" });
      await engine.preToolUse({ toolName: "Bash", toolInput: call });
      await engine.postToolUse({ toolName: "Bash", toolInput: call }, "done");
    },
    wrapToolCall: (at) =>
      new ToolExecutionHooks(manager(at)).wrapToolCall({ sessionId: "s" }, "Bash", call, () => "done"),
    guardFunction: (at) =>
      guardFunction(hooksFrom({ manager: manager(at), session: { sessionId: "s" } }), "Bash", () => "done")(call),
  };
  it.each(Object.entries(fronts))("%s", async (name, make) => {
    const at = project();
    await within(at.env, () => make(at));
    const [before, after] = at.seen();
    expect(before).toMatchObject({ type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: call } });
    expect(after).toMatchObject({ type: "tool:post_execute", data: { tool_args: call, tool_result: "done" } });
    if (name === "wrapToolCall") expect(after).toMatchObject({ data: { tool: "Bash", args: call, result: "done" } });
  });
});

function manager({ root }: Project): HooksManager {
  const made = new HooksManager({ root });
  made.load();
  return made;
}

async function run({ root, env }: Project, agent: string, payload: object): Promise<void> {
  await answer({ text: JSON.stringify(payload), agent }, { cwd: root, env });
}

async function fails(): Promise<never> {
  throw new Error("no such host");
}
