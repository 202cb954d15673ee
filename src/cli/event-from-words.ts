import { resolve } from "node:path";
import { type Alias, type EventName, eventNamed, eventSpellings } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { Input, Option } from "./command.ts";

/** The options of every command that is given an event by hand. */
export const EVENT_OPTIONS = {
  tool: { type: "string", value: "name", means: "the tool, by the agent's name for it" },
  args: { type: "string", value: "json", means: "the tool's input" },
  data: { type: "string", value: "json", means: "more of the event's data" },
  prompt: { type: "string", value: "text", means: "the prompt, for user:prompt_submit" },
  session: { type: "string", value: "id", means: "the session" },
} as const satisfies Record<string, Option>;

/** The event that a person described; `PreToolUse:Bash` names the event and the tool at once. */
export function eventFrom(input: Input): HookEvent {
  const [word, extra] = input.words;
  if (word === undefined) throw PROBLEMS.noEvent({ command: input.command });
  if (extra !== undefined) throw PROBLEMS.tooMany({ command: input.command, extra });
  const { type, tool } = splitEvent(word);
  const args = jsonOption(input, "args");
  const data = jsonOption(input, "data") ?? {};
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw PROBLEMS.noObject({ option: "--data" });
  const prompt = input.text("prompt");
  return new HookEvent({
    type,
    toolName: input.text("tool") ?? tool,
    sessionId: input.text("session"),
    cwd: folderOf(input),
    data: { ...(args === undefined ? {} : { tool_args: args }), ...(prompt === undefined ? {} : { prompt }), ...data },
  });
}

/** Where the call happens: in the project that is named, or here. */
export function folderOf({ io, text }: Input): string {
  return resolve(io.cwd, text("root") ?? ".");
}

function splitEvent(word: string): { type: EventName | Alias; tool: string | undefined } {
  for (let end = word.length; end > 0; end = word.lastIndexOf(":", end - 1)) {
    const type = eventNamed(word.slice(0, end));
    if (type !== undefined) return { type, tool: word.slice(end + 1) || undefined };
  }
  throw unknownEvent(word);
}

/** What to say about a word that names no event. */
export function unknownEvent(word: string): Problem {
  return PROBLEMS.unknownEvent({ word });
}

function jsonOption(input: Input, name: "args" | "data"): unknown {
  const text = input.text(name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw PROBLEMS.noJson({ option: `--${name}`, why }, { cause });
  }
}

const PROBLEMS = problems("usage", {
  noEvent: (_: object) => ({
    what: "`sluice fire` needs the event to fire.",
    fix: 'For example: sluice fire tool:pre_execute --tool bash --args \'{"command":"ls"}\'',
  }),
  tooMany: ({ command, extra }: { command: string; extra: string }) => ({
    what: `\`sluice ${command}\` takes one event; "${extra}" is one word too many.`,
    fix: "Put JSON in quotes, behind --args or --data.",
  }),
  unknownEvent: ({ word }: { word: string }) => ({
    what: `"${word}" is no event that Sluice knows.`,
    fix: `${didYouMean(word, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
  noJson: ({ option, why }: { option: string; why: string }) => ({
    what: `${option} is no JSON: ${why}.`,
    fix: `Write it in single quotes: ${option} '{"command":"ls"}'`,
  }),
  noObject: ({ option }: { option: string }) => ({
    what: `${option} is no JSON object.`,
    fix: `Write it like ${option} '{"message":"hello"}'`,
  }),
});
