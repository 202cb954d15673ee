import type { DaemonAnswer } from "../protocol.ts";
import { type ColdCommand, runtimeDirOf } from "../runtime-dir.ts";
import { type System, systemOf } from "../system.ts";
import { type CallTimeouts, callDaemon } from "./ask-daemon.ts";

/** A call as it reached node. */
export interface NodeCall {
  readonly cold: ColdCommand;
  /** What follows the arguments of the cold command. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly payload: string;
}

/** What decides the call. */
export type DecidedBy =
  | { readonly by: "daemon"; readonly answer: Extract<DaemonAnswer, { kind: "done" }> }
  /** This process, as if there were no daemon; perhaps it should start one for the calls to come. */
  | { readonly by: "this process"; readonly startsDaemon: boolean }
  /** Nothing any more: a daemon may have run the hooks of the call, and did not answer. */
  | { readonly by: "lost daemon" };

/** Asks the daemon from node, where no smaller client runs: what the daemon has in memory need not be loaded here. */
export async function askDaemonFirst(call: NodeCall, system: System = systemOf()): Promise<DecidedBy> {
  const { cold, args, env, cwd, payload } = call;
  const words = [...cold, ...args];
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const request = { words, env: Object.fromEntries(given), cwd, payload };
  const called = await callDaemon(runtimeDirOf(cold, { env }, system), request, TIMEOUTS);
  switch (called.outcome) {
    case "answer":
      return called.answer.kind === "done"
        ? { by: "daemon", answer: called.answer }
        : { by: "this process", startsDaemon: false };
    case "no daemon":
      return { by: "this process", startsDaemon: true };
    case "no answer":
      return { by: "this process", startsDaemon: false };
    case "lost":
      return { by: "lost daemon" };
  }
}

const TIMEOUTS: CallTimeouts = { provenMs: 250, askedMs: 2000, confirms: ["READY", "HOOKS"] };
