import { type ChildProcess, spawn } from "node:child_process";
import { handOverLock, releaseLock, takeLock } from "./election.ts";
import { type ColdWords, quartersOf, whyNoQuarters } from "./quarters.ts";

/** Tells an engine that was started by a call from one that a person started. */
export const LAUNCHED_OPTION = "launched";
/** Tells a process that runs hooks for an engine from the engine. */
export const HAND_OPTION = "hand";

/** Starts an engine that outlives this process, for the calls to come, unless somebody else is about to. */
export function launchEngine(cold: ColdWords, env: Readonly<Record<string, string | undefined>>): void {
  const quarters = quartersOf(cold, { env });
  if (whyNoQuarters(quarters) !== undefined || !takeLock(quarters)) return;
  const [program, launcher] = cold;
  const child = spawn(program, [launcher, "serve", `--${LAUNCHED_OPTION}`], {
    cwd: "/",
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_BEHIND.test(name))),
    detached: true,
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", () => releaseLock(quarters));
  handOverLock(quarters, child.pid);
  child.unref();
}

/** Starts a process that runs hooks for this engine. What ends the engine does not end it in the middle of a call. */
export function launchHand(
  [program, launcher]: ColdWords,
  env: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  return spawn(program, [SMALL, launcher, "serve", `--${HAND_OPTION}`], {
    cwd: "/",
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !READ_AT_START.test(name))),
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** What starts processes has to be small: the system copies a list of all its memory each time. */
const SMALL = "--max-semi-space-size=2";

/**
 * What belongs to one call and not to the engine. With `SLUICE_RUN` it would be ended together with the hook that started
 * it; the others slow node down, or make it load something.
 */
const LEFT_BEHIND = /^(SLUICE_.*|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NODE_CHANNEL_.*|NODE_UNIQUE_ID)$/;

/** What node takes from whoever starts it: options, and whom it trusts. A hand works for callers who have stated none of it. */
const READ_AT_START = /^(SLUICE_.*|NODE_.*|SSL_CERT_.*|OPENSSL_.*)$/;
