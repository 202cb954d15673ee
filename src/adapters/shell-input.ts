import { isSame } from "../decision/patch.ts";
import { shellWord } from "../effects/parse/value.ts";
import { isObject } from "../event/json.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { type Payload, Unreadable } from "./payload.ts";

/** A tool's input in our format: every agent's shell call has its text in `command`. */
export function ourInput(tool: string, input: unknown): unknown {
  if (typeof input === "string" && isTorn(input))
    throw new Unreadable(`the input of ${tool} is text that was to be JSON`);
  if (!isOfKind(tool, "@shell") || (isObject(input) && typeof input.command === "string")) return input;
  const bare = bareCommand(input);
  if (bare !== undefined) return { command: bare };
  if (!isObject(input)) throw new Unreadable(`the input of ${tool} has no command`);
  const found = commandIn(input);
  if (found === undefined && Object.hasOwn(input, "command"))
    throw new Unreadable(`the \`command\` of ${tool} is not a string`);
  // The command may lie deeper than any agent puts it.
  if (found === undefined && Object.values(input).some(holdsValues))
    throw new Unreadable(`the input of ${tool} has no command where it is looked for`);
  return found === undefined ? input : { ...input, command: found.text };
}

function holdsValues(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Text that was meant to be an object: nothing in it can be judged. */
function isTorn(input: string): boolean {
  return input.trimStart().startsWith("{");
}

/** An input that is nothing but the command; text that was meant to be JSON is none. */
function bareCommand(input: unknown): string | undefined {
  if (typeof input === "string") return isTorn(input) ? undefined : input;
  return isTexts(input) ? lineOf(input) : undefined;
}

/** The same input in the agent's format again, after a hook has changed it. */
export function theirInput(original: unknown, changed: unknown): unknown {
  const bare = bareCommand(original);
  if (bare !== undefined && isObject(changed) && typeof changed.command === "string") {
    if (changed.command === bare) return original;
    return typeof original === "string" ? changed.command : ["sh", "-c", changed.command];
  }
  if (!isObject(original) || !isObject(changed) || typeof original.command === "string") return changed;
  const found = commandIn(original);
  if (found === undefined || typeof changed.command !== "string") return changed;
  const { command, ...rest } = changed;
  const own = rest[found.key];
  // A hook that changed the agent's own key meant that one; one that left it out wrote a new input in our format.
  if (found.key !== "command" && own !== undefined && !isSame(own, original[found.key])) return rest;
  if (command === found.text) return { ...rest, [found.key]: original[found.key] };
  return { ...rest, [found.key]: found.asList(command) };
}

interface FoundCommand {
  readonly key: string;
  readonly text: string;
  readonly asList: (text: string) => unknown;
}

function commandIn(input: Payload): FoundCommand | undefined {
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === "string") return { key, text: value, asList: (text) => text };
    if (isTexts(value)) return { key, text: lineOf(value), asList: (text) => ["sh", "-c", text] };
  }
  for (const key of COMMAND_LIST_KEYS) {
    const value = input[key];
    if (isTexts(value)) return { key, text: value.join("\n"), asList: (text) => [text] };
  }
  return undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string");
}

/** `["bash", "-lc", "ls"]` runs the line `ls`; other lists are the arguments of one command. */
function lineOf(words: readonly string[]): string {
  const [program = "", flag = "", line] = words;
  const isShell = /(^|\/)(ba|z|da|k)?sh$/.test(program) && /^-[a-z]*c$/.test(flag);
  return isShell && words.length === 3 && line !== undefined ? line : words.map(shellWord).join(" ");
}

const COMMAND_KEYS = [
  ...["command", "command_line", "commandLine", "cmd", "script", "shell_command"],
  // What is typed into a shell that runs already.
  ...["chars", "input", "input_text", "text", "keys"],
];
const COMMAND_LIST_KEYS = ["commands"];

/** An input that names its file as `filePath`, with our own spelling beside it, so that rules about paths see it. */
export function withOurPath(input: unknown): unknown {
  if (!isObject(input)) return input;
  const own = ownPaths(input);
  return Object.keys(own).length === 0 ? input : { ...input, ...own };
}

/** The same input without our spelling, after a hook has changed it; a change under our name has priority. */
export function withTheirPath(original: unknown, changed: unknown): unknown {
  if (!isObject(original) || !isObject(changed)) return changed;
  const { file_path: one, file_paths: many } = ownPaths(original);
  const input: Record<string, unknown> = { ...changed };
  if (one !== undefined) {
    // A hook that left the agent's own key out wrote a new input with our key.
    const isOurs = changed.file_path !== one || changed.filePath === undefined;
    if (typeof changed.file_path === "string" && isOurs) input.filePath = changed.file_path;
    delete input.file_path;
  }
  // A changed list cannot be handed back, so it stays and the agent's own check sees it.
  if (many !== undefined && JSON.stringify(input.file_paths) === JSON.stringify(many)) delete input.file_paths;
  return input;
}

function ownPaths(input: Readonly<Record<string, unknown>>): { file_path?: string; file_paths?: readonly string[] } {
  const { filePath, replacements } = input;
  const many = Array.isArray(replacements) ? replacements.map((one) => (isObject(one) ? one.filePath : undefined)) : [];
  const named = many.filter((path) => typeof path === "string");
  return {
    ...(typeof filePath === "string" && input.file_path === undefined ? { file_path: filePath } : {}),
    ...(named.length > 0 && input.file_paths === undefined ? { file_paths: [...new Set(named)] } : {}),
  };
}
