import type { Call } from "../adapters/read-call.ts";
import { milliseconds } from "../event/clock.ts";
import { answer, type Happened } from "../decide/answer.ts";
import type { Input } from "./command.ts";
import { decideHere } from "./decide-here.ts";
import { type Exit, exitOf } from "./exit-codes.ts";
import { remember } from "./remember-call.ts";
import { isLosing, rememberLater } from "./remember-later.ts";

/** What an agent gets for its call: the same bytes and the same exit code, whoever decides. */
export interface Answered {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: Exit;
}

/** Takes one call to its answer and writes down what happened. */
export async function answerCall(call: Call, input: Input, decide = decideHere): Promise<Answered> {
  const began = milliseconds();
  const { io } = input;
  let behind: string | undefined;
  const goesOn = (id: string) => {
    behind = id;
  };
  const { stdout, stderr, exitCode } = await answer(call, {
    begin: io.resident?.begin,
    isPressed: isLosing,
    decide: (event, native) => decide(event, native, call, input, goesOn),
    remember: (happened: Happened) =>
      io.resident === undefined
        ? remember(happened, io, began, behind)
        : rememberLater(happened, io, began, io.resident, behind),
  });
  return { stdout, stderr, exit: exitOf(exitCode) };
}
