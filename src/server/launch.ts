import { type ChildProcess, spawn } from "node:child_process";
import { type ColdCommand, runtimeDirOf, whyNoRuntimeDir } from "./runtime-dir.ts";
import { passStartLock, releaseStartLock, takeStartLock } from "./start-lock.ts";

/** The option of a daemon that was started by a call, and not by a person. */
export const LAUNCHED_OPTION = "launched";
/** The option of a daemon that was started by a call of a project's line: the project. */
export const PROJECT_OPTION = "project";
/** The option of a worker, which runs hooks for a daemon. */
export const WORKER_OPTION = "worker";

/** Starts a daemon that outlives this process, for the calls to come, unless another process is starting one. */
export function launchDaemon(
  cold: ColdCommand,
  env: Readonly<Record<string, string | undefined>>,
  project?: string,
): void {
  const runtimeDir = runtimeDirOf(cold, { env });
  if (whyNoRuntimeDir(runtimeDir) !== undefined || !takeStartLock(runtimeDir)) return;
  const [program, launcher] = cold;
  const forProject = project === undefined ? [] : [`--${PROJECT_OPTION}`, project];
  const child = spawn(program, [launcher, "serve", `--${LAUNCHED_OPTION}`, ...forProject], {
    cwd: "/",
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_DAEMON.test(name))),
    detached: true,
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", () => releaseStartLock(runtimeDir));
  passStartLock(runtimeDir, child.pid);
  child.unref();
}

/** Starts a worker of this daemon. A signal that ends the daemon does not end it in the middle of a call. */
export function launchWorker(
  [program, launcher]: ColdCommand,
  env: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  return spawn(program, [SMALL_HEAP, launcher, "serve", `--${WORKER_OPTION}`], {
    cwd: "/",
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_WORKERS.test(name))),
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** A process that starts others has to be small: the system copies its page tables each time. */
const SMALL_HEAP = "--max-semi-space-size=2";

/**
 * Variables that belong to one call and not to the daemon. With `SLUICE_RUN` it would be ended together with the hook that
 * started it; the others slow node down, or make it load something.
 */
const NOT_FOR_DAEMON = /^(SLUICE_.*|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NODE_CHANNEL_.*|NODE_UNIQUE_ID)$/;

/** Variables that node reads at its start: options and certificates. A worker serves callers that have set none of them. */
const NOT_FOR_WORKERS = /^(SLUICE_.*|NODE_.*|SSL_CERT_.*|OPENSSL_.*)$/;
