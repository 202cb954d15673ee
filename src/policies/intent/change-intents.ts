import { changeFile } from "../../config/change-file.ts";
import { append, edit } from "../../config/edit.ts";
import type { ListEdit } from "../../config/hook-list.ts";
import { plain } from "../../config/tree.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { hashOf, type IntentsFile, intentsPath, readIntents, readIntentsText } from "./intents-file.ts";

/** A file of intents that can be worked on. */
export type ReadIntents = Extract<IntentsFile, { state: "read" }>;

/** One change of one list in the file: the place of the list, and its new entries. */
export interface IntentEdit {
  readonly list: readonly (string | number)[];
  readonly steps: readonly ListEdit[];
}

/**
 * Changes this part of the file only. No process that uses the same lock can write meanwhile; a write without the lock is
 * noticed, and the change is made anew on what is there then.
 */
export function changeIntents(root: string, plan: (file: ReadIntents) => IntentEdit): void {
  const path = intentsPath(root);
  changeFile(path, () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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
  const there = list.reduce<unknown>(
    (holder, key) => (Object(holder) as Record<string, unknown>)[key],
    plain(document.tree),
  );
  const added = steps.flatMap((step) => (step.kind === "add" ? [step.value] : []));
  const made = Array.isArray(there) ? edit(document, list, steps) : append(document, list, added);
  if (readIntentsText(path, made).state === "read") return made;
  throw PROBLEMS.notWritten(undefined, { place: { file: path } });
}

/** Is the file still the one that was read? */
function isStill({ path, hash }: ReadIntents): boolean {
  try {
    return hashOf(readRegularText(path)) === hash;
  } catch {
    return hash === NOT_THERE;
  }
}

function fail(problem: Problem): never {
  throw problem;
}

const MAX_ATTEMPTS = 5;
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
