import type { HookEvent } from "../../event/event.ts";
import { dataField } from "../../event/field.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { sha256Text } from "../../fs/late-builtins.ts";
import { canonicalJson } from "../../event/json.ts";

/** What makes two calls the same call: who calls, in which session and folder, which tool, with which input. */
export function callHash(event: HookEvent): string {
  const { agent = "", sessionId = "", cwd = "", toolName = "" } = event;
  const input = essential(toolName, dataField(event, "tool_args"));
  const text = canonicalJson([agent, sessionId, cwd, toolName, input ?? null]);
  return sha256Text(text);
}

/** Models describe the same command in other words each time; the words run nothing. */
function essential(tool: string, input: unknown): unknown {
  if (!isOfKind(tool, "@shell") || typeof input !== "object" || input === null) return input;
  const { description: _, ...rest } = input as Readonly<Record<string, unknown>>;
  return rest;
}
