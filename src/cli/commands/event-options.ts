import { resolve } from "node:path";
import { ADAPTERS, adapterNamed } from "../../adapters/index.ts";
import { type SentCalls, sentCalls } from "../../decide/sent-calls.ts";
import { SHELL_NAMES, type ShellName } from "../../effects/report/shell-names.ts";
import { type Alias, type EventName, eventNamed, eventSpellings } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import { FIELD_SPELLINGS, type FieldName } from "../../event/field.ts";
import { isToolKind, TOOL_KINDS, type ToolKindName } from "../../event/tool-kinds.ts";
import { didYouMean, nearest } from "../../problem/nearest.ts";
import { errorText, type Problem, problems } from "../../problem/problem.ts";
import { type CommandInput, type Option, USAGE } from "../command.ts";
import { rootOf } from "../configuration.ts";

/** The options of every command that is given an event by hand. */
export const EVENT_OPTIONS = {
  tool: { type: "string", value: "name", means: "the tool, by the agent's name for it", completesFrom: "tools" },
  args: { type: "string", value: "json", means: "the tool's input" },
  data: { type: "string", value: "json", means: "more of the event's data" },
  prompt: { type: "string", value: "text", means: "the prompt, for user:prompt_submit" },
  session: { type: "string", value: "id", means: "the session" },
  agent: {
    type: "string",
    value: "id",
    means: "the agent that sends it; for a shell command each installed agent when left out",
    completesFrom: "agents",
  },
} as const satisfies Record<string, Option>;

/** The tool call that a person described, read for its effects alone: a command line, or a tool with its input. */
export function describedCall(input: CommandInput): DescribedCall {
  const [line = "", ...more] = input.words;
  const [tool, shell = "bash"] = [input.text("tool"), input.text("shell")];
  const args = objectOption(input, "args");
  if (!isShellName(shell)) throw PROBLEMS.noSuchShell({ shell });
  if (more.length > 0) throw PROBLEMS.unquoted({ command: input.command, words: input.words });
  if (line === "" && (tool === undefined || args === undefined)) throw PROBLEMS.nothing({ command: input.command });
  return { line, shell, tool, args: args ?? { command: line } };
}

/** A command line for a shell, or a tool with its input. */
export interface DescribedCall {
  readonly line: string;
  readonly shell: ShellName;
  readonly tool: string | undefined;
  readonly args: object;
}

function isShellName(name: string): name is ShellName {
  return SHELL_NAMES.some((known) => known === name);
}

/** What a person described: an event, or a shell command, which means the call that each installed agent would send. */
export function describedCalls(input: CommandInput): SentCalls {
  const [word = "", ...more] = input.words;
  if (word === "") throw PROBLEMS.nothing({ command: input.command });
  const agent = input.text("agent");
  if (agent !== undefined && adapterNamed(agent) === undefined) throw PROBLEMS.noSuchAgent({ agent });
  if (isEventWord(word)) return stated(eventFrom(input));
  if (more.length > 0) throw PROBLEMS.unquoted({ command: input.command, words: input.words });
  const given = { args: input.text("args"), data: input.text("data"), prompt: input.text("prompt") };
  const extra = Object.entries(given).find(([, text]) => text !== undefined)?.[0];
  if (extra !== undefined) throw unknownEvent(word);
  const about = { cwd: folderOf(input), sessionId: input.text("session"), agent };
  const tool = input.text("tool");
  if (tool !== undefined) return stated(HookEvent.toolPreExecute(tool, { command: word }, about));
  if (agent !== undefined && adapterNamed(agent)?.canary === undefined) throw PROBLEMS.ownTools({ agent });
  return sentCalls(word, { ...about, root: rootOf(input), env: input.io.env });
}

/** One event, exactly as it was described. */
function stated(event: HookEvent): SentCalls {
  return { calls: [{ agents: [], event }], isInstalled: true };
}

/** Whether a text is an event or was meant as one: no shell command looks like `tool:pre_exec`. */
function isEventWord(word: string): boolean {
  if (word.split(":").some((_, index, parts) => eventNamed(parts.slice(0, index + 1).join(":")) !== undefined))
    return true;
  if (!/^[\w:@*?,-]+$/.test(word)) return false;
  return word.includes(":") || nearest(word, eventSpellings()) !== undefined;
}

