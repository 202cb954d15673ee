import { type Problem, problems } from "../problem/problem.ts";
import type { Tree } from "./tree.ts";

/** What a reader made of a text: a tree, or the first thing that keeps it from being one. */
export type Parsed =
  | { readonly tree: Tree; readonly fault?: never }
  | { readonly fault: { readonly at: number; readonly problem: Problem }; readonly tree?: never };

/** How many lists and objects may lie inside each other. */
export const DEEPEST = 64;

const PROBLEMS = problems("config", {
  tooDeep: () => ({
    what: `More than ${DEEPEST} lists and objects lie inside each other here. None of the file's hooks are active.`,
    fix: "Flatten it.",
  }),
});

/** The same for every format. */
export const TOO_DEEP = PROBLEMS.tooDeep(undefined);
