import { type Problem, problems } from "../problem/problem.ts";
import type { ConfigDocument } from "./document.ts";
import { type ConfigTree, type Flaw, flawsIn, MAX_PROBLEMS, member, type Path, TOO_MANY_PROBLEMS } from "./tree.ts";

/** One entry of the list of hooks, not yet read. */
export interface RawEntry {
  readonly tree: ConfigTree;
  /** Its position in the list. */
  readonly index: number;
  readonly flaws: readonly Flaw[];
}

/** The list of hooks in a file. */
export interface HookList {
  /** The path of keys to it; `undefined` if the file does not have a list. */
  readonly path: Path | undefined;
  readonly entries: readonly RawEntry[];
  /** What makes the whole file unusable. */
  readonly corrupt?: Problem;
}

/** Finds the list at the top, under `hooks`, or under `hooks.definitions`. What is flawed outside of it spoils the file. */
export function findHookList({ tree, place }: ConfigDocument): HookList {
  const found = listIn(tree);
  if ("got" in found) {
    const { key, got, at } = found;
    const problem = key === "" ? PROBLEMS.noConfiguration({ got }) : PROBLEMS.noHooks({ key, got });
    return { path: undefined, entries: [], corrupt: problem.at(place(at)) };
  }
  const { path, items } = found;
  const byEntry = new Map<number, Flaw[]>();
  const flaws = flawsIn(tree);
  for (const flaw of flaws) {
    const index = path === undefined ? undefined : flaw.path[path.length];
    const isInside = path?.every((key, position) => flaw.path[position] === key) && typeof index === "number";
    if (!isInside) return { path, entries: [], corrupt: flaw.problem.at(place(flaw.at)) };
    const known = byEntry.get(index);
    if (known === undefined) byEntry.set(index, [flaw]);
    else known.push(flaw);
  }
  // What follows was not looked at: it may be flawed outside of the list too.
  const last = flaws[MAX_PROBLEMS];
  if (last !== undefined) return { path, entries: [], corrupt: TOO_MANY_PROBLEMS.at(place(last.at)) };
  return { path, entries: items.map((item, index) => ({ tree: item, index, flaws: byEntry.get(index) ?? [] })) };
}

type Found =
  | { readonly path: Path | undefined; readonly items: readonly ConfigTree[] }
  | { readonly key: string; readonly got: string; readonly at: number };

function listIn(tree: ConfigTree): Found {
  if (tree.kind === "list") return { path: [], items: tree.items };
  if (isNothing(tree)) return NO_LIST;
  if (tree.kind !== "map") return { key: "", got: nameOf(tree), at: tree.at };
  const hooks = member(tree, "hooks")?.value;
  if (hooks === undefined || isNothing(hooks)) return NO_LIST;
  if (hooks.kind === "list") return { path: ["hooks"], items: hooks.items };
  if (hooks.kind !== "map") return { key: "hooks", got: nameOf(hooks), at: hooks.at };
  const definitions = member(hooks, "definitions")?.value;
  if (definitions === undefined || isNothing(definitions)) return NO_LIST;
  if (definitions.kind === "list") return { path: ["hooks", "definitions"], items: definitions.items };
  return { key: "hooks.definitions", got: nameOf(definitions), at: definitions.at };
}

function isNothing(tree: ConfigTree): boolean {
  return tree.kind === "scalar" && tree.value === null;
}

/** The kind of a value. The value itself may be a line of any file, so no message quotes it. */
function nameOf(tree: ConfigTree): string {
  return tree.kind === "scalar" ? `a ${typeof tree.value}` : "an object";
}

/** One hook as plain data. */
export type HookData = Readonly<Record<string, unknown>>;

/** What becomes of the list of hooks, entry by entry, in its new order; entries that no step names go. */
export type ListEdit =
  | { readonly kind: "keep"; readonly index: number }
  | { readonly kind: "change"; readonly index: number; readonly set: HookData; readonly remove: readonly string[] }
  | { readonly kind: "add"; readonly value: unknown };

/** How texts of one format are changed; undefined if a change cannot be made in place. */
export interface TextEditor {
  withKey(text: string, holder: Path, key: string, value: unknown): string | undefined;
  withoutKey(text: string, holder: Path, key: string): string | undefined;
  withItems(text: string, list: Path, values: readonly unknown[]): string | undefined;
  withoutItem(text: string, list: Path, index: number): string | undefined;
  /** Puts a list together from the texts of its entries and from new ones. */
  withOrder(text: string, list: Path, steps: readonly ListEdit[]): string | undefined;
  /** Sets a value anew, whatever becomes of the lines around it. */
  rewritten(text: string, path: Path, value: unknown): string | undefined;
}

const NO_LIST = { path: undefined, items: [] };

const PROBLEMS = problems("config", {
  noConfiguration: ({ got }: { got: string }) => ({
    what: `This file contains ${got}; it has to contain an object with \`hooks\`, or a list of hooks.`,
    fix: 'Begin it with `hooks:`, or `{ "hooks": [] }` in JSON.',
  }),
  noHooks: ({ key, got }: { key: string; got: string }) => ({
    what: `\`${key}\` is ${got}; it has to be a list of hooks. None of the file's hooks are active.`,
    fix: "Begin each hook with `- `, or put the list in square brackets.",
  }),
});
