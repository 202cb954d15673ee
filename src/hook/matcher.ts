import { compileTouched } from "../effects/call-files.ts";
import { patchesIn } from "../effects/file-tools.ts";
import {
  dataField,
  type EventFacts,
  namedPaths,
  objectOf,
  realRootOfEvent,
  rootOfEvent,
  texts,
} from "../event/field.ts";
import { anyTool, compilePattern, compileTool, matchesPattern, type ToolTest } from "../event/pattern.ts";
import { compileGlob, type Test } from "../pattern/glob.ts";
import { isRooted, normalisePath, relativePath } from "../pattern/path.ts";
import { compilePath } from "../pattern/path-pattern.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { eventProblems } from "./event-problems.ts";
import { MATCHER_KEYS, type MatcherSpec, snake } from "./schema.ts";

/** The conditions of a hook's `matcher` as an object of their own, which tells by itself what it matches. */
export class HookMatcher {
  readonly [condition: string]: unknown;
  declare readonly events?: string[];
  declare readonly tools?: string[];
  declare readonly path_patterns?: string[];
  declare readonly model_patterns?: string[];
  declare readonly command_patterns?: string[];
  declare readonly session_types?: string[];

  constructor(conditions: MatcherSpec) {
    const [unknown] = conditionProblems(conditions, "this matcher");
    if (unknown !== undefined) throw unknown[1];
    const [wrong] = eventProblems({}, { matcher: conditions });
    if (wrong !== undefined) throw wrong;
    Object.assign(this, conditions);
  }

  /** Whether all conditions hold for an event. */
  matches(event: EventFacts): boolean {
    const { type, toolName } = event;
    const { tool, data } = compileMatcher({ ...this });
    if (!matchesPattern(compilePattern(this.events?.join(",") || "*"), type, toolName)) return false;
    if (tool !== undefined && (toolName === undefined || !tool.holds(toolName))) return false;
    return data?.(event) ?? true;
  }
}

/** The keys of a matcher that are not conditions, with the problem of each: a matcher without them would match more. */
export function conditionProblems(conditions: unknown, label: string): [key: string, problem: Problem][] {
  if (typeof conditions !== "object" || conditions === null || Array.isArray(conditions)) return [];
  return Object.keys(conditions)
    .filter((key) => !MATCHER_KEYS.includes(snake(key)))
    .map((key) => [key, PROBLEMS.unknownCondition({ key, label })]);
}

/** A compiled matcher: what depends on the tool's name alone, and what depends on the event's data. */
export interface Matcher {
  readonly tool: ToolTest | undefined;
  readonly data: ((event: EventFacts) => boolean) | undefined;
}

/** Compiles the conditions of a matcher other than `events`; they combine with AND, an empty list matches everything. */
export function compileMatcher(spec: MatcherSpec): Matcher {
  const tools = patterns(spec, "tools").map(compileTool);
  const data = [
    pathCondition(patterns(spec, "path_patterns")),
    condition(globs(spec, "model_patterns"), (event, test) => texts(modelOf(event)).some(test)),
    condition(globs(spec, "command_patterns"), (event, test) => texts(commandOf(event)).some(test)),
    condition(globs(spec, "session_types"), (event, test) => test(sessionType(event))),
  ].filter((holds) => holds !== undefined);
  return {
    tool: tools.length === 0 ? undefined : anyTool(tools),
    data: data.length === 0 ? undefined : (event) => data.every((holds) => holds(event)),
  };
}

/** Every file that an event names, in all its spellings; those of a patch too. */
export function pathsIn(event: EventFacts): string[] {
  const named = namedPaths(event);
  const patched = patchesIn(event).map(({ path }) => normalisePath(path));
  const paths = patched.length === 0 ? named : [...named, ...patched];
  const root = rootOfEvent(event);
  if (root === undefined) return paths;
  const found = new Set<string>();
  const roots = [root, realRootOfEvent(event) ?? root];
  for (const path of paths) for (const spelling of spellingsOf(path, event.cwd ?? root, roots)) found.add(spelling);
  return [...found];
}

/** One file under every name a pattern may know it by: as written, from the disk's root, from the project's folder. */
function spellingsOf(path: string, cwd: string, roots: readonly string[]): string[] {
  const whole = isRooted(path) ? path : normalisePath(`${cwd}/${path}`);
  const seen = roots.map((root) => relativePath(whole, root));
  // Seen from another folder than the project's, what is written would be taken for a path of the project.
  return cwd === roots[0] ? [path, whole, ...seen] : [whole, ...seen];
}

/** The files that an event names, and those that its call touches: by a patch, a redirection or a program. */
function pathCondition(written: readonly string[]): ((event: EventFacts) => boolean) | undefined {
  if (written.length === 0) return undefined;
  const tests = written.map(compilePath);
  const isTouched = compileTouched(written);
  return (event) => pathsIn(event).some((path) => tests.some((test) => test(path))) || isTouched(event);
}

function condition(
  tests: readonly Test[],
  holds: (event: EventFacts, test: Test) => boolean,
): ((event: EventFacts) => boolean) | undefined {
  return tests.length === 0 ? undefined : (event) => tests.some((test) => holds(event, test));
}

function globs(spec: MatcherSpec, key: keyof MatcherSpec & string): Test[] {
  return patterns(spec, key).map((pattern) => compileGlob(pattern));
}

/** A matcher's keys may be written in camelCase as well. */
function patterns(spec: MatcherSpec, key: keyof MatcherSpec & string): readonly string[] {
  const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return ((spec[key] ?? spec[camel]) as readonly string[] | undefined) ?? [];
}

/** The model being switched to, or the model in use. */
function modelOf(event: EventFacts): unknown {
  return event.data.new_model ?? dataField(event, "llm_model");
}

function commandOf(event: EventFacts): unknown {
  return objectOf(dataField(event, "tool_args")).command ?? event.data.command;
}

function sessionType(event: EventFacts): string {
  const type = event.data.session_type;
  return typeof type === "string" ? type : "root";
}

const PROBLEMS = problems("hook", {
  unknownCondition: ({ key, label }: { key: string; label: string }) => ({
    what: `The matcher of ${label} has a key \`${key}\`, which no matcher has.`,
    fix: didYouMean(key, MATCHER_KEYS) || `A matcher knows ${MATCHER_KEYS.join(", ")}.`,
  }),
});
