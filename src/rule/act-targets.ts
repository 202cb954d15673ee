import type { CallEffects, Effect, PathEffect } from "../effects/effect.ts";
import { namedFiles } from "../effects/named-files.ts";
import { GAP, type Word } from "../effects/parse/command.ts";
import type { ChangedBranch } from "../effects/programs/git-branches.ts";
import { asText } from "./compare.ts";

/** A path, a program or a host of a call, and whether it is one of those that are looked for. */
export interface ActTarget {
  readonly target: string;
  readonly fits: boolean;
  /** Why it is a pattern that was compared as text, and not the files that it names. */
  readonly doubt?: string;
}

/** The things of one kind that a call touches, runs or talks to. */
export type Targets<Target> = (act: CallEffects) => readonly Target[];
/** A test on one of them, made from one text of a rule. */
export type Compile<Target> = (text: string) => (target: Target, act: CallEffects) => boolean;
/** What the operators of one kind look at. */
export type ActEffect = PathEffect | Talk | Run | ChangedBranch;

/** Every target with its name, and whether one of the texts fits it. */
export function namedTargets<Target extends ActEffect>(
  targets: Targets<Target>,
  compile: Compile<Target>,
): (wanted: unknown) => (act: CallEffects) => readonly ActTarget[] {
  return (wanted) => {
    const tests = textsIn(wanted).map(compile);
    return (act) =>
      targets(act).flatMap((target) => {
        const { names = [], doubt } = namesIn(target, act);
        const one = (of: Target, name: string): ActTarget => ({
          target: name,
          fits: tests.some((test) => test(of, act)),
        });
        const files = names.map((text) => one({ ...target, path: { text, isKnown: true, isGlob: false } }, text));
        if (names.length > 0 && doubt === undefined) return files;
        return [...files, { ...one(target, nameOf(target)), ...(doubt === undefined ? {} : { doubt }) }];
      });
  };
}

function namesIn(
  target: ActEffect,
  act: CallEffects,
): { readonly names?: readonly string[]; readonly doubt?: string | undefined } {
  if (target.does !== "read" && target.does !== "write" && target.does !== "delete") return {};
  return namedFiles(target, act) ?? {};
}

function nameOf(target: ActEffect): string {
  switch (target.does) {
    case "run":
      return [target.program, target.verb].filter(Boolean).join(" ");
    case "push":
    case "commit":
      return target.branch ?? "a branch that only the run knows";
    case "network":
      return target.host === undefined ? "a host that only the run knows" : shownWord(target.host);
    default:
      return shownWord(target.path);
  }
}

function shownWord({ text }: Word): string {
  return text.replaceAll(GAP, "…");
}

/** The texts that a rule compares with: one or several. */
export function textsIn(wanted: unknown): string[] {
  return (Array.isArray(wanted) ? wanted : [wanted]).map(asText);
}

type Talk = Extract<Effect, { does: "network" }>;
type Run = Extract<Effect, { does: "run" }>;
