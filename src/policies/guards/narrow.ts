import { type CallEffects, type Effect, GAP } from "../../effects/index.ts";
import type { EventFacts } from "../../event/field.ts";
import {
  type Circumstances,
  compileTarget,
  type ExceptionTarget,
  pathsOf,
  seenFrom,
  toolLineOf,
} from "./exceptions.ts";
import { type ActiveGuards, callOf, judged } from "./findings.ts";
import { lineOf, partOf } from "./part.ts";

/** The exception that would let a call pass: one rule, and the part of the call to which it objects. */
export interface NarrowException extends ExceptionTarget {
  readonly rule: string;
}

/**
 * The narrowest exceptions with which no guard objects to a call; `open` lists rules without a possible exception.
 * `ordered` may replace the possible targets by wider ones: the first that applies to the call is taken.
 */
export function narrowestExceptions(
  event: EventFacts,
  act: CallEffects,
  guards: ActiveGuards,
  commandsOf: Circumstances["commandsOf"],
  ordered: (targets: readonly ExceptionTarget[]) => readonly ExceptionTarget[] = (targets) => targets,
): { readonly exceptions: readonly NarrowException[]; readonly open: readonly string[] } {
  const around = { now: Date.now(), commandsOf };
  const exceptions = new Map<string, NarrowException>();
  const open = new Set<string>();
  for (const own of guards.byGuard) {
    const { findings } = judged(own, act, guards.exceptions, around);
    for (const { rule, severity, effects } of findings) {
      if (severity !== "deny" && severity !== "ask") continue;
      for (const effect of effects) {
        const target = ordered(targetsOf(effect, act, event)).find((one) => compileTarget(one)(effect, act, around));
        if (target === undefined) open.add(rule.name);
        else exceptions.set(JSON.stringify([rule.name, target]), { rule: rule.name, ...target });
      }
    }
  }
  return { exceptions: [...exceptions.values()], open: [...open] };
}

/** The possible targets of an exception, the narrowest first: the command itself, the paths, the hosts. */
function targetsOf(effect: Effect, act: CallEffects, event: EventFacts): ExceptionTarget[] {
  const command = act.commands[effect.command ?? -1];
  const { cwd, home, root = cwd } = act.place;
  // A glob is quoted, because in an exception it would match more than the call.
  const exact = command?.args.map((word) => ({ ...word, isGlob: false, isKnown: word.isKnown || word.isGlob })) ?? [];
  const plain = command?.program && lineOf({ folder: "." }, command.program, ...exact);
  const source = command?.args.some(({ isGlob }) => isGlob)
    ? undefined
    : command && partOf([effect], act, callOf(event)).text;
  const ofTool = effect.does === "run" && effect.act?.text ? toolLineOf(effect) : undefined;
  const lines = [plain, source, ofTool].filter((line) => line !== undefined);
  const paths = pathsOf(effect, act.effects).map(({ text }) => seenFrom(text, cwd, root, home));
  const isPlain = (path: string) => !/[*?[\]{}\\]/.test(path) && !path.includes(GAP);
  const hosts = act.effects.flatMap((one) => (one.does === "network" && one.host ? [one.host.text] : []));
  return [
    ...lines.map((line) => ({ command: line })),
    ...paths.filter(isPlain).map((path) => ({ path })),
    ...[...new Set(hosts)].map((host) => ({ host })),
  ];
}
