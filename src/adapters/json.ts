import { EVENT_NAMES, eventNamed, eventSpellings, eventsMatchedBy } from "../event/catalogue.ts";
import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import { didYouMean } from "../problem/nearest.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Power, Reply } from "./adapter.ts";
import { needObject, needText, type Payload, textAt, without } from "./payload.ts";
import { ourInput } from "./shell-input.ts";

const ALL: readonly Power[] = ["deny", "ask", "modify", "approve", "context", "output"];

const HOOK_EVENTS = once(() =>
  Object.fromEntries(EVENT_NAMES.map((as): [string, AgentHookEvent] => [as, { as, can: ALL, decode, encode }])),
);

/** Our own event on standard input, our decision on standard output: for every program without an adapter. */
export const json: Adapter = {
  id: "json",
  title: "any program, in JSON",
  docs: "",
  version: "1",
  recognises: (payload) =>
    eventNamed(String(payload.type)) !== undefined && textAt(payload, "hook_event_name") === undefined,
  hookEventOf,
  get hookEvents() {
    return HOOK_EVENTS();
  },
  // A program that uses our own names has misspelt one of them, and may have meant a gate.
  whyUnknown,
  seconds: 120,
  limits: ["The program that asks has to obey the answer."],
  quirks: [],
};

function whyUnknown(name: string): string {
  const step = `${didYouMean(name, eventSpellings())} \`sluice events\` lists them all.`.trim();
  return `the payload's \`type\` is "${name}", which is not an event of Sluice. ${step}`;
}

/** `PostToolUse` names both ends of a call; with an error it is the failed one. */
function hookEventOf(payload: Payload): string | undefined {
  const type = textAt(payload, "type");
  if (type === undefined) return undefined;
  const failed = isObject(payload.data) && payload.data.error !== undefined && payload.data.error !== null;
  return failed && eventsMatchedBy(type).includes("tool:error") ? "tool:error" : (eventNamed(type) ?? type);
}

function decode(payload: Payload): Decoded {
  // What judges a call by its tool judges nothing without one.
  const isCall = eventNamed(String(payload.type)) === "tool:pre_execute";
  const named = payload.toolName === undefined ? "tool_name" : "toolName";
  const toolName = isCall ? needText(payload, named) : textAt(payload, named);
  // Fields beside `data` are read as fields of it; a field in `data` itself has priority.
  const data = { ...without(payload, ...OWN_KEYS), ...(payload.data === undefined ? {} : needObject(payload, "data")) };
  return {
    toolName,
    sessionId: textAt(payload, "session_id", "sessionId"),
    cwd: textAt(payload, "cwd"),
    ...(typeof payload.timestamp === "number" ? { timestamp: payload.timestamp } : {}),
    data: isCall && toolName !== undefined ? withOurInput(toolName, data) : data,
  };
}

/** The command of a shell call is one text, as it is from every agent. */
function withOurInput(tool: string, data: Payload): Payload {
  const key = ["tool_args", "args", "tool_input"].find((name) => data[name] !== undefined);
  return key === undefined ? Object(ourInput(tool, data)) : { ...data, [key]: ourInput(tool, data[key]) };
}

const OWN_KEYS = ["type", "timestamp", "data", "tool_name", "toolName", "session_id", "sessionId", "cwd", "agent"];

/** The exit code contains the decision too, for programs that read nothing else. */
function encode({ action, reason, context, input, output, approved, kept, request, contained }: FittedDecision): Reply {
  const objects = action === "deny" || action === "ask";
  return {
    stdout: {
      action,
      ...(action === "continue" ? {} : { reason }),
      ...(context === "" ? {} : { context }),
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      approved,
      ...(kept === undefined ? {} : { kept }),
      ...(request === undefined ? {} : { request }),
      ...(contained === undefined ? {} : { contained }),
    },
    ...(objects ? { stderr: reason, exitCode: action === "deny" ? 2 : 3 } : {}),
  };
}
