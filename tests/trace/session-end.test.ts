import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";

/** How an agent says that a session begins, that a tool writes a file, and that the session, or the turn, is over. */
interface Told {
  readonly start?: (cwd: string) => object;
  readonly write: (cwd: string, when: "before" | "after") => object;
  readonly end: (cwd: string) => object;
}

const claudeLike = (end: object): Told => {
  const at = (cwd: string, name: string, more: object = {}) => ({
    session_id: "s1",
    transcript_path: join(cwd, "..", "transcript.jsonl"),
    cwd,
    hook_event_name: name,
    ...more,
  });
  const call = { tool_name: "Write", tool_input: { file_path: "asked.md", content: "asked\n" }, tool_use_id: "t1" };
  return {
    start: (cwd) => at(cwd, "SessionStart", { source: "startup" }),
    write: (cwd, when) =>
      when === "before" ? at(cwd, "PreToolUse", call) : at(cwd, "PostToolUse", { ...call, tool_response: {} }),
    end: (cwd) => at(cwd, "SessionEnd", end),
  };
};

const AGENTS: Readonly<Record<string, Told>> = {
  "claude-code": claudeLike({ reason: "other" }),
  codex: claudeLike({ reason: "other" }),
  "gemini-cli": {
    ...claudeLike({ reason: "exit", timestamp: "2026-11-15T00:00:00.000Z" }),
    write: (cwd, when) => ({
      session_id: "s1",
      cwd,
      hook_event_name: when === "before" ? "BeforeTool" : "AfterTool",
      tool_name: "write_file",
      tool_input: { file_path: join(cwd, "asked.md"), content: "asked\n" },
      ...(when === "before" ? {} : { tool_response: {} }),
    }),
  },
  cursor: {
    write: (cwd, when) => ({
      conversation_id: "s1",
      workspace_roots: [cwd],
      hook_event_name: when === "before" ? "preToolUse" : "postToolUse",
      cursor_version: "2.0",
      tool_name: "Write",
      tool_input: { file_path: join(cwd, "asked.md"), content: "asked\n" },
      tool_use_id: "t1",
      ...(when === "before" ? {} : { tool_output: "{}" }),
    }),
    end: (cwd) => ({
      conversation_id: "s1",
      workspace_roots: [cwd],
      hook_event_name: "sessionEnd",
      cursor_version: "2.0",
      session_id: "s1",
      reason: "completed",
    }),
  },
  // These two never say that a session is over: the end of a turn has to do.
  kiro: {
    ...claudeLike({}),
    end: (cwd) => ({ session_id: "s1", cwd, hook_event_name: "Stop" }),
  },
  windsurf: {
    write: (cwd, when) => ({
      agent_action_name: when === "before" ? "pre_write_code" : "post_write_code",
      trajectory_id: "s1",
      execution_id: "e1",
      tool_info: { file_path: join(cwd, "asked.md"), edits: [{ old_string: "", new_string: "asked\n" }] },
    }),
    end: () => ({ agent_action_name: "post_cascade_response", trajectory_id: "s1", tool_info: { response: "done" } }),
  },
};

function run({ root, home }: Project, agent: string, payload: object) {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const dirs = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".state") };
  const { code, out, err } = runCommand(["run", agent, "--cold"], {
    cwd: root,
    env: { ...inherited, ...dirs, SLUICE_RESIDENT: "0" },
    input: JSON.stringify(payload),
  });
  return { status: code, stdout: out, stderr: err };
}

function journalOf({ home }: Project): string {
  const folder = join(home, ".state/sluice/decisions");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** A session in which one file is written by a call, one without a call. */
function session(at: Project, agent: string): void {
  const { start, write } = AGENTS[agent] as Told;
  if (start !== undefined) expect(run(at, agent, start(at.root)).status).toBe(0);
  expect(run(at, agent, write(at.root, "before")).status).toBe(0);
  writeFileSync(join(at.root, "asked.md"), "asked\n");
  expect(run(at, agent, write(at.root, "after")).status).toBe(0);
}

test.each(Object.keys(AGENTS))(
  "%s: what no call explains is told when the session is over, with time and size",
  {
    timeout: 60_000,
  },
  (agent) => {
    const { end } = AGENTS[agent] as Told;
    const at = project({ ".orchestration/.keep": "", "old.md": "from before\n" });
    // Files are dated in steps of some milliseconds: one that was written just now may be as young as the session.
    const before = Date.now() / 1000 - 60;
    utimesSync(join(at.root, "old.md"), before, before);
    session(at, agent);
    writeFileSync(join(at.root, "rogue.md"), "by hand\n");
    const { status, stderr } = run(at, agent, end(at.root));
    expect(status).toBe(0);
    expect(stderr).toMatch(/rogue\.md {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}8 bytes {2}no recorded call touched it/);
    expect(stderr).toContain("sluice trace audit");
    expect(stderr).not.toMatch(/asked\.md|old\.md/);
    expect(journalOf(at)).toContain("rogue.md");
  },
);

test.each(["kiro", "windsurf"])(
  "%s: what was told after one turn is not told again after the next",
  {
    timeout: 60_000,
  },
  (agent) => {
    const { end } = AGENTS[agent] as Told;
    const at = project({ ".orchestration/.keep": "" });
    session(at, agent);
    writeFileSync(join(at.root, "rogue.md"), "by hand\n");
    expect(run(at, agent, end(at.root)).stderr).toContain("rogue.md");
    expect(run(at, agent, end(at.root)).stderr).toBe("");
    writeFileSync(join(at.root, "other.md"), "by hand\n");
    expect(run(at, agent, end(at.root)).stderr).toMatch(
      /^No recorded call explains these changes:\n {2}other\.md .*\nA person/,
    );
  },
);

test("the user who begins the next session is told once, where the agent shows it", () => {
  const { start, end } = AGENTS["claude-code"] as Required<Told>;
  const at = project({ ".orchestration/.keep": "" });
  session(at, "claude-code");
  writeFileSync(join(at.root, "rogue.md"), "by hand\n");
  run(at, "claude-code", end(at.root));
  const { stdout } = run(at, "claude-code", start(at.root));
  expect(JSON.parse(stdout)).toMatchObject({
    systemMessage: expect.stringMatching(/The session before this one: .*\n.*rogue\.md/),
  });
  expect(run(at, "claude-code", start(at.root)).stdout).toBe("");
});

test("a session in which calls explain everything ends without a word, and so does one without a trace", () => {
  const { end } = AGENTS["claude-code"] as Told;
  const at = project({ ".orchestration/.keep": "" });
  session(at, "claude-code");
  expect(run(at, "claude-code", end(at.root))).toEqual({ status: 0, stdout: "", stderr: "" });
  const untraced = project();
  session(untraced, "claude-code");
  writeFileSync(join(untraced.root, "rogue.md"), "by hand\n");
  expect(run(untraced, "claude-code", end(untraced.root))).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("a file that changed again after its call is named as such", () => {
  const { end } = AGENTS["claude-code"] as Told;
  const at = project({ ".orchestration/.keep": "" });
  session(at, "claude-code");
  writeFileSync(join(at.root, "asked.md"), "not what was asked\n");
  expect(run(at, "claude-code", end(at.root)).stderr).toMatch(/asked\.md .* 19 bytes {2}it changed after the last/);
});
