import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Backend, containFolder } from "../../src/policies/contain/box-store.ts";
import { boxSupport, probeOne } from "../../src/policies/contain/probe.ts";
import { type Ended, runCommand } from "../command-server/run-command.ts";

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
  /** The same beside this process; standard input ends when `until` is resolved. */
  runBeside(command: string, backend?: Backend, until?: Promise<unknown>): Promise<Ended>;
  sluice(...args: readonly string[]): Ended;
  /** From now on a trial has found that no box can be made. */
  cannotContain(): void;
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
      if (backend !== undefined) storeSupport({ backend }, env);
      const answer = decide(command);
      const line = answer.input?.command ?? `echo ${answer.action}`;
      const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd: root, env, encoding: "utf8" });
      return { answer, code: status, out: stdout, err: stderr };
    },
    runBeside: async (command, backend, until = Promise.resolve()) => {
      if (backend !== undefined) storeSupport({ backend }, env);
      const line = decide(command).input?.command ?? "false";
      const child = spawn("sh", ["-c", line], { cwd: root, env, stdio: ["pipe", "pipe", "pipe"] });
      void until.then(() => child.stdin.end());
      let [out, err] = ["", ""];
      child.stdout.on("data", (data) => (out += data));
      child.stderr.on("data", (data) => (err += data));
      const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
      return { code, out, err };
    },
    sluice: (...args) => runCommand(args, { cwd: root, env }),
    cannotContain: () => storeSupport({ why: "no boxes here", fix: "Use another machine." }, env),
  };
}

/** Stores what a trial would have found, and returns what it has found. */
export function storeSupport(support: object, env: ContainedProject["env"]): object {
  const found = boxSupport(env);
  const file = join(containFolder(env), "probe.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), support }));
  return found;
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
