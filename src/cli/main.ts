import { didYouMean } from "../problem/nearest.ts";
import { Problem, problems } from "../problem/problem.ts";
import { type Command, readInput } from "./command.ts";
import { COMMANDS, commandNamed } from "./commands/index.ts";
import type { Exit } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { paintFor } from "./paint.ts";
import { VERSION } from "./version.ts";

/** Runs one command line and says how it ended. */
export async function main(args: readonly string[], io: Io): Promise<Exit> {
  const [name, ...rest] = args;
  if (name === undefined || ["help", "--help", "-h"].includes(name)) return help(rest[0], io);
  if (["--version", "-v", "version"].includes(name)) {
    io.out(VERSION);
    return "done";
  }
  const command = commandNamed(name);
  if (command === undefined) return complain(PROBLEMS.unknownCommand({ name }), io, "usage");
  if (rest.includes("--help") || rest.includes("-h")) return help(name, io);
  return runCommand(command, rest, io);
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<Exit> {
  const input = readInput(command, args, io, COMMANDS);
  if (input instanceof Problem) return complain(input, io, "usage");
  try {
    const { run } = await command.load();
    return await run(input);
  } catch (error) {
    if (error instanceof Problem) return complain(error, io, error.code.startsWith("usage/") ? "usage" : "problem");
    const message = error instanceof Error ? error.message : String(error);
    return complain(PROBLEMS.broken({ command: command.name, message }), io, "broken");
  }
}

async function help(name: string | undefined, io: Io): Promise<Exit> {
  const { commandHelp, overview } = await import("./help.ts");
  const command = name === undefined ? undefined : commandNamed(name);
  io.out(command ? commandHelp(command, paintFor(io)) : overview(paintFor(io)));
  return "done";
}

function complain(problem: Problem, io: Io, exit: Exit): Exit {
  io.err(problem.format());
  return exit;
}

const PROBLEMS = problems("usage", {
  unknownCommand: ({ name }: { name: string }) => ({
    what: `There is no command \`sluice ${name}\`.`,
    fix: `${didYouMean(
      name,
      COMMANDS.map((command) => command.name),
    )} \`sluice --help\` lists them all.`.trim(),
  }),
  broken: ({ command, message }: { command: string; message: string }) => ({
    what: `\`sluice ${command}\` broke: ${message}`,
    fix: "This is a fault in Sluice; nothing was changed after it happened. Tell its authors what you ran.",
  }),
});
