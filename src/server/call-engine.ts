import type { Socket } from "node:net";
import { meetingAt } from "./meeting.ts";
import {
  type Answer,
  goOnBytes,
  type Question,
  type Request,
  readAnswer,
  readQuestion,
  requestBytes,
} from "./protocol.ts";
import type { Quarters } from "./quarters.ts";
import { reach } from "./reach.ts";

/** What came of asking an engine. */
export type Called =
  | { readonly came: "answer"; readonly answer: Answer }
  /** There is none, or whoever has its place is not ours: another one should be started. */
  | { readonly came: "nobody" }
  /** It gave no answer, and whoever asked may decide: nothing has been done. */
  | { readonly came: "nothing" }
  /** Nobody knows what it has done: nothing may be done a second time. */
  | { readonly came: "lost" };

/** How long a caller waits, and for what. */
export interface Patience {
  /** Milliseconds until the engine has proven itself. */
  readonly provenMs: number;
  /** Milliseconds until it asks to go on; then it says itself how long. */
  readonly askedMs: number;
  /** What the engine is allowed to ask; at any other question the caller goes away. */
  readonly goesOnAt: readonly Question[];
}

/** Asks the engine. Whoever is not proven to be ours hears nothing of the call, and is not believed. */
export async function callEngine(quarters: Quarters, request: Request, patience: Patience): Promise<Called> {
  const way = meetingAt(quarters).wayTo(quarters);
  const reached = way && (await reach(way, patience.provenMs));
  if (reached?.who !== "ours") return { came: "nobody" };
  return converse(reached.socket, reached.rest, request, patience);
}

function converse(socket: Socket, rest: Buffer, request: Request, { askedMs, goesOnAt }: Patience): Promise<Called> {
  return new Promise((resolve) => {
    let heard = rest;
    let agreed: Question | undefined;
    let said: Called | undefined;
    const end = (called: Called) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(called);
    };
    // An engine that is slow cannot be told from one that never answers: who has said to go on does not take it back.
    // Who was stopped himself hears first what was said meanwhile.
    const tooLate = () => {
      const before = agreed;
      setImmediate(() => {
        if (agreed === before) end({ came: before === undefined ? "nothing" : "lost" });
      });
    };
    let limit = setTimeout(tooLate, askedMs);
    socket.on("close", () => end(said ?? { came: agreed === "HOOKS" ? "lost" : "nothing" }));
    socket.on("data", (piece: Buffer) => {
      heard = heard.length === 0 ? piece : Buffer.concat([heard, piece]);
      const question = readQuestion(heard);
      if (question !== undefined) return hearQuestion(question);
      // The end of a pipe comes late; an answer says how long it is.
      const answer = readAnswer(heard);
      if (answer === undefined) return;
      const called: Called = { came: "answer", answer };
      said = called;
      // Who was not asked says that he has it.
      if (agreed === undefined && answer.kind === "done") socket.end(goOnBytes(), () => end(called));
      else end(called);
    });
    socket.write(requestBytes(request));
    socket.resume();

    function hearQuestion({ question, seconds }: { readonly question: Question; readonly seconds: number }): void {
      if (!goesOnAt.includes(question)) return void end({ came: "nothing" });
      heard = Buffer.alloc(0);
      agreed = question;
      clearTimeout(limit);
      limit = setTimeout(tooLate, seconds * 1000);
      socket.write(goOnBytes());
    }
  });
}
