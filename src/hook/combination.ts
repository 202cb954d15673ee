import type { EventFacts } from "../event/field.ts";
import { anyTool, compilePattern, compileTool, matchesPattern } from "../event/pattern.ts";
import { readSeconds } from "./duration.ts";
import { compileMatcher } from "./matcher.ts";
import type { HookSpec, MatcherSpec } from "./schema.ts";

/** The ways in which hooks make one hook. */
export const WAYS = ["all", "any", "pipe", "retry", "when"] as const;

/** How a hook is made of other hooks. */
export type Combination<Member> =
  | { readonly way: "all" | "any" | "pipe"; readonly members: readonly Member[] }
  | {
      readonly way: "retry";
      readonly member: Member;
      /** How often a failed run is repeated. */
      readonly times: number;
      /** Seconds before each repetition. */
      readonly delay: number;
    }
  | {
      readonly way: "when";
      readonly holds: (event: EventFacts) => boolean;
      /** A condition of the rule language that has to hold besides. */
      readonly rule: string | undefined;
      readonly member: Member;
      readonly otherwise: Member | undefined;
    };

/** The combination that a hook describes; `make` turns what is written for a member into the member. */
export function combinationOf<Member>(
  { all, any, pipe, retry, when }: HookSpec,
  make: (data: object, way: (typeof WAYS)[number]) => Member,
): Combination<Member> | undefined {
  if (all !== undefined) return { way: "all", members: all.map((data) => make(data, "all")) };
  if (any !== undefined) return { way: "any", members: any.map((data) => make(data, "any")) };
  if (pipe !== undefined) return { way: "pipe", members: pipe.map((data) => make(data, "pipe")) };
  if (retry !== undefined) {
    const { of, times, delay } = retry;
    return { way: "retry", member: make(of, "retry"), times, delay: readSeconds(delay) ?? 0 };
  }
  if (when === undefined) return undefined;
  const holds = compileCondition(when as ConditionSpec);
  const otherwise = when.else && make(when.else, "when");
  return { way: "when", holds, rule: when.if, member: make(when.then, "when"), otherwise };
}

/** Everything that a hook is made of, one level down. */
export function membersOf<Member>(combination: Combination<Member>): readonly Member[] {
  switch (combination.way) {
    case "all":
    case "any":
    case "pipe":
      return combination.members;
    case "retry":
      return [combination.member];
    case "when":
      return combination.otherwise === undefined ? [combination.member] : [combination.member, combination.otherwise];
  }
}

/** What has to be true of an event, in the words of a hook; everything that is said has to hold. */
export interface ConditionSpec {
  readonly event?: string | undefined;
  readonly tool?: string | readonly string[] | undefined;
  readonly matcher?: MatcherSpec | undefined;
}

/** Compiles a condition; one without any part always holds. */
function compileCondition({ event, tool, matcher }: ConditionSpec): (event: EventFacts) => boolean {
  const patterns = [event, matcher?.events?.join(",") || undefined]
    .filter((pattern) => pattern !== undefined)
    .map(compilePattern);
  const named = tool === undefined ? undefined : anyTool([tool].flat().map(compileTool));
  const { tool: listed, data } = compileMatcher(matcher ?? {});
  const tools = [named, listed].filter((test) => test !== undefined);
  return (given) =>
    patterns.every((pattern) => matchesPattern(pattern, given.type, given.toolName)) &&
    tools.every(({ holds }) => given.toolName !== undefined && holds(given.toolName)) &&
    (data?.(given) ?? true);
}
