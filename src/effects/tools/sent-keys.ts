import type { ToolAct } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";

/** Keys and tokens in what a tool is given to send; those that log it in, in a header or under their own name, are not sent. */
export function sentKeys({ leaves, input }: CalledTool): ToolAct[] {
  // The whole input is looked at once: hardly any has a key in it.
  if (!leaves.some(({ value }) => typeof value === "string" && KEY_TEXT.test(value))) return [];
  return leaves.flatMap(({ key, name, value, above }): ToolAct[] => {
    if (typeof value !== "string" || LOGS_IN.test(key) || above.some((outer) => LOGS_IN.test(outer))) return [];
    // What is written into a file stays on this machine.
    if ("file_path" in input || ("content" in input && "path" in input && !("owner" in input))) return [];
    return KEY_TEXT.test(value) ? [{ kind: "send-key", text: name }] : [];
  });
}

const LOGS_IN = /header|auth|token|apikey|secret|password|credential|cookie|bearer|^key$|privatekey/;
const KEY_TEXT =
  /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----|\b(?:AKIA|ASIA)[A-Z\d]{16}\b|\bgh[pousr]_[A-Za-z\d]{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{20}|\bsk_live_\w{16,}|\bxox[baprs]-\d[\w-]{10,}|\bsk-ant-[\w-]{20,}|\bsk-(?:proj-)?[A-Za-z\d]{32,}|\bAIza[\w-]{35}|\bnpm_[A-Za-z\d]{36}|(?:SECRET|TOKEN|PASSWORD|API_?KEY|ACCESS_KEY|secret_access_key)[A-Za-z_]{0,40}\s{0,4}[=:]\s{0,4}["']?(?=[\w/+=-]{0,80}\d)(?=[\w/+=-]{0,80}[a-z])(?=[\w/+=-]{0,80}[A-Z])[A-Za-z\d/+_=-]{20,}/;
