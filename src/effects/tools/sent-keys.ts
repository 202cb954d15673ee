import { hasKey } from "../literal-keys.ts";
import type { ToolAct } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";

/** Keys and tokens in what a tool is given to send; those that log it in, in a header or under their own name, are not sent. */
export function sentKeys({ leaves, input }: CalledTool): ToolAct[] {
  // The whole input is looked at once: hardly any has a key in it.
  if (!leaves.some(({ value }) => typeof value === "string" && holdsKey(value))) return [];
  return leaves.flatMap(({ key, name, value, above }): ToolAct[] => {
    if (typeof value !== "string" || LOGS_IN.test(key) || above.some((outer) => LOGS_IN.test(outer))) return [];
    // What is written into a file stays on this machine.
    if ("file_path" in input || ("content" in input && "path" in input && !("owner" in input))) return [];
    return holdsKey(value) ? [{ kind: "send-key", text: name }] : [];
  });
}

/** In plain letters, or with signs written as numbers, as in an address. */
function holdsKey(text: string): boolean {
  if (hasKey(text)) return true;
  return (
    /%[\da-f]{2}/i.test(text) &&
    hasKey(text.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))))
  );
}

const LOGS_IN = /header|auth|token|apikey|secret|password|credential|cookie|bearer|^key$|privatekey/;
