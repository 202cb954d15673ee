import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { Exit } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/** One option of a command. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** What its value is called in the help; options without one are switches. */
  readonly value?: string;
  readonly means: string;
  /** The values that complete it, for shells. */
  readonly completesFrom?: CompletionSource;
}

/** The source of completions of a command line: the program, or the project when asked. */
export type CompletionSource = "events" | "agents" | "templates" | "tools" | "hooks" | "intents";

/** The parsed arguments of a command. */
export interface CommandInput {
  readonly words: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  has(option: string): boolean;
  readonly io: Io;
  /** The command's own name. */
  readonly command: string;
  /** The whole table, for commands that describe commands. */
  readonly commands: readonly Command[];
}

/** One verb of the command line. Its module is loaded when it is called, never before. */
export interface Command {
  readonly name: string;
  /** Where the help lists it. */
  readonly group: CommandGroup;
  /** The command line that does the same; the help lists that one only. */
  readonly aliasOf?: string;
  readonly summary: string;
  /** The arguments after the name, in the help. */
  readonly usage: string;
  readonly options: Readonly<Record<string, Option>>;
  /** How many arguments may follow the name; none if left out. */
  readonly words?: number;
  /** Any failure is a denial: agents continue at any other exit code. */
  readonly isGate?: boolean;
  /** It weakens protection: it needs the PIN or passkey that is set up before it runs, unless one of these options is given. */
  readonly weakens?: {
    readonly unless: readonly string[];
    readonly check: () => Promise<{ isProven(input: CommandInput): Promise<boolean> }>;
  };
  /** Words that complete its arguments, for shells. */
  readonly completes?: readonly string[];
  readonly completesFrom?: CompletionSource;
  readonly load: () => Promise<{ run(input: CommandInput): Promise<Exit> | Exit }>;
}

/** The groups of the help, in its order: most days need the first only. */
export const COMMAND_GROUPS = {
  daily: "Every day",
  "set up": "Set up",
  inspect: "Look",
  decide: "Decide",
  recover: "Recover",
  teams: "Teams",
  programs: "For agents and programs",
} as const;

type CommandGroup = keyof typeof COMMAND_GROUPS;

/** Commands that are easily confused, and how they differ. */
export const COMMAND_PAIRS = [
  "`log` lists calls; `why` explains one of them.",
  "`explain` shows which rules match a call and runs nothing; `fire` runs the hooks.",
  "`allow` writes an exception that stays; `allow --once` lets one call pass, once.",
  "`approve` answers a question that waits; `allow` is about a call that was denied.",
  "`test` tries the examples that you wrote; `replay` judges the calls that were recorded.",
  "`init` writes a configuration, `install` adds Sluice to agents; `setup` does both and checks the result.",
] as const;

/** No verb for people: with it `sluice ui` starts the process that judges recorded calls by a text that is not saved. */
export const JUDGE_DRAFT = "judge-draft";

/** No verb for people: with it `sluice ui` starts the process that reads a long journal into its index. */
export const BUILD_CALL_INDEX = "build-call-index";

/** How a command prints what it found for build servers. */
export const REPORTER_OPTION = {
  reporter: { type: "string", value: "name", means: "for build servers: github, sarif or junit" },
} as const satisfies Record<string, Option>;

/** What every command understands. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", means: "print JSON for programs" },
  root: { type: "string", value: "folder", means: "the project; the one around this folder when left out" },
  help: { type: "boolean", means: "show this help" },
} as const satisfies Record<string, Option>;

/** Reads the arguments after a command's name; throws a problem if they cannot be understood. */
export function readInput(
  command: Command,
  args: readonly string[],
  io: Io,
  commands: readonly Command[],
): CommandInput | Problem {
  const words: string[] = [];
  const given = new Map<string, string[]>();
  const rest = [...args];
  while (rest.length > 0) {
    const word = rest.shift() ?? "";
    if (word === "--") words.push(...rest.splice(0));
    else if (!word.startsWith("--")) words.push(word);
    else {
      const [name = "", attached] = splitOnce(word.slice("--".length), "=");
      const option = optionNamed(name, command);
      if (option === undefined) return USAGE.unknownOption({ command, option: `--${name}` });
      const value = option.type === "boolean" ? "" : (attached ?? rest.shift());
      if (value === undefined) return USAGE.noValue({ command: command.name, name, value: option.value ?? "value" });
      given.set(name, [...(given.get(name) ?? []), value]);
    }
  }
  return {
    words,
    text: (option) => given.get(option)?.at(-1),
    texts: (option) => given.get(option) ?? [],
    has: (option) => given.has(option),
    io,
    command: command.name,
    commands,
  };
}

