import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { COMMAND, type Ended, runCommand } from "../command-server/run-command.ts";
import { makeProject, type Project } from "./project.ts";

/** What the agent was told about one call. */
interface Told {
  readonly action: "deny" | "ask" | "continue";
  readonly reason: string;
  readonly id: string | undefined;
}

type Env = Readonly<Record<string, string>>;

/** A home with a project in it, an agent that makes calls there, and a person with a terminal. */
export interface Household extends Project {
  /** One call of the agent. */
  call(tool: string, input: object, session?: string): Told;
  bash(command: string, session?: string): Told;
  sluice(args: readonly string[], env?: Env): Ended;
  /** The same at a terminal, with these lines typed. */
  atTerminal(args: readonly string[], typed: string, env?: Env, startedBy?: readonly string[]): Ended;
}

/**
 * Makes a household that is gone when `done` is called; after the test, where none is given. A denial is remembered for its
 * session: where a household serves many tests, each call has a session of its own.
 */
export function household(done?: (end: () => void) => void): Household {
  const { home, root, put } = makeProject(done ?? onTestFinished);
  const all = (env: Env) => ({ ...plain(), HOME: home, NO_COLOR: "1", SLUICE_RESIDENT: "0", ...env });
  const sluice = (args: readonly string[], env: Env = {}, input = "") =>
    runCommand(args, { cwd: root, env: all(env), input });
  const run = (program: string, args: readonly string[], stdin: string, env: Env = {}): Ended => {
    const ended = spawnSync(program, args, {
      cwd: root,
      env: all(env),
      input: stdin,
      encoding: "utf8",
      timeout: 20_000,
    });
    return { code: ended.status, out: ended.stdout, err: ended.stderr };
  };
  let calls = 0;
  const call = (tool: string, input: object, session = done === undefined ? "s" : `s${++calls}`) => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: session,
      cwd: root,
      tool_name: tool,
      tool_input: input,
    };
    const { out, err } = sluice(["run", "claude-code"], {}, JSON.stringify(payload));
    const said = out === "" ? {} : (JSON.parse(out).hookSpecificOutput ?? {});
    const reason = String(said.permissionDecisionReason ?? err);
    return { action: said.permissionDecision ?? "continue", reason, id: /sluice why (\w+)/.exec(reason)?.[1] };
  };
  return {
    home,
    root,
    put,
    call,
    bash: (command, session) => call("Bash", { command }, session),
    sluice: (args, env) => sluice(args, env),
    atTerminal: (args, typed, env, startedBy = []) => {
      const words = [...startedBy, process.execPath, COMMAND, ...args];
      const line = words.map((word) => `'${word}'`).join(" ");
      const mac = ["-q", "/dev/null", ...words];
      return run("script", process.platform === "darwin" ? mac : ["-qec", line, "/dev/null"], typed, env);
    },
  };
}

/** The environment of these tests without what says that an agent runs them. */
function plain(): Record<string, string | undefined> {
  const { PATH, TMPDIR, LANG } = process.env;
  return { PATH, TMPDIR, LANG, TERM: "xterm" };
}
