import { readInput } from "../../src/cli/command.ts";
import { COMMANDS, commandNamed } from "../../src/cli/commands/index.ts";
import { answer } from "../../src/decide/answer.ts";
import { Problem } from "../../src/problem/problem.ts";
import type { DaemonHome, Ended } from "./daemon-home.ts";

/** Decides as the cold command does, in this process: a thousand starts of node would take minutes. */
export async function coldHere({ env, root }: DaemonHome, args: readonly string[], payload: string): Promise<Ended> {
  const before = { ...process.env };
  const folder = process.cwd();
  const command = commandNamed("run");
  if (command === undefined) throw new Error("there is no command run");
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(root);
  try {
    const silent = () => {};
    const io = {
      out: silent,
      err: silent,
      write: silent,
      isTerminal: false,
      hasColour: false,
      width: 100,
      cwd: root,
      env,
    };
    const input = readInput(command, args, io, COMMANDS);
    if (input instanceof Problem) throw input;
    const call = { text: payload, agent: input.words[0], hookEvent: input.text("moment") };
    return await answer(call, { cwd: root, env });
  } finally {
    process.chdir(folder);
    Object.assign(process.env, before);
  }
}
