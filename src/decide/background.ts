import type { AgentCall } from "../adapters/read-call.ts";
import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import { newId } from "../trace/fingerprint.ts";
import { append, journalFolder } from "../trace/journal.ts";
import { decisionRecord } from "../trace/record.ts";
import { redactor, secretsIn } from "../trace/redact.ts";
import type { ProcessEnvironment } from "./project.ts";

/** Starts the `async` hooks of a call in a process of their own, because an agent waits for the output of this one to end. */
export async function startBackground({ text, agent, hookEvent }: AgentCall, cwd: string): Promise<string> {
  const { spawn } = await import("node:child_process");
  const id = newId();
  const words = [...(agent === undefined ? [] : [agent]), ...(hookEvent === undefined ? [] : ["--moment", hookEvent])];
  const child = spawn(process.execPath, [process.argv[1] ?? "", "run", ...words, "--background", id], {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => {});
  await new Promise<void>((resolve) => child.stdin.on("error", () => resolve()).end(text, () => resolve()));
  child.unref();
  return id;
}

/** Starts the process that tells the user about a request, so that the agent need not wait for it. */
export async function startNotifier(id: string, root: string): Promise<void> {
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [process.argv[1] ?? "", NOTIFY_APPROVAL, id, root], {
    detached: true,
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", () => {});
  child.unref();
}

/** The argument with which the command does nothing but tell the user about a request. */
export const NOTIFY_APPROVAL = "notify-approval";

/** Writes down what became of the hooks that ran in the background. */
export function recordBackground(
  decision: Decision,
  background: readonly HookResult[],
  {
    id,
    agent,
    root,
    env,
  }: { readonly id: string; readonly agent: string; readonly root: string; readonly env: ProcessEnvironment },
): void {
  const record = decisionRecord(decision, { background, agent, root }, redactor(secretsIn(env)));
  append(journalFolder(env), JSON.stringify({ ...record, id, background: true }));
}
