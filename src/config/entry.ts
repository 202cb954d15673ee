import { Hook, type HookSurroundings, type Layer } from "../hook/hook.ts";
import { readHook } from "../hook/read.ts";
import type { HookSpec } from "../hook/schema.ts";
import { Problem, problems } from "../problem/problem.ts";
import { isHijack } from "../runners/command-environment.ts";
import type { ConfigDocument } from "./document.ts";
import type { RawEntry } from "./hook-list.ts";
import { shutGateOf } from "./shut-gate.ts";
import { offsetAt, plain } from "./tree.ts";

/** One entry of a file: a hook, or the problems that keep it from being one. */
export interface ReadEntry {
  readonly hook: Hook | undefined;
  /** Asks about every call that the hook may have guarded, where it cannot be read. */
  readonly shut?: Hook | undefined;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads one entry with all its problems at their places; what is wrong with it touches no other entry. */
export function readEntry(
  { tree, index, flaws }: RawEntry,
  { place }: ConfigDocument,
  layer: Layer,
  around: HookSurroundings,
  wantsWarnings = true,
): ReadEntry {
  const placed = (problem: Problem) => {
    const wanted = ABOUT_THE_KEY.has(problem.code) ? "key" : "value";
    return problem.at(place(offsetAt(tree, problem.path ?? [], wanted)));
  };
  const data = plain(tree);
  const unusable = (errors: readonly Problem[], warnings: readonly Problem[] = []): ReadEntry => {
    const shut = shutGateOf(data, errors, { layer, place: place(tree.at), index }, around);
    return { hook: undefined, shut, errors, warnings };
  };
  if (flaws.length > 0) return unusable(flaws.map(({ problem, at }) => problem.at(place(at))));
  const read = readHook(data, 0, wantsWarnings);
  const found = wantsWarnings ? [...bothEvents(read.spec), ...withheld(read.spec)] : [];
  const warnings = [...read.warnings, ...found].map(placed);
  if (read.errors.length > 0) return unusable(read.errors.map(placed), warnings);
  try {
    return {
      hook: Hook.fromJSON(data, { layer, place: place(tree.at), index }, { ...around, read }),
      errors: [],
      warnings,
    };
  } catch (error) {
    const problem = error instanceof Problem ? error : PROBLEMS.unusable({ why: String(error) }, { cause: error });
    return unusable([placed(problem)], warnings);
  }
}

/** Events of a matcher that a stated event makes useless. */
function bothEvents({ name, event, matcher }: HookSpec): Problem[] {
  if (event === undefined || Object(matcher).events === undefined) return [];
  return [PROBLEMS.bothEvents({ name }, { path: ["matcher", "events"] })];
}

/** Variables that are set for a hook and never reach it. */
function withheld({ name, env }: HookSpec): Problem[] {
  return Object.keys(Object(env))
    .filter(isHijack)
    .map((variable) => PROBLEMS.withheldVariable({ name, variable }, { path: ["env", variable] }));
}

function labelled(name: unknown): string {
  return typeof name === "string" ? `hook "${name}"` : "a hook";
}

const ABOUT_THE_KEY = new Set([
  "hook/unknown-key",
  "hook/unknown-member-key",
  "hook/unknown-condition",
  "hook/other-kind",
  "hook/said-twice",
  "hook/missing",
  "hook/no-event",
  "config/withheld-variable",
  "config/both-events",
]);

const PROBLEMS = problems("config", {
  bothEvents: ({ name }: { name: unknown }) => ({
    what: `${labelled(name)} has an \`event\`, and the \`events\` of its matcher do nothing beside it.`,
    fix: "Keep one of them.",
  }),
  withheldVariable: ({ name, variable }: { name: unknown; variable: string }) => ({
    what: `${labelled(name)} sets ${variable}, which changes how programs load and never reaches a hook.`,
    fix: "Remove it, or set it inside the command.",
  }),
  unusable: ({ why }: { why: string }) => ({
    what: `This hook cannot be used: ${why}.`,
    fix: "Change or remove it.",
  }),
});