/** The event that a person described; `PreToolUse:Bash` names the event and the tool at once. */
function eventFrom(input: CommandInput): HookEvent {
  const [word = "", extra] = input.words;
  if (extra !== undefined)
    throw USAGE.unexpectedArgument({
      command: input.command,
      extra,
      fix: "Put JSON in quotes, after --args or --data.",
    });
  const { type, tool } = splitEvent(word);
  const event = new HookEvent({
    type,
    toolName: input.text("tool") ?? tool,
    sessionId: input.text("session"),
    cwd: folderOf(input),
    agent: input.text("agent"),
    data: dataFrom(input),
  });
  const { toolName } = event;
  if (toolName !== undefined && isToolKind(toolName)) throw PROBLEMS.kind({ kind: toolName });
  return event;
}

/** Where the call happens: in the project that is named, or here. */
function folderOf({ io, text }: CommandInput): string {
  return resolve(io.cwd, text("root") ?? ".");
}

function splitEvent(word: string): { type: EventName | Alias; tool: string | undefined } {
  for (let end = word.length; end > 0; end = word.lastIndexOf(":", end - 1)) {
    const type = word.slice(0, end);
    // The name as given: with an error, `PostToolUse` means another event than without.
    if (eventNamed(type) !== undefined)
      return { type: type as EventName | Alias, tool: word.slice(end + 1) || undefined };
  }
  throw unknownEvent(word);
}

/** The problem of a text that is not the name of an event. */
export function unknownEvent(word: string): Problem {
  return PROBLEMS.unknownEvent({ word });
}

/** The event's data from options and `--data`; two values for one field would hide one of them. */
function dataFrom(input: CommandInput): object {
  const data = objectOption(input, "data") ?? {};
  const stated: readonly [option: string, field: FieldName, value: unknown][] = [
    ["--args", "tool_args", objectOption(input, "args")],
    ["--prompt", "prompt", input.text("prompt")],
  ];
  const given = stated.filter(([, , value]) => value !== undefined);
  for (const [option, field] of given) {
    const key = FIELD_SPELLINGS[field].find((spelling) => Object.hasOwn(data, spelling));
    if (key !== undefined) throw PROBLEMS.saidTwice({ option, key });
  }
  return { ...Object.fromEntries(given.map(([, field, value]) => [field, value])), ...data };
}

function objectOption(input: CommandInput, name: "args" | "data"): object | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  const value = parsed(text, `--${name}`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw PROBLEMS.noObject({ name });
  return value;
}

function parsed(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = errorText(cause);
    throw PROBLEMS.noJson({ option, why }, { cause });
  }
}

const PROBLEMS = problems("usage", {
  nothing: ({ command }: { command: string }) => ({
    what: `\`sluice ${command}\` needs an event or a shell command.`,
    fix: `For example: sluice ${command} "rm -rf build", or sluice ${command} session:start`,
  }),
  unquoted: ({ command, words }: { command: string; words: readonly string[] }) => ({
    what: `\`sluice ${command}\` takes one event or one shell command.`,
    fix: `Put the command in quotes: sluice ${command} "${words.join(" ")}"`,
  }),
  noSuchShell: ({ shell }: { shell: string }) => ({
    what: `--shell ${shell}: command lines of that shell cannot be read.`,
    fix: `Write --shell ${SHELL_NAMES.join(", --shell ").replace(/, ([^,]*)$/, " or $1")}.`,
  }),
  unknownEvent: ({ word }: { word: string }) => ({
    what: `"${word}" is not an event of Sluice.`,
    fix: `${didYouMean(word, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  noSuchAgent: ({ agent }: { agent: string }) => ({
    what: `"${agent}" is not an agent that Sluice knows.`,
    fix: `${didYouMean(
      agent,
      ADAPTERS.map(({ id }) => id),
    )} There are ${ADAPTERS.map(({ id }) => id).join(", ")}.`.trim(),
  }),
  ownTools: ({ agent }: { agent: string }) => ({
    what: `The name of the tool with which "${agent}" runs a shell command is not known.`,
    fix: "Name it: --tool bash, for example.",
  }),
  noJson: ({ option, why }: { option: string; why: string }) => ({
    what: `${option} is not JSON: ${why}.`,
    fix: `Write it in single quotes: ${option} '{"command":"ls"}'`,
  }),
  noObject: ({ name }: { name: "args" | "data" }) => ({
    what: `--${name} is not a JSON object.`,
    fix: `Write it like --${name} '${name === "args" ? '{"command":"ls"}' : '{"message":"hello"}'}'`,
  }),
  saidTwice: ({ option, key }: { option: string; key: string }) => ({
    what: `${option} and the \`${key}\` of --data set the same field.`,
    fix: "Keep one of them.",
  }),
  kind: ({ kind }: { kind: ToolKindName }) => ({
    what: `"${kind}" is a tool kind, not a tool; hooks match it, and agents never call it.`,
    fix: `Name a tool of that kind: --tool ${TOOL_KINDS[kind].names[0]}, for example.`,
  }),
});
