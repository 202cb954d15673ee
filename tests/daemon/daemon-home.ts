import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { processesOf } from "../../scripts/soak-watch.mjs";
import { whileLocked } from "../../src/fs/lock.ts";
import { noteOwnWrite } from "../../src/fs/own-writes.ts";
import { daemonStatus, stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { buildsFor, type Client, makeClient } from "../../src/server/clients/make-client.ts";
import { launchDaemon } from "../../src/server/launch.ts";
import { type ColdCommand, type RuntimeDir, runtimeDirOf } from "../../src/server/runtime-dir.ts";
import { foldersOf } from "../../src/trust/inventory.ts";
import { builtFile } from "../built-file.ts";

/** The command as it was built, as agents start it without a daemon. */
export const COLD: ColdCommand = [process.execPath, builtFile("sluice.cjs")];

const PROGRAMS = { native: ["cc", "gcc", "clang"], perl: ["perl"] } as const;

/** The clients that this machine can run, the best first: some have no compiler, or no perl. */
export const TIERS: readonly Client["kind"][] = (["native", "perl"] as const).filter((kind) =>
  PROGRAMS[kind].some(isFound),
);

function isFound(program: string): boolean {
  return spawnSync("/bin/sh", ["-c", `command -v ${program}`]).status === 0;
}

/** The best of them; the cold command where there is none. */
export const BEST = TIERS[0];

/** What a call came to. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A user with hooks, a client and no daemon yet; the daemon that comes leaves when the test ends. */
export interface DaemonHome {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runtimeDir: RuntimeDir;
  /** The words that an agent is given. */
  readonly words: readonly string[];
  /** Calls as an agent does. */
  call(payload: string | Buffer, args?: readonly string[], env?: Readonly<Record<string, string>>): Ended;
  /** The same without waiting. */
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  /** Starts the daemon as a call does where none answers, and waits until it does; gives its process id. */
  warm(): Promise<number>;
  /** Waits until a daemon answers, and gives its process id. */
  running(again?: () => void): Promise<number>;
}

/** Takes what has to be done at the end. */
type WhenDone = (end: () => Promise<void>) => void;

/** Makes such a user. Without a tier, the words are those of the cold command. */
export function daemonHome(
  hooks: string,
  tier?: Client["kind"],
  done: WhenDone = onTestFinished,
  isPatient = false,
): DaemonHome {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "e-"));
  const root = join(home, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), hooks);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: process.env.TMPDIR ?? "/tmp",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".s"),
  };
  const runtimeDir = runtimeDirOf(COLD, { env });
  const client = tier && readyClient(tier, home, env, isPatient);
  done(async () => {
    if (started.size > 0) await stopDaemon(runtimeDir);
    // One that hangs does not leave when it is told to.
    for (const pid of started) end(pid);
    endDaemons(home);
    await removed(home);
  });
  const started = new Set<number>();
  const made: DaemonHome = {
    home,
    root,
    env,
    runtimeDir,
    ...callsThrough(client === undefined ? COLD : [client.path, ...COLD], root, env),
    warm: async () => {
      if ((await daemonStatus(runtimeDir)) === undefined) launchDaemon(COLD, env);
      return made.running(() => launchDaemon(COLD, env));
    },
    running: async (again = () => {}) => {
      for (let turn = 1; turn < 400; turn++) {
        const { pid } = (await daemonStatus(runtimeDir)) ?? {};
        if (pid !== undefined) {
          started.add(pid);
          return pid;
        }
        // One that meets another at its very end leaves; the next one stays.
        if (turn % 40 === 0) again();
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error("no daemon came");
    },
  };
  return made;
}

/** The ways to call that an agent with these words has. */
function callsThrough(
  words: readonly string[],
  root: string,
  env: Readonly<Record<string, string>>,
): Pick<DaemonHome, "words" | "call" | "start"> {
  const [program = "", ...rest] = words;
  const lineOf = (args: readonly string[]) => [...rest, "run", ...args];
  return {
    words,
    call: (payload, args = ["claude-code"], more = {}) => {
      const ended = spawnSync(program, lineOf(args), {
        cwd: root,
        env: { ...env, ...more },
        input: payload,
        encoding: "utf8",
        timeout: 30_000,
        maxBuffer: 64 * 1024 * 1024,
      });
      return { stdout: ended.stdout, stderr: ended.stderr, exitCode: ended.status };
    },
    start: (args = ["claude-code"], more = {}) =>
      spawn(program, lineOf(args), { cwd: root, env: { ...env, ...more }, stdio: ["pipe", "pipe", "pipe"] }),
  };
}

