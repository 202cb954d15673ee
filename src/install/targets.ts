import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS } from "../adapters/index.ts";
import type { Scope, Wanted } from "../adapters/recipe.ts";
import { attempt } from "../event/attempt.ts";
import { type EventName, eventSpec } from "../event/catalogue.ts";
import type { InstallContext } from "./install-context.ts";
import { commandLine, isOurs, windowsLine } from "./invocation.ts";
import type { Mark } from "./settings-text.ts";

/** A file that Sluice may write for an agent: one of its own, or one with entries or a block among what others wrote. */
export interface Target {
  readonly kind: "own" | "entries" | "block";
  readonly path: string;
}

/** Every file that an agent's recipe may have written, whatever events hooks matched at the time. */
export function targetsOf({ recipe }: Adapter, scope: Scope, around: Pick<InstallContext, "home" | "root">): Target[] {
  if (recipe === undefined) return [];
  const target = (kind: Target["kind"], file: string): Target => ({ kind, path: pathOf(scope, file, around) });
  if (recipe.kind === "files") return recipe.files(scope, [], ["sluice"]).map(({ path }) => target("own", path));
  return [
    target("entries", recipe.files[scope]),
    ...(recipe.tables === undefined ? [] : [target("block", recipe.tables[scope])]),
    ...(recipe.script === undefined ? [] : [target("own", recipe.script)]),
  ];
}

/** The files that an agent's recipe may have written. */
export function filesOf(adapter: Adapter, scope: Scope, around: Pick<InstallContext, "home" | "root">): string[] {
  return targetsOf(adapter, scope, around).map(({ path }) => path);
}

/** The agent whose hooks stand in a file, by the end of its path. */
export function agentOfFile(path: string): Adapter | undefined {
  return ADAPTERS.find(({ recipe }) => {
    if (recipe === undefined) return false;
    const files =
      recipe.kind === "files"
        ? SCOPES.flatMap((scope) => recipe.files(scope, [], ["sluice"]).map((one) => one.path))
        : SCOPES.map((scope) => recipe.files[scope]);
    return files.some((file) => path.endsWith(`/${file}`));
  });
}

const SCOPES: readonly Scope[] = ["user", "project"];

/** A file of an agent, seen from where its scope begins. */
export function pathOf(scope: Scope, file: string, { home, root }: Pick<InstallContext, "home" | "root">): string {
  return join(scope === "user" ? home : root, file);
}

/** How our command lines are recognised among others in an agent's files. */
export function markOf({ id, recipe }: Adapter): Mark {
  const script = recipe?.kind === "entries" ? recipe.script : undefined;
  return (command) => isOurs(command, id, script);
}

/** Whether a whole file is ours: it calls us for this agent. */
export function isOurFile(text: string, { id }: Adapter): boolean {
  return text.split("\n").some((line) => isOurs(line, id));
}

/** The agents whose settings, for this user or this project, have a line that calls Sluice. */
export function installedAgents(where: Pick<InstallContext, "home" | "root">): Adapter[] {
  return ADAPTERS.filter((adapter) =>
    SCOPES.flatMap((scope) => filesOf(adapter, scope, where)).some((path) => isOurFile(textOf(path), adapter)),
  );
}

/** Returns no text for a file that is missing or cannot be read: an agent cannot read a line in it either. */
function textOf(path: string): string {
  return attempt(() => readFileSync(path, "utf8")) ?? "";
}

/** The hook events that an agent is asked to call us for: all that matter, and rare ones that a hook waits for. */
export function wantedHookEvents(adapter: Adapter, scope: Scope, around: InstallContext): Wanted[] {
  const { hookEvents, seconds, recipe } = adapter;
  const isMatched = (event: EventName) => around.isMatched(event);
  return Object.entries(hookEvents)
    .filter(
      ([, { installed = "always", as }]) => installed === "always" || (installed === "if matched" && isMatched(as)),
    )
    .map(([hookEvent, row]) => {
      const { gate: isGate, keepsWorking = false } = eventSpec(row.as);
      const gate = isGate && !keepsWorking && row.can.includes("deny");
      const called = { gate, hookEvent: recipe?.statesHookEvent === true ? hookEvent : undefined };
      const command = commandLine(adapter, scope, around, called);
      const windows = windowsLine(adapter, scope, called);
      return { hookEvent, command, windows, gate, seconds: row.seconds ?? seconds, matcher: row.matcher };
    });
}
