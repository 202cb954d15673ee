import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { editYaml, rewriteYaml } from "../../config/edit-yaml.ts";
import { changeFile } from "../../config/change-file.ts";
import type { ListEdit } from "../../config/list-edit.ts";
import { plain } from "../../config/tree.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { hashOf, type IntentsFile, intentsPath, readIntents, readIntentsText } from "./intents-file.ts";

/** A file of intents that can be worked on. */
export type ReadIntents = Extract<IntentsFile, { state: "read" }>;

/** One change of one list in the file: where the list stands, and what becomes of its entries. */
export interface IntentEdit {
  readonly list: readonly (string | number)[];
  readonly steps: readonly ListEdit[];
}

/**
 * Changes the file and nothing else in it. Nobody who uses the same lock comes between; whoever writes without it is
 * noticed, and the change is made anew on what is there then.
 */
export function changeIntents(root: string, plan: (file: ReadIntents) => IntentEdit): void {
  const path = intentsPath(root);
  changeFile(path, () => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const file = usable(root);
      const text = edited(file, plan(file));
      if (!isStill(file)) continue;
      writeAtomic(path, file.document.mark + text);
      return;
    }
    throw PROBLEMS.changedMeanwhile(undefined, { place: { file: path } });
  });
}

/** The intents as they are; a file that is not there has none yet. */
export function usable(root: string): ReadIntents {
  const file = readIntents(root);
  if (file.state === "corrupt") throw file.problem;
  if (file.state === "read") return file;
  const empty = readIntentsText(file.path, "");
  return empty.state === "read" ? { ...empty, hash: NOT_THERE } : fail(empty.problem);
}

/** The text with the change made, read again before it is believed. */
function edited({ document, path }: ReadIntents, { list, steps }: IntentEdit): string {
  const { text, tree } = document;
  const before = at(plain(tree), list);
  const after = steps.map((step) => outcome(step, Array.isArray(before) ? before : []));
  const wanted = withList(plain(tree), list, after);
  if (text.trim() === "") return stringify(wanted, { lineWidth: 0 });
  const candidates = [
    () => (Array.isArray(before) && before.length > 0 ? editYaml(text, list, steps) : undefined),
    () => rewriteYaml(text, list, after),
  ];
  for (const candidate of candidates) {
    const made = candidate();
    if (made === undefined) continue;
    const again = readIntentsText(path, made);
    if (again.state === "read" && isDeepStrictEqual(plain(again.document.tree), wanted)) return made;
  }
  throw PROBLEMS.notWritten(undefined, { place: { file: path } });
}

function outcome(step: ListEdit, before: readonly unknown[]): unknown {
  switch (step.kind) {
    case "keep":
      return before[step.index];
    case "change":
      return { ...Object(before[step.index]), ...step.set };
    case "add":
      return step.value;
  }
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((holder, key) => (Object(holder) as Record<string, unknown>)[key], value);
}

function withList(value: unknown, [key, ...rest]: readonly (string | number)[], list: readonly unknown[]): unknown {
  if (key === undefined) return list;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withList(item, rest, list) : item));
  const holder = Object(value) as Record<string, unknown>;
  return { ...holder, [key]: withList(holder[key], rest, list) };
}

/** Is the file still the one that was read? */
function isStill({ path, hash }: ReadIntents): boolean {
  try {
    return hashOf(readFileSync(path, "utf8")) === hash;
  } catch {
    return hash === NOT_THERE;
  }
}

function fail(problem: Problem): never {
  throw problem;
}

const MOST_ATTEMPTS = 5;
const NOT_THERE = "none";

const PROBLEMS = problems("intent", {
  changedMeanwhile: () => ({
    what: "Another program keeps changing the file of intents. Nothing was written.",
    fix: "Try again when it is done.",
  }),
  notWritten: () => ({
    what: "The file of intents is written in a way that could not be changed without changing its meaning. Nothing was written.",
    fix: "Change it by hand.",
  }),
});
