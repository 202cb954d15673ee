import { join } from "node:path";
import { EVENT_NAMES, eventSpec } from "../event/catalogue.ts";
import { canonicalJson } from "../event/json.ts";
import type { Hook, Layer } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { type ConfigDocument, parseDocument } from "./document.ts";
import { readEntry } from "./entry.ts";
import { fillParameters, withoutDefaultExamples } from "./fill-parameters.ts";
import { findHookList, type HookList } from "./hook-list.ts";
import { PACK_FILE } from "./pack-lock.ts";
import { type PackParameter, type ParameterValue, parameterValues, readParameters } from "./pack-parameters.ts";
import type { FileShape } from "./shape.ts";
import { type ConfigTree, member } from "./tree.ts";

/** A pack as it is on the disk or in an archive, and how it is used. */
export interface PackSource {
  readonly name: string;
  readonly version: string;
  /** The folder of its files, which need not exist yet. */
  readonly folder: string;
  /** The text of its file of hooks. */
  readonly text: string;
  /** The paths of its files. */
  readonly files: ReadonlySet<string>;
  readonly layer: Layer;
  /** The values of its parameters, as a configuration gives them. */
  readonly given?: unknown;
  /** Where a configuration uses it, and gives the values. */
  readonly usedAt?: Place | undefined;
}

