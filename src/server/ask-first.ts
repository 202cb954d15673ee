import { callEngine, type Patience } from "./call-engine.ts";
import type { Answer } from "./protocol.ts";
import { type ColdWords, quartersOf } from "./quarters.ts";
import { type System, systemOf } from "./system.ts";

/** A call as it reached node. */
export interface NodeCall {
  readonly cold: ColdWords;
  /** What follows the words of the cold command. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly payload: string;
}

/** Who decides the call. */
export type Decides =
  | { readonly who: "engine"; readonly answer: Extract<Answer, { kind: "done" }> }
  /** This process, as if there were no engine; perhaps it should start one for the calls to come. */
  | { readonly who: "here"; readonly startsEngine: boolean }
  /** Nobody any more: an engine may have run its hooks. */
  | { readonly who: "nobody" };

/** Asks the engine from node, where no smaller client runs: what the engine knows need not be loaded here. */
export async function askFirst(call: NodeCall, system: System = systemOf()): Promise<Decides> {
  const { cold, args, env, cwd, payload } = call;
  const words = [...cold, ...args];
  const said = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const request = { words, env: Object.fromEntries(said), cwd, payload };
  const called = await callEngine(quartersOf(cold, { env }, system), request, PATIENCE);
  switch (called.came) {
    case "answer":
      return called.answer.kind === "done"
        ? { who: "engine", answer: called.answer }
        : { who: "here", startsEngine: false };
    case "nobody":
      return { who: "here", startsEngine: true };
    case "nothing":
      return { who: "here", startsEngine: false };
    case "lost":
      return { who: "nobody" };
  }
}

const PATIENCE: Patience = { provenMs: 250, askedMs: 2000, goesOnAt: ["READY", "HOOKS"] };
