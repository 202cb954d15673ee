import { isObject } from "../adapters/payload.ts";
import { type Native, readCall } from "../adapters/read-call.ts";
import { HookEvent } from "../event/event.ts";
import { problems } from "../problem/problem.ts";

/** What a person's text was taken for. */
export interface Trial {
  readonly as: "command" | "tool call" | "payload";
  readonly event: HookEvent;
  /** The agent's side of it, where the text is a payload. */
  readonly native?: Native;
}

/** Reads a text as the payload of an agent, else as a tool call, else as a command line. */
export function readTrial(text: string, cwd: string): Trial {
  const trimmed = text.trim();
  if (trimmed === "") throw PROBLEMS.nothingToTry({});
  if (!trimmed.startsWith("{"))
    return { as: "command", event: HookEvent.toolPreExecute("bash", { command: trimmed }, { cwd }) };
  const value = parsed(trimmed);
  const call = toolCall(value);
  if (call !== undefined) return { as: "tool call", event: HookEvent.toolPreExecute(call.tool, call.args, { cwd }) };
  const read = readCall({ text: trimmed, value });
  switch (read.kind) {
    case "event":
      return { as: "payload", event: read.event, native: read.native };
    case "unknown hook event":
      throw PROBLEMS.unknownHookEvent({ agent: read.adapter.title, name: read.name });
    case "unreadable":
    case "nothing":
      throw PROBLEMS.unreadablePayload({ why: read.why });
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw PROBLEMS.noTrialJson({ why: cause instanceof Error ? cause.message : String(cause) }, { cause });
  }
  throw PROBLEMS.noTrialJson({ why: "it is not an object" });
}

/** `{ "tool": "Write", "args": { … } }`, and nothing else: everything with more keys is an agent's payload. */
function toolCall(
  value: Readonly<Record<string, unknown>>,
): { readonly tool: string; readonly args: unknown } | undefined {
  const { tool, tool_name, args, input, tool_input, ...rest } = value;
  const name = tool ?? tool_name;
  const given = args ?? input ?? tool_input;
  if (typeof name !== "string" || Object.keys(rest).length > 0 || given === undefined) return undefined;
  return { tool: name, args: given };
}

const PROBLEMS = problems("ui", {
  nothingToTry: (_: object) => ({
    what: "There is nothing to try.",
    fix: "Write a command line, a tool call as JSON, or paste what an agent sends.",
  }),
  noTrialJson: ({ why }: { why: string }) => ({
    what: `The text begins like JSON and is none: ${why}.`,
    fix: 'Write a tool call as { "tool": "Write", "args": { … } }, or a command line.',
  }),
  unknownHookEvent: ({ agent, name }: { agent: string; name: string }) => ({
    what: `${agent} has no hook event "${name}" that Sluice knows; it would pass.`,
    fix: "Correct its name.",
  }),
  unreadablePayload: ({ why }: { why: string }) => ({
    what: `The payload cannot be read: ${why}.`,
    fix: 'Write a tool call as { "tool": "Write", "args": { … } }, or a command line.',
  }),
});
