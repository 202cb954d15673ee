import type { Happened } from "../../pipeline.ts";
import { answer } from "../../pipeline.ts";
import type { Input } from "../command.ts";
import { decideHere, runInBackground } from "../decide-here.ts";
import type { Exit } from "../exit-codes.ts";
import { leaveInOrder } from "../leave-in-order.ts";
import { readStandardInput } from "../standard-input.ts";

/** What agents call: their payload on standard input, their own answer on standard output, and nothing else. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  leaveInOrder();
  const call = { text: readStandardInput(), agent: input.words[0], moment: input.text("moment") };
  if (input.has("background")) return runInBackground(call, input);
  const began = performance.now();
  const { remember } = await import("../remember-call.ts");
  const printed = await answer(call, {
    decide: (event, native) => decideHere(event, native, call, input),
    remember: (happened: Happened) => remember(happened, io, began),
  });
  io.write(1, printed.stdout);
  io.write(2, printed.stderr);
  return EXITS[printed.exitCode] ?? "denied";
}

const EXITS: Readonly<Record<number, Exit>> = { 0: "done", 2: "denied", 3: "asked" };
