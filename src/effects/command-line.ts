import { dataField, type EventFacts } from "../event/field.ts";
import { oncePerText } from "../event/once.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { shellWord } from "./parse/value.ts";
import { toolLine } from "./tools/tool-lines.ts";

/** Whether a tool of another name than the usual ones is given a line for a shell. */
export function isShellCall(event: EventFacts): boolean {
  const { toolName = "" } = event;
  if (isOfKind(toolName, "@shell")) return true;
  return keysFor(toolName).some((key) => lineIn(inputOf(event)[key]) !== undefined) || toolLine(event) !== undefined;
}

/** The command line of a call, whatever its key is called; several keys are several lines. */
export function commandLineOf(event: EventFacts): string | undefined {
  const args = dataField(event, "tool_args");
  if (typeof args === "string") return args;
  const own = isOfKind(event.toolName ?? "", "@shell") ? undefined : toolLine(event);
  if (own !== undefined) return own;
  const { keys, takesWords } = customsOf(event.toolName ?? "");
  const input = objectOf(args);
  const lines: string[] = [];
  for (const key of presentKeys(input, keys)) {
    const line = input[key] === undefined ? undefined : lineIn(input[key]);
    if (line !== undefined && !lines.includes(line)) lines.push(line);
  }
  const words: string[] = [];
  // Several arguments in one text are part of the line already.
  if (takesWords)
    for (const key of presentKeys(input, WORD_KEYS)) {
      const given = input[key];
      words.push(...(typeof given === "string" ? [given] : (wordsIn(given) ?? []).map(shellWord)));
    }
  if (words.length === 0) return lines.length > 1 ? lines.join("\n") : lines[0];
  const [first = words[0]?.startsWith("-") ? "bash" : ""] = lines;
  return [[first, ...words].join(" ").trim(), ...lines.slice(1)].join("\n");
}

/** How a tool of that name is given its line. */
interface Customs {
  readonly keys: readonly string[];
  readonly takesWords: boolean;
}

/** An agent has a few dozen tools, and each of them is called again and again. */
const customsOf = oncePerText((tool: string): Customs => {
  const keys = new Set([...KEYS, ...keysFor(tool)].filter((key) => !WORD_KEYS.includes(key)));
  const customs = { keys: [...keys], takesWords: isShell(tool) };
  return customs;
});

/** The keys under which a tool of that name is given a line; empty if its name does not show that it runs one. */
function keysFor(tool: string): readonly string[] {
  const own = named(tool.replace(/^.*(?:__|:)/s, ""));
  if (LOOKS.test(own) || isOfKind(tool, "@read") || isOfKind(tool, "@write") || isOfKind(tool, "@network")) return [];
  if (isShell(tool)) return OTHER_LANGUAGES.test(own) ? KEYS : [...KEYS, ...LOOSE_KEYS, ...WORD_KEYS];
  return RUNS().test(own) ? KEYS : [];
}

function isShell(tool: string): boolean {
  return isOfKind(tool, "@shell") || SHELLS().test(named(tool));
}

/** `startProcess` and `start-process` are `start_process`. */
function named(tool: string): string {
  return tool
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .toLowerCase();
}

function lineIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return wordsIn(value)?.map(shellWord).join(" ");
}

function wordsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")
    ? value
    : undefined;
}

function inputOf(event: EventFacts): Readonly<Record<string, unknown>> {
  return objectOf(dataField(event, "tool_args"));
}

function objectOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === "object" && args !== null ? (args as Readonly<Record<string, unknown>>) : {};
}

/**
 * Those of the names under which an input has something, in their order. Inputs are mostly small and plain, and to ask them
 * for many names that they do not have takes longer than to ask what they have.
 */
export function presentKeys(input: object, names: readonly string[]): readonly string[] {
  const kind = Object.getPrototypeOf(input) as unknown;
  if (kind !== Object.prototype && kind !== null) return names;
  const given = Object.keys(input);
  const [only = ""] = given;
  if (given.length === 1) return names.includes(only) ? given : NONE;
  return given.length > SMALL ? names : names.filter((name) => given.includes(name));
}

const NONE: readonly string[] = [];
const SMALL = 6;

/** Keys that are always a command line. */
const KEYS = [
  ..."program executable command cmd script commandLine command_line commandline shell_command shellCommand".split(" "),
  ...["cmdString", "cmd_string", "commandString", "command_string", "cmdline", "cmd_line"],
];
/** Keys that are a command line if the tool is a shell. */
const LOOSE_KEYS = ["input", "code", "line", "commands", "chars", "input_text", "text", "keys"];
const WORD_KEYS = ["args", "arguments", "argv"];
const RUNS = () =>
  /(?:^|_)(?:run|exec|execute|spawn|shell|bash|terminal|command|cmd|process)(?:_|$)|^(?:run|exec|execute|shell|bash|terminal|command|spawn)/;
const SHELLS = () => /(?:^|_)(?:shell|bash|zsh|powershell|pwsh|terminal|console|commands?|cmd|ssh|process|exec)(?:_|$)/;
const LOOKS =
  /^(?:read|list|get|search|find|view|show|describe|explain|check|kill|stop|terminate|force_terminate)(?:_|$)/;
/** What runs something else than lines of a shell. */
const OTHER_LANGUAGES = /(?:^|_)(?:python|javascript|js|node|sql|query|notebook|cell|workflow|job|tests?)(?:_|$)/;
