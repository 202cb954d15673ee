import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aggregate } from "../../src/decision/aggregate.ts";
import { judge } from "../../src/engine/judge.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook, type Layer } from "../../src/hook/hook.ts";
import type { LlmSettings } from "../../src/llm/llm-settings.ts";
import { runLlm } from "../../src/runners/llm.ts";
import { ModelServer } from "./model-server.ts";

/** A server with a model, a private state folder, and a hook that asks. */
export class Courtroom {
  readonly server = new ModelServer();
  readonly #folder = mkdtempSync(join(tmpdir(), "sluice-llm-"));
  #number = 0;

  /** The libraries are loaded first: a test of a short deadline is no test of the disk. */
  async open(): Promise<void> {
    await Promise.all([import("ai"), import("@ai-sdk/anthropic"), import("@ai-sdk/google")]);
    await Promise.all([import("@ai-sdk/openai"), import("@ai-sdk/openai-compatible")]);
    process.env.SLUICE_TEST_KEY = "key-of-the-test";
    await this.server.start();
    this.clear();
  }

  async close(): Promise<void> {
    await this.server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Everything is forgotten; the next model is another one, so that no test meets another's breaker. */
  clear(): void {
    this.#number++;
    process.env.XDG_STATE_HOME = this.state;
    this.server.clear();
  }

  /** Where models are remembered. */
  get state(): string {
    return join(this.#folder, String(this.#number));
  }

  get model(): string {
    return `judge-${this.#number}`;
  }

  settings(more: Partial<LlmSettings> = {}): LlmSettings {
    const { model } = this;
    const place = { baseURL: this.server.baseURL, apiKeyEnv: "SLUICE_TEST_KEY" };
    return { provider: "anthropic", model, ...place, more: {}, ...more };
  }

  /** Runs a hook on an event with this model. */
  judge(event: HookEvent, more: Case = {}) {
    return judgeWith(event, { settings: this.settings(), ...more });
  }
}

/** Runs a hook on an event, and says what the engine makes of it. */
export async function judgeWith(event: HookEvent, { hook = asking(), settings, deadline = 10, signal }: Case) {
  const began = performance.now();
  const ran = await runLlm(hook, event, { deadline, signal, workingDir: undefined, depth: 1, llm: settings });
  const result = judge(hook, event, ran, performance.now() - began);
  return { ran, result, decision: aggregate({ event, results: [result] }) };
}

/** What a test may want to be otherwise. */
export interface Case {
  readonly hook?: Hook;
  readonly settings?: LlmSettings | undefined;
  readonly deadline?: number;
  readonly signal?: AbortSignal;
}

/** A hook that asks about a command. */
export function asking(more: object = {}, layer: Layer = "user"): Hook {
  const data = { name: "bash-safety", type: "llm", prompt: PROMPT, matcher: { events: ["PreToolUse"] }, ...more };
  const origin = { layer, place: { file: "hooks.yaml", line: 1, column: 1 }, index: 0 };
  return Hook.fromJSON(data, origin, { isChecked: true });
}

/** A shell command that is about to run. */
export function command(text: string, more: object = {}): HookEvent {
  return HookEvent.toolPreExecute("bash", { command: text }, { sessionId: "s1", ...more });
}

const PROMPT = "Event: {{event}}\nTool: {{tool}}\nArguments: {{args}}\n\nIs this command safe?\n{{args.command}}";
