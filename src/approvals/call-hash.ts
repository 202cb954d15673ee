import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { canonicalJson } from "../event/json.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { sha256Text } from "../fs/late-builtins.ts";

/**
 * Identifies a call: the agent, its session and folder, the tool, and its input. Where `root` is given, the same call has the same
 * identity in another checkout: paths below the root are seen from there.
 */
export function callHash(event: HookEvent, root?: string): string {
  const { agent = "", sessionId = "", cwd = "", toolName = "" } = event;
  const input = essential(toolName, dataField(event, "tool_args"));
  const text = canonicalJson([agent, sessionId, cwd, toolName, input ?? null]);
  return sha256Text(root === undefined ? text : seenFrom(root, text));
}

/** JSON text has no NUL of its own, so that no other text becomes equal. */
function seenFrom(root: string, text: string): string {
  const written = JSON.stringify(root)
    .slice(1, -1)
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replaceAll(new RegExp(`(?<![\\w./-])${written}(?![\\w.-])`, "g"), "\0");
}

/** The input without the description of a shell command, which models word differently each time. */
function essential(tool: string, input: unknown): unknown {
  if (!isOfKind(tool, "@shell") || typeof input !== "object" || input === null) return input;
  const { description: _, ...rest } = input as Readonly<Record<string, unknown>>;
  return rest;
}