/** The same home with another program in place of node in the command that its client runs without a daemon. */
export function withProgram(at: DaemonHome, program: string): DaemonHome {
  const [client = ""] = at.words;
  return { ...at, ...callsThrough([client, program, COLD[1]], at.root, at.env) };
}

/** The same with a client that waits for the daemon however busy the machine is: its calls are the daemon's. */
export function patientHome(hooks: string, tier?: Client["kind"], done?: WhenDone): DaemonHome {
  return daemonHome(hooks, tier, done, true);
}

/** A home that all tests of a suite share, each with hooks of its own; a denial is remembered for its session. */
export function sharedHome(tier?: Client["kind"], make = patientHome): (hooks?: string) => DaemonHome {
  const dones: (() => Promise<void>)[] = [];
  let at: DaemonHome | undefined;
  afterAll(async () => {
    for (const done of dones) await done();
  });
  return (hooks) => {
    at ??= make("hooks: []\n", tier, (done) => dones.push(done));
    if (hooks !== undefined) writeHooks(at, hooks);
    rmSync(join(at.root, "counted"), { force: true });
    return at;
  };
}

/** The same with a client of every kind: all of them ask one daemon. */
export function homeOfAllClients(): (tier: Client["kind"] | undefined, hooks?: string) => DaemonHome {
  // The best is made last: where it is, no other is made.
  const shared = sharedHome(TIERS.at(-1));
  let homes: readonly DaemonHome[] | undefined;
  return (tier, hooks) => {
    const at = shared(hooks);
    homes ??= throughAllClients(at, true);
    return homes[tier === undefined ? -1 : TIERS.indexOf(tier)] ?? at;
  };
}

/** A home of the last kind of client, as a client of each kind finds it. */
export function throughAllClients(at: DaemonHome, isPatient: boolean): DaemonHome[] {
  const others = TIERS.slice(0, -1).map((kind) => {
    const { path } = readyClient(kind, at.home, at.env, isPatient);
    return { ...at, ...callsThrough([path, ...COLD], at.root, at.env) };
  });
  return [...others, at];
}

/** Gives a user other hooks, as Sluice itself does: what others change is told with the next call. */
export function writeHooks({ home, env }: DaemonHome, hooks: string): void {
  const path = join(home, ".config/sluice/hooks.yaml");
  noteOwnWrite(path, hooks, { env });
  writeFileSync(`${path}.draft`, hooks);
  renameSync(`${path}.draft`, path);
  // The person who writes it accepts what it no longer enforces.
  for (const folder of foldersOf({ env })) rmSync(folder, { recursive: true, force: true });
}

