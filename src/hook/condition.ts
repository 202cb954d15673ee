import type { EventFacts } from "../event/field.ts";
import { anyTool, compilePattern, compileTool, hears } from "../event/pattern.ts";
import { compileMatcher } from "./matcher.ts";
import type { MatcherSpec } from "./schema.ts";

/** What has to be true of an event, in the words of a hook; everything that is said has to hold. */
export interface ConditionSpec {
  readonly event?: string | undefined;
  readonly tool?: string | readonly string[] | undefined;
  readonly matcher?: MatcherSpec | undefined;
}

/** Compiles a condition; one that says nothing always holds. */
export function compileCondition({ event, tool, matcher }: ConditionSpec): (event: EventFacts) => boolean {
  const patterns = [event, matcher?.events?.join(",") || undefined]
    .filter((pattern) => pattern !== undefined)
    .map(compilePattern);
  const named = tool === undefined ? undefined : anyTool([tool].flat().map(compileTool));
  const { tool: listed, data } = compileMatcher(matcher ?? {});
  const tools = [named, listed].filter((test) => test !== undefined);
  return (given) =>
    patterns.every((pattern) => hears(pattern, given.type, given.toolName)) &&
    tools.every(({ holds }) => given.toolName !== undefined && holds(given.toolName)) &&
    (data?.(given) ?? true);
}
