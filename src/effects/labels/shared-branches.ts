import { oncePerObject } from "../../event/once.ts";
import type { CallEffects, CallPlace } from "../effect.ts";
import { argsOf, type Run } from "./effect-index.ts";

/** Whether several people mostly work from a branch, by its name. */
export function isSharedBranch(name: string): boolean {
  return SHARED.test(name.replace(/^refs\/heads\//, ""));
}

/** The branches that a push names, and whether one of them is shared; the branch of the repository if it names none. */
export function pushedBranches(
  run: Run,
  act: CallEffects,
): { readonly names: readonly string[]; readonly isShared: boolean } {
  const args = argsOf(run, act);
  const operands = args.slice(args.findIndex((arg) => PUSHES.test(arg)) + 1).filter((arg) => !arg.startsWith("-"));
  const named = operands.slice(1).map((spec) => spec.replace(/^\+/, "").replace(/^.*:/, ""));
  const names = named.map((name) => (name === "HEAD" ? (currentBranch(act) ?? name) : name));
  const current = names.length === 0 ? currentBranch(act) : undefined;
  const all = current === undefined ? names : [current];
  return { names: all, isShared: all.some(isSharedBranch) };
}

/** The branch that is checked out in the project; undefined if the disk cannot answer. */
export function currentBranch({ place }: Pick<CallEffects, "place">): string | undefined {
  return branchOf(place);
}

/** A line with many pushes reads it once. */
const branchOf = oncePerObject(({ root, textAt }: CallPlace): string | undefined => {
  const head = textAt?.(root === undefined ? ".git/HEAD" : `${root}/.git/HEAD`);
  return /^ref: refs\/heads\/(.+)\n?$/.exec(head ?? "")?.[1];
});

const PUSHES = /^(?:push|send-pack|http-push)$/;
const SHARED =
  /^(?:main|master|trunk|dev|devel|develop|development|default|stable|staging|stage|prod|production|live|next|canary|integration|gh-pages|(?:release|releases|hotfix|support)(?:[/-].*)?|v?\d+(?:[.-](?:\d+|x))*|.*-stable)$/;
