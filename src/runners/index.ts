import type { RunKind } from "../hook/schema.ts";
import type { Runner } from "./runner.ts";

/** Who runs which kind of hook, loaded when the first hook of that kind runs. A kind without a runner does not compile. */
const RUNNERS: Readonly<Record<RunKind, () => Promise<Runner>>> = {
  command: async () => (await import("./command.ts")).runCommand,
  inline: async () => (await import("./inline.ts")).runInline,
  llm: async () => (await import("./llm.ts")).runLlm,
  plugin: async () => (await import("./plugin.ts")).runPlugin,
  http: async () => (await import("./http.ts")).runHttp,
  cedar: async () => (await import("./cedar.ts")).runCedar,
  opa: async () => (await import("./opa.ts")).runOpa,
  internal: async () => (await import("./internal.ts")).runInternal,
  combine: async () => (await import("./combine.ts")).runCombination,
};

/** The runner for a kind of hook: at once when it was used before. */
export function runnerFor(kind: RunKind): Runner | Promise<Runner> {
  return LOADED.get(kind) ?? load(kind);
}

async function load(kind: RunKind): Promise<Runner> {
  const runner = await RUNNERS[kind]();
  LOADED.set(kind, runner);
  return runner;
}

const LOADED = new Map<RunKind, Runner>();