/** The content of a pack. */
export interface PackContent {
  readonly shape: FileShape;
  /** Its hooks, under their whole names. */
  readonly hooks: readonly Hook[];
  /** The events that it guards, as patterns. */
  readonly gates: readonly string[];
  readonly parameters: ReadonlyMap<string, PackParameter>;
  readonly values: ReadonlyMap<string, ParameterValue>;
  /** Why it cannot be used. One problem is enough: a pack is used whole or not at all. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Reads the content of a pack. It can only tighten: it has hooks and parameters, no settings and no other files, its rules deny,
 * ask and warn, and what it runs is in the pack.
 */
export function packContent(source: PackSource): PackContent | Problem {
  const { name, version, folder, text, layer } = source;
  const read = parseDocument(join(folder, PACK_FILE), text);
  if (read.state !== "read") return read.problem;
  const { document } = read;
  const { parameters, problems: undeclared } = readParameters(member(document.tree, "parameters")?.value);
  const { values, problems: ungiven } = parameterValues(parameters, source.given);
  const found = findHookList(document);
  if (found.corrupt !== undefined) return found.corrupt;
  const start = document.place(document.tree.at);
  const problemsFound = [
    ...undeclared.map((problem) => problem.at(start)),
    ...ungiven.map((problem) => problem.at(source.usedAt ?? start)),
  ];
  problemsFound.push(...keyProblems(document, found));
  const isSet = [...values].some(
    ([word, value]) => canonicalJson(parameters.get(word)?.default) !== canonicalJson(value),
  );
  const entries = found.entries.map((entry) => {
    const filled = fillParameters(isSet ? withoutDefaultExamples(entry.tree) : entry.tree, values);
    problemsFound.push(...filled.problems.map(({ problem, at }) => problem.at(document.place(at))));
    return { ...entry, tree: named(filled.tree, name, entry.index) };
  });
  const around = { cannotApprove: true as const };
  const hooks: Hook[] = [];
  const warnings: Problem[] = [];
  for (const entry of entries) {
    const { hook, errors, warnings: hints } = readEntry(entry, document, layer, around);
    problemsFound.push(...errors);
    warnings.push(...hints);
    if (hook === undefined) continue;
    hooks.push(hook);
    problemsFound.push(...looseProblems(hook, source).map((problem) => problem.at(document.place(entry.tree.at))));
  }
  const list: HookList = { ...found, entries };
  const shape: FileShape = {
    document,
    layer,
    pack: { name, version },
    cannotApprove: true,
    list,
    disabled: [],
    timeout: undefined,
    extends: [],
    statements: [],
    errors: [],
    warnings: [],
  };
  return { shape, hooks, gates: gatesOf(hooks), parameters, values, problems: problemsFound, warnings };
}

/** What a pack may not contain: settings, files of its own, hooks of others. */
function keyProblems({ tree, place }: ConfigDocument, { path }: HookList): Problem[] {
  if (tree.kind !== "map" || path?.length !== 1) return [PROBLEMS.packShape(undefined, { place: place(tree.at) })];
  return tree.members
    .filter(({ key }) => !KEYS.has(key))
    .map(({ key, at }) => PROBLEMS.packKey({ key, keys: [...KEYS] }, { place: place(at) }));
}

/** The entry under its whole name; one without a name gets its position. */
function named(tree: ConfigTree, pack: string, index: number): ConfigTree {
  if (tree.kind !== "map") return tree;
  const own = member(tree, "name");
  const label = own?.value.kind === "scalar" && typeof own.value.value === "string" ? own.value.value : `${index + 1}`;
  const value: ConfigTree = { kind: "scalar", at: own?.value.at ?? tree.at, value: `${pack}/${label}` };
  const others = tree.members.filter(({ key }) => key !== "name");
  return { ...tree, members: [{ key: "name", at: own?.at ?? tree.at, value }, ...others] };
}

/** Rules that let pass or change something, files outside of the pack, and what runs where nothing asks for an approval. */
function looseProblems(hook: Hook, { layer, files }: PackSource): Problem[] {
  const { name } = hook;
  return hook.parts.flatMap((part): Problem[] => {
    if (part.type === "inline") {
      const loose = readHookRules(part).written.find(({ rule }) => !TIGHTENING.has(rule.action));
      return loose === undefined ? [] : [PROBLEMS.packAllows({ name, action: loose.rule.action })];
    }
    const isOwn = layer === "project" || layer === "local";
    const outside = [part.script, part.module].find((path) => path !== undefined && !isPackFile(path, files));
    return [
      ...(isOwn ? [] : [PROBLEMS.packRuns({ name, type: part.type })]),
      ...(outside === undefined ? [] : [PROBLEMS.packLeaves({ name, path: outside })]),
    ];
  });
}

function isPackFile(path: string, files: ReadonlySet<string>): boolean {
  return files.has(path.replace(/^\.\//, ""));
}

/** The patterns of the events at which these hooks can stop a call. */
function gatesOf(hooks: readonly Hook[]): string[] {
  const gates = hooks.filter(({ enabled, async, mode }) => enabled && !async && mode !== "monitor");
  const stops = (hook: Hook) => EVENT_NAMES.some((event) => eventSpec(event).gate && hook.toolsFor(event) !== "never");
  return [...new Set(gates.filter(stops).map(({ eventPattern }) => eventPattern))].sort();
}

/** Whether a hook of a pack, as written, runs anything. */
export function runsAnything(hook: Hook): boolean {
  return hook.parts.some(({ type }) => type !== "inline");
}

/** A hook of `sluice.yaml`, without the name of its pack. */
export function writtenOf(hook: Hook, pack: string): Readonly<Record<string, unknown>> {
  const entries = Object.entries(hook.toJSON()).filter(([key]) => fieldNamed(key) !== "name");
  return { name: hook.name.slice(pack.length + 1), ...Object.fromEntries(entries) };
}

const KEYS: ReadonlySet<string> = new Set(["$schema", "description", "parameters", "hooks"]);
const TIGHTENING: ReadonlySet<string> = new Set(["deny", "ask", "warn"]);

const PROBLEMS = problems("pack", {
  packShape: () => ({
    what: "The file of hooks of this pack does not have a list under `hooks`.",
    fix: "Write `hooks:` and begin each hook with `- `; a pack has neither `definitions` nor `disabled`.",
  }),
  packKey: ({ key, keys }: { key: string; keys: readonly string[] }) => ({
    what: `The pack has a key \`${key}\`. A pack has hooks and parameters, but no settings: it can only tighten.`,
    fix: `Known are ${keys.join(", ")}. Settings belong into the user's own configuration.`,
  }),
  packAllows: ({ name, action }: { name: string; action: string }) => ({
    what: `A rule of "${name}" has the action ${action}. The rules of a pack can only deny, ask and warn.`,
    fix: "Put what the rule lets pass into the condition of the rule that denies: `and not …`.",
  }),
  packLeaves: ({ name, path }: { name: string; path: string }) => ({
    what: `"${name}" runs ${JSON.stringify(path)}, which is not a file of the pack.`,
    fix: "Put the file into the pack, and write its path from the pack's folder.",
  }),
  packRuns: ({ name, type }: { name: string; type: string }) => ({
    what: `"${name}" is a ${type} hook. In your own configuration a pack may bring rules alone: nothing there asks before it runs.`,
    fix: "Use the pack in projects, where `sluice trust` shows what it runs; or copy the hook into your own file.",
  }),
});
