import type { Payload } from "../../../src/adapters/payload.ts";
import {
  type Agent,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  isObject,
  objectIn,
  part,
  stopped,
  text,
} from "./agent.ts";

/** Cline 3.0.65, as its source says: no exit code counts, and most hooks are not waited for. */
export const cline: Agent = { id: "cline", inputOf, withInput, reads };

function reads({ stdout }: Ended, { hookEvent, payload }: Handed): Does {
  const input = inputOf(payload);
  if (!AWAITED.includes(hookEvent)) return goesOn({ input });
  const outcome = lastObjectIn(stdout);
  const context = text(outcome.contextModification) || text(outcome.context);
  const told = context.slice(0, 50_000);
  if (outcome.cancel === true && !hookEvent.endsWith("result") && hookEvent !== "PostToolUse")
    return stopped(outcome.errorMessage, { shown: text(outcome.errorMessage) });
  const changed = hookEvent === "tool_call" && isObject(outcome.overrideInput) ? outcome.overrideInput : input;
  return goesOn({ input: changed, told });
}

function lastObjectIn(stdout: string): Payload {
  const last = stdout.trim().split("\n").at(-1) ?? "";
  return objectIn(stdout) ?? objectIn(last.replace(/^HOOK_CONTROL\t/, "")) ?? {};
}

function inputOf(payload: Payload): unknown {
  return part(payload, "tool_call").input ?? part(payload, "preToolUse").parameters;
}

function withInput(payload: Payload, input: unknown): Payload {
  if (payload.tool_call === undefined)
    return { ...payload, preToolUse: { ...part(payload, "preToolUse"), parameters: input } };
  return { ...payload, tool_call: { ...part(payload, "tool_call"), input } };
}

/** The first two are those of its command, the others those of its editor. */
const AWAITED = [
  "tool_call",
  "tool_result",
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "TaskStart",
  "TaskResume",
];
