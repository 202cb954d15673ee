import { callEngine, type Patience } from "./call-engine.ts";
import { type EngineStatus, STATUS_WORD, STOP_WORD } from "./conversation.ts";
import type { Answer, Request } from "./protocol.ts";
import type { Quarters } from "./quarters.ts";

/** What the engine says about itself; nothing when none answers in time. */
export async function engineStatus(quarters: Quarters): Promise<EngineStatus | undefined> {
  const answer = await askEngine(quarters, request(STATUS_WORD));
  return answer?.kind === "done" ? (JSON.parse(answer.stdout) as EngineStatus) : undefined;
}

/** Tells the engine to leave; whether there was one. */
export async function stopEngine(quarters: Quarters): Promise<boolean> {
  return (await askEngine(quarters, request(STOP_WORD)))?.kind === "done";
}

/**
 * Asks the engine; nothing when there is none, when it does not prove that it is ours, when it takes too long, or when hooks
 * would have to run. Nothing has been decided then. An engine that was told to go on and does not answer leaves a lost call.
 */
export async function askEngine(quarters: Quarters, asked: Request): Promise<Answer | undefined> {
  const called = await callEngine(quarters, asked, PATIENCE);
  if (called.came === "lost") return LOST;
  return called.came === "answer" ? called.answer : undefined;
}

function request(word: string): Request {
  return { words: [word], env: {}, cwd: "/", payload: "" };
}

const PATIENCE: Patience = { provenMs: 2000, askedMs: 2000, goesOnAt: ["READY"] };
const LOST: Answer = { kind: "cold", usesNetwork: false, isLost: true };
