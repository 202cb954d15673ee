import type { HookKind } from "../hook/schema.ts";
import { runCommand } from "./command.ts";
import { broken, type Runner } from "./runner.ts";

/** Who runs which kind of hook. A kind without a runner does not compile. */
export const RUNNERS: Readonly<Record<HookKind, Runner>> = {
  command: runCommand,
  inline: missing("inline"),
  llm: missing("llm"),
  plugin: missing("plugin"),
  http: missing("http"),
};

function missing(kind: HookKind): Runner {
  const message = `this version of Sluice has no runner for hooks of type "${kind}"`;
  return async () => broken({ why: "exception", message });
}
