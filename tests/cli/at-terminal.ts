import { join } from "node:path";
import { type CommandInput, readInput } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { Problem } from "../../src/problem/problem.ts";
import type { Project } from "./sluice.ts";

/** Runs a command in this process as a person at a terminal does, and returns everything that it prints. */
export async function runAtTerminal(
  at: Project,
  [name, ...args]: readonly [string, ...string[]],
  act: (input: CommandInput) => Promise<unknown>,
): Promise<string> {
  const lines: string[] = [];
  const note = (text: string) => void lines.push(text);
  const env = environmentOf(at);
  const io: Io = {
    out: note,
    err: note,
    write: (_fd, text) => note(text),
    isTerminal: true,
    hasColour: false,
    width: 100,
    cwd: at.root,
    env,
  };
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const input = readInput(command, args, io, COMMANDS);
    if (input instanceof Problem) throw input;
    await act(input);
  } finally {
    for (const variable of Object.keys(process.env)) if (!(variable in before)) delete process.env[variable];
    Object.assign(process.env, before);
  }
  return lines.join("\n");
}

/** The environment of a project's user. */
export function environmentOf({ home }: Project): Readonly<Record<string, string>> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
  };
}