function optionNamed(name: string, { options }: Command): Option | undefined {
  if (Object.hasOwn(options, name)) return options[name];
  const common: Readonly<Record<string, Option>> = COMMON_OPTIONS;
  return Object.hasOwn(common, name) ? common[name] : undefined;
}

function splitOnce(text: string, sign: string): [string, string | undefined] {
  const at = text.indexOf(sign);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** What is wrong with a command line, for every command. */
export const USAGE = problems("usage", {
  unknownOption: ({ command: { name, options }, option }: { command: Command; option: string }) => ({
    what: `\`sluice ${name}\`: unknown option ${option}.`,
    fix: `${didYouMean(
      option,
      Object.keys({ ...COMMON_OPTIONS, ...options }).map((known) => `--${known}`),
    )} \`sluice ${name} --help\` lists them.`.trim(),
  }),
  noValue: ({ command, name, value }: { command: string; name: string; value: string }) => ({
    what: `\`sluice ${command}\`: --${name} needs a value.`,
    fix: `Write --${name} <${value}>.`,
  }),
  unexpectedArgument: ({ command, extra, fix }: { command: string; extra: string; fix?: string }) => ({
    what: `\`sluice ${command}\`: unexpected argument "${extra}".`,
    fix: fix ?? `\`sluice ${command.replace(/ .*$/, "")} --help\` shows what it takes.`,
  }),
  unknownSubcommand: ({ command, word, known }: { command: string; word: string; known: readonly string[] }) => ({
    what: `\`sluice ${command}\`: unknown subcommand "${word}".`,
    fix: `${didYouMean(word, known)} There are: ${known.join(", ")}.`.trim(),
  }),
  noDenialId: ({ command }: { command: string }) => ({
    what: `\`sluice ${command}\` needs the id of a denial.`,
    fix: "The denial shows it; `sluice why --last 10` lists the latest.",
  }),
  notCounted: ({ option, text, of }: { option: string; text: string; of: string }) => ({
    what: `--${option} ${text}: not a number of ${of}.`,
    fix: `Write --${option} 10, for example.`,
  }),
});

/** The number that an option states, of something that is counted. */
export function countIn(text: string, option: string, of: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw USAGE.notCounted({ option, text, of });
  return count;
}

/** The option of every command that runs hooks without a terminal at which the user could be asked. */
export const TRUST_OPTION = {
  "trust-hash": {
    type: "string",
    value: "hash",
    means: "run the project's hooks if their hash is this one",
  },
} as const satisfies Record<string, Option>;

/** The options with which a person chooses calls of the past. */
export const RECORD_OPTIONS = {
  since: { type: "string", value: "2h", means: "from then on: 30m, 2h, 7d, or a date" },
  agent: { type: "string", multiple: true, value: "id", means: "only calls of this agent", completesFrom: "agents" },
  session: {
    type: "string",
    multiple: true,
    value: "id",
    means: "only this session; the beginning of its id is enough",
  },
  tool: {
    type: "string",
    multiple: true,
    value: "name",
    means: "only this tool, or a kind such as @shell",
    completesFrom: "tools",
  },
  action: { type: "string", multiple: true, value: "deny,ask", means: "only what came to this" },
  hook: {
    type: "string",
    multiple: true,
    value: "name",
    means: "only calls that this hook decided or commented on",
    completesFrom: "hooks",
  },
  project: { type: "string", value: ".|all", means: "the project here (.), that of another folder, or all" },
} as const satisfies Record<string, Option>;
