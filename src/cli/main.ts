import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { VERSION } from "../decide/version.ts";
import type { Build } from "../launcher/load-bundle.ts";
import { didYouMean } from "../problem/nearest.ts";
import { errorText, Problem, problems } from "../problem/problem.ts";
import { type Command, readInput, USAGE } from "./command.ts";
import { EXIT_CODES, type Exit } from "./exit-codes.ts";
import { type Io, processIo, systemErrorPlace, systemErrorText } from "./io.ts";
import { paintFor, visible } from "./show/terminal-text.ts";

/** Runs the command line of this process; `answered` is called with the exit code of an answer as soon as it has been written. */
export async function runProcess(
  commands: readonly Command[],
  answered: (exitCode: number) => void,
  build: Build,
): Promise<void> {
  const exit = await main(process.argv.slice(2), processIo(answered, build), commands);
  const { code } = EXIT_CODES[exit];
  process.exitCode = code;
  answered(code);
}

/** Runs one command line and returns how it ended. */
export async function main(args: readonly string[], io: Io, commands: readonly Command[]): Promise<Exit> {
  const [name, ...rest] = args;
  const commandNamed = (wanted: string | undefined) => commands.find((command) => command.name === wanted);
  if (name === undefined || ["help", "--help", "-h"].includes(name)) return help(commandNamed(rest[0]), io, commands);
  if (["--version", "-v", "version"].includes(name)) {
    io.out(VERSION);
    return "done";
  }
  const command = commandNamed(name);
  if (command === undefined) {
    const problem = name.startsWith("-") ? PROBLEMS.optionFirst({ name }) : PROBLEMS.unknownCommand({ name, commands });
    return complain(problem, io, "usage", isJson(args));
  }
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.includes("--help") || own.includes("-h")) return help(command, io, commands);
  return runCommand(command, rest, io, commands);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  io: Io,
  commands: readonly Command[],
): Promise<Exit> {
  const end = (problem: Problem, exit: Exit) => complain(problem, io, command.isGate ? "denied" : exit, isJson(args));
  const input = readInput(command, args, io, commands);
  if (input instanceof Problem) return end(input, "usage");
  const extra = input.words[command.words ?? 0];
  if (extra !== undefined) return end(USAGE.unexpectedArgument({ command: command.name, extra }), "usage");
  const root = input.text("root");
  // The call of an agent names its own folder.
  if (io.isCwdDeleted && root === undefined && !command.isGate)
    return end(PROBLEMS.deletedFolder(undefined), "problem");
  if (root !== undefined && !existsSync(resolve(io.cwd, root))) return end(PROBLEMS.noRoot({ root }), "usage");
  try {
    const { run } = await command.load();
    const { weakens } = command;
    if (weakens !== undefined && !weakens.unless.some((option) => input.has(option))) {
      const { isProven } = await weakens.check();
      if (!(await isProven(input))) return "problem";
    }
    if (!CHANGES_CONFIGURATION.has(command.name)) return await run(input);
    const { acceptingChanges } = await import("./configuration.ts");
    return await acceptingChanges(input, () => run(input));
  } catch (error) {
    if (error instanceof Problem) return end(error, error.code.startsWith("usage/") ? "usage" : "problem");
    const path = systemErrorPlace(error);
    const why = systemErrorText(error);
    if (why !== undefined && path !== undefined) return end(PROBLEMS.system({ path, why }), "problem");
    const message = errorText(error);
    return end(PROBLEMS.broken({ command: command.name, message }), "broken");
  }
}

/** The commands with which a person changes what is enforced. */
const CHANGES_CONFIGURATION: ReadonlySet<string> = new Set([
  "init",
  "install",
  "enable",
  "disable",
  "allow",
  "add",
  "update",
  "remove",
  "import",
  "suggest",
]);

async function help(command: Command | undefined, io: Io, commands: readonly Command[]): Promise<Exit> {
  const { commandHelp, overview } = await import("./show/help.ts");
  const shown = { paint: paintFor(io), width: io.width };
  io.out(command ? commandHelp(command, shown) : overview(commands, shown));
  return "done";
}

function complain(problem: Problem, io: Io, exit: Exit, isJson = false): Exit {
  if (isJson) io.out(JSON.stringify({ error: problem }));
  io.err(visible(problem.format()));
  return exit;
}

function isJson(args: readonly string[]): boolean {
  return args.includes("--json");
}

const PROBLEMS = problems("usage", {
  unknownCommand: ({ name, commands }: { name: string; commands: readonly Command[] }) => ({
    what: `Unknown command \`sluice ${name}\`.`,
    fix: `${didYouMean(
      name,
      commands.map((command) => command.name),
    )} \`sluice --help\` lists them all.`.trim(),
  }),
  optionFirst: ({ name }: { name: string }) => ({
    what: `\`sluice ${name}\`: options follow the command.`,
    fix: `Write \`sluice <command> ${name}\`; \`sluice --help\` lists the commands.`,
  }),
  noRoot: ({ root }: { root: string }) => ({
    what: `--root ${root}: there is no such folder.`,
    fix: "Name the folder of the project.",
  }),
  deletedFolder: () => ({
    what: "The folder in which this command was started has been deleted.",
    fix: "Go to the folder of a project, or name it with --root.",
  }),
  system: ({ path, why }: { path: string; why: string }) => ({
    what: `${path} cannot be used: ${why}.`,
    fix: "Change that, or work in another folder.",
  }),
  broken: ({ command, message }: { command: string; message: string }) => ({
    what: `\`sluice ${command}\` broke: ${message}`,
    fix: "This is a fault in Sluice; nothing was changed after it happened. Tell its authors what you ran.",
  }),
});
