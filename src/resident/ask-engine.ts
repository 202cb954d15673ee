import { createConnection } from "node:net";
import { type EngineStatus, STATUS_WORD, STOP_WORD } from "./conversation.ts";
import { type Answer, GREETING_BYTES, greeting, type Request, readAnswer, requestBytes } from "./protocol.ts";
import type { Quarters } from "./quarters.ts";
import { isSame, readToken } from "./token.ts";

/** What the engine says about itself; nothing when none answers in time. */
export async function engineStatus(quarters: Quarters): Promise<EngineStatus | undefined> {
  const answer = await askEngine(quarters, request(STATUS_WORD));
  return answer?.kind === "done" ? (JSON.parse(answer.stdout) as EngineStatus) : undefined;
}

/** Tells the engine to leave; whether there was one. */
export async function stopEngine(quarters: Quarters): Promise<boolean> {
  return (await askEngine(quarters, request(STOP_WORD)))?.kind === "done";
}

/** Asks the engine; nothing when there is none, when it does not prove that it is ours, or when it takes too long. */
export function askEngine(quarters: Quarters, asked: Request): Promise<Answer | undefined> {
  const token = readToken(quarters.token);
  if (token === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = createConnection(quarters.socket);
    let heard: Buffer = Buffer.alloc(0);
    let isProven = false;
    const end = (answer?: Answer) => {
      clearTimeout(patience);
      socket.destroy();
      resolve(answer);
    };
    const patience = setTimeout(end, PATIENCE_MS);
    socket.on("error", () => end());
    socket.on("connect", () => socket.write(greeting(token.client)));
    socket.on("data", (piece: Buffer) => {
      heard = Buffer.concat([heard, piece]);
      if (isProven || heard.length < GREETING_BYTES) return;
      if (!isSame(heard.toString("latin1", 0, GREETING_BYTES), greeting(token.engine))) return end();
      isProven = true;
      heard = heard.subarray(GREETING_BYTES);
      socket.write(requestBytes(asked));
    });
    socket.on("end", () => end(isProven ? readAnswer(heard) : undefined));
  });
}

function request(word: string): Request {
  return { words: [word], env: {}, cwd: "/", payload: "" };
}

const PATIENCE_MS = 2000;
