import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Backend, type BoxPlan, boxById } from "../../src/policies/contain/box-store.ts";
import { probeOne } from "../../src/policies/contain/probe.ts";
import { COMMAND, type Ended, runCommand } from "../command-server/run-command.ts";

/** A project whose unknown calls run contained. */
export interface ContainedProject {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  write(path: string, text: string, mode?: number): void;
  read(path: string): string;
  /** What `sluice run json` prints about an event of the shell. */
  send(type: string, data: object): string;
  /** What `sluice run json` answers about a command. */
  decide(command: string): Answer;
  /** Decides about a command, and runs what is to be run instead by a shell. */
  run(command: string, backend?: Backend): Ended & { readonly answer: Answer };
  sluice(...args: readonly string[]): Ended;
}

interface Answer {
  readonly action: string;
  readonly reason?: string;
  readonly input?: { readonly command: string };
  readonly contained?: { readonly id: string; readonly backend: Backend };
}

export function containedProject(configuration = "contain: unknown\n"): ContainedProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "contain-")));
  const [root, home] = [join(base, "project"), join(base, "home")];
  const env = { ...process.env, HOME: home, TMPDIR: undefined, SLUICE_RESIDENT: "0", ...NO_XDG };
  const write = (path: string, text: string, mode = 0o644) => {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    chmodSync(whole, mode);
  };
  mkdirSync(root);
  write("../home/.config/sluice/hooks.yaml", configuration);
  const send = (type: string, data: object): string => {
    const payload = { type, tool_name: "Bash", session_id: "s", cwd: root, data };
    return runCommand(["run", "json"], { cwd: root, env, input: JSON.stringify(payload) }).out;
  };
  const decide = (command: string): Answer => JSON.parse(send("tool:pre_execute", { tool_args: { command } }));
  return {
    root,
    home,
    env,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    send,
    decide,
    run: (command, backend) => {
      const answer = decide(command);
      const id = answer.contained?.id ?? "";
      if (backend !== undefined) choose(boxById(id, env)?.plan, backend, env);
      const line = answer.input?.command ?? `echo ${answer.action}`;
      // The command server starts the command by another file.
      const words = line.replace(/^\S+(?= inside )/, `${process.execPath} ${COMMAND}`);
      const { status, stdout, stderr } = spawnSync("sh", ["-c", words], { cwd: root, env, encoding: "utf8" });
      return { answer, code: status, out: stdout, err: stderr };
    },
    sluice: (...args) => runCommand(args, { cwd: root, env }),
  };
}

function choose(plan: BoxPlan | undefined, backend: Backend, env: ContainedProject["env"]): void {
  if (plan === undefined) throw new Error("the call was not contained");
  const file = join(String(env.HOME), ".local/state/sluice/contain/boxes", plan.id, "plan.json");
  writeFileSync(file, JSON.stringify({ ...plan, backend }));
}

const NO_XDG = {
  XDG_STATE_HOME: undefined,
  XDG_CONFIG_HOME: undefined,
  XDG_CACHE_HOME: undefined,
  XDG_RUNTIME_DIR: undefined,
};

/** The boxes that this machine can make; tests of others are left out. */
export const WORKING = (["bubblewrap", "namespaces"] as const).filter(
  (backend) => process.platform === "linux" && probeOne(backend, process.env) === undefined,
);