/** A process that is just leaving may still write a line of the journal into what is being removed. */
export async function removed(folder: string): Promise<void> {
  for (let turn = 0; turn < 50; turn++) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Ends the daemons of a home, also one that a call has just started and that does not listen yet. */
export function endDaemons(home: string): void {
  if (process.platform === "linux") for (const pid of processesOf(home)) end(pid);
}

/** Ends a daemon; where it has left, its number may be that of any other process by now. */
function end(pid: number): void {
  const cmdline = `/proc/${pid}/cmdline`;
  try {
    if (process.platform === "linux" && !readFileSync(cmdline, "latin1").includes("\0serve\0")) return;
    process.kill(pid, "SIGKILL");
  } catch {
    // It has left.
  }
}

/** A client of one kind in the user's runtime directory, where installing finds it: native ones are compiled once per run. */
export function readyClient(
  kind: Client["kind"],
  home: string,
  env: Readonly<Record<string, string>>,
  isPatient = false,
): Client {
  const make = () => {
    const client = isPatient ? readyClient(kind, home, env) : madeClient(kind, home, env);
    if (isPatient) makePatient(client, home);
    return client;
  };
  // A script names the program of its own home.
  if (kind !== "native") return make();
  const ready = join(tmpdir(), `client-${kind}${isPatient ? "-patient" : ""}`);
  const inTurn = () => {
    if (existsSync(ready)) return copied(ready, kind, env);
    const client = make();
    keep(client.path, ready);
    return client;
  };
  // The processes of a test run come here at once.
  return whileLocked(`${ready}.lock`, inTurn, COMPILED_MS) ?? inTurn();
}

const COMPILED_MS = 20_000;

function copied(ready: string, kind: Client["kind"], env: Readonly<Record<string, string>>): Client {
  const { folder } = runtimeDirOf(COLD, { env });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [name = ""] = readdirSync(ready);
  const path = join(folder, name);
  copyFileSync(join(ready, name), path);
  return { kind, path };
}

/** Makes one: the path holds what that kind needs and nothing that a better one needs. */
function madeClient(kind: Client["kind"], home: string, env: Readonly<Record<string, string>>): Client {
  const bin = join(home, "bin");
  if (kind !== "native") {
    const { stdout } = spawnSync("/bin/sh", ["-c", `command -v ${kind}`], { encoding: "utf8" });
    mkdirSync(bin, { mode: 0o700 });
    symlinkSync(stdout.trim(), join(bin, kind));
  }
  const client = makeClient(COLD, { ...env, ...(kind === "native" ? {} : { PATH: bin }) });
  if (client?.kind !== kind) throw new Error(`a ${kind} client was wanted, and there is ${client?.kind ?? "none"}`);
  return client;
}

/** Compiling one takes longer than most tests: it is there for all of them, in every process of this run. */
function keep(path: string, ready: string): void {
  const draft = mkdtempSync(`${ready}-`);
  copyFileSync(path, join(draft, basename(path)));
  try {
    renameSync(draft, ready);
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true });
  }
}

/** Where clients say how long they wait for a sign of the daemon and for its question, and what they say instead. */
const WAITING: Readonly<Record<Client["kind"], readonly (readonly [said: string, instead: string])[]>> = {
  native: [
    ["ACKNOWLEDGED_MS 250\n", "ACKNOWLEDGED_MS 15000\n"],
    ["DECIDED_MS 2000\n", "DECIDED_MS 15000\n"],
  ],
  perl: [
    ["$ACKNOWLEDGED_S = 0.25;", "$ACKNOWLEDGED_S = 15;"],
    ["$DECIDED_S      = 2;", "$DECIDED_S      = 15;"],
  ],
};

/** The same client, but for its patience. */
function makePatient({ kind, path }: Client, home: string): void {
  const source = kind === "native" ? resolve(COLD[1], "../native/client.c") : path;
  let patient = readFileSync(source, "utf8");
  for (const [said, instead] of WAITING[kind]) {
    if (!patient.includes(said)) throw new Error(`${source} does not say "${said}"`);
    patient = patient.replace(said, () => instead);
  }
  const file = kind === "native" ? join(home, "client.c") : path;
  writeFileSync(file, patient);
  if (kind !== "native") return;
  const compiler = PROGRAMS.native.find(isFound) ?? "cc";
  const [build = []] = buildsFor(process.platform, process.arch);
  const { status, stderr } = spawnSync(compiler, [...build, "-o", path, file], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the patient client does not compile: ${stderr}`);
  // Installing takes only what no other user may read, and would compile another one.
  chmodSync(path, 0o700);
}

/** A shell call as an agent reports it. */
export function shellCall(cwd: string, command: string, more: object = {}): object {
  const input = { command, ...more };
  return { session_id: "s", cwd, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: input };
}

/** What is the same wherever it was decided: without ids and without the user's folder. */
export function plain({ stdout, stderr, exitCode }: Ended, { home }: { readonly home: string }): Ended {
  const text = (said: string) =>
    said
      .replaceAll(home, "~")
      .replaceAll(/sluice why [0-9a-f]+/g, "sluice why ID")
      .replaceAll(/--once \w+/g, "--once ID");
  return { stdout: text(stdout), stderr: text(stderr), exitCode };
}

/** Whether the daemon decided, and how many calls it has. */
export async function callsOf({ runtimeDir }: DaemonHome): Promise<number> {
  return (await daemonStatus(runtimeDir))?.calls ?? -1;
}
