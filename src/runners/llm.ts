import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import type { Ran, RunContext } from "./runner.ts";

/** Asks a language model, and reports its answer. The modules for that are loaded here, when a hook needs them. */
export async function runLlm(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const { askModel } = await import("../llm/ask-model.ts");
  const { deadline, signal, llm } = context;
  const { verdict, failure, text, notes } = await askModel(hook, event, { deadline, signal, settings: llm });
  return { answer: verdict, failure, exitCode: null, stdout: text, stderr: "", notes };
}
