import * as v from "valibot";
import { EXPECTATIONS, exampleShape } from "../hook/example.ts";
import type { Hook } from "../hook/hook.ts";
import { choicesOf, gotInWords, stepInWords, wantedInWords } from "../hook/schema-words.ts";
import { didYouMean } from "../problem/nearest.ts";
import { Problem, problems } from "../problem/problem.ts";
import { isHijack } from "../runners/command-environment.ts";
import { type ExampleListener, eventOf, eventOfText } from "./example-event.ts";
import type { HookExample } from "./verdict.ts";

/** Examples that can be tried, and what keeps others from it. */
export interface ReadExamples {
  readonly examples: readonly HookExample[];
  readonly problems: readonly Problem[];
}

/** Reads the examples of a hook, in either form. */
export function readExamples(hook: Hook): ReadExamples {
  if (hook.examples === undefined) return { examples: [], problems: [] };
  return readExampleList(hook.examples, { listener: hook, owner: `hook "${hook.name}"`, path: ["examples"], keys: [] });
}

/** The hook of the examples, and additional keys that they may have. */
export interface ExampleOwner {
  readonly listener: ExampleListener;
  /** What a message calls it. */
  readonly owner: string;
  readonly path: HookExample["path"];
  /** Keys that only examples of this owner have. */
  readonly keys: readonly string[];
}

/** Reads examples: a list of whole ones, or `{ deny: […], allow: […] }`. */
export function readExampleList(value: unknown, owner: ExampleOwner): ReadExamples {
  const written = Array.isArray(value) ? value.map((entry, index) => ({ entry, path: [index] })) : byExpectation(value);
  const read = written.map(({ entry, path, expect }: Written) => {
    try {
      return { example: readOne(expect === undefined ? entry : whole(entry, expect), path, owner) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const where = [...owner.path, ...path, ...(error.path ?? [])];
      const label = `example ${path.map((key) => (typeof key === "number" ? key + 1 : key)).join(" ")}`;
      return { problem: told(error, `${label} of ${owner.owner}`, where) };
    }
  });
  return {
    examples: read.flatMap(({ example }) => (example === undefined ? [] : [example])),
    problems: [
      ...strangeExpectations(value, owner),
      ...read.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    ],
  };
}

interface Written {
  readonly entry: unknown;
  readonly path: HookExample["path"];
  readonly expect?: string;
}

function byExpectation(value: unknown): Written[] {
  return EXPECTATIONS.flatMap((expect) => {
    const list = (Object(value) as Record<string, unknown>)[expect];
    if (list === undefined || list === null) return [];
    return [list].flat().map((entry: unknown, index) => ({ entry, path: [expect, index], expect }));
  });
}

function strangeExpectations(value: unknown, { owner, path }: ExampleOwner): Problem[] {
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return [told(PROBLEMS.noExamples({}), owner, path)];
  const strange = Object.keys(value).filter((key) => !EXPECTATIONS.some((known) => known === key));
  return strange.map((key) => told(PROBLEMS.unknownExpectation({ key }), `the examples of ${owner}`, [...path, key]));
}

/** The command of arguments that are nothing but a command. */
function bareCommand(args: unknown): unknown {
  const { command, ...rest } = Object(args) as Readonly<Record<string, unknown>>;
  return Object.keys(rest).length === 0 ? command : undefined;
}

/** The short form as a whole example: a text, the arguments of a tool, or an example that leaves `expect` out. */
function whole(entry: unknown, expect: string): unknown {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return { text: entry, expect };
  return WHOLE.some((key) => Object.hasOwn(entry, key)) ? { ...entry, expect } : { ...withArgs(entry), expect };
}

/** Arguments, or a tool with its arguments beside it: `{ tool: Bash, command: ls }`. */
function withArgs(entry: object): object {
  if (!("tool" in entry) || typeof entry.tool !== "string") return { args: entry };
  const { tool, name, ...args } = entry as Readonly<Record<string, unknown>>;
  return { tool, ...(typeof name === "string" && { name }), args };
}

function readOne(entry: unknown, path: HookExample["path"], { listener, keys }: ExampleOwner): HookExample {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) throw PROBLEMS.noObject({});
  if ("text" in entry && typeof entry.text !== "string") throw PROBLEMS.noCall({ got: entry.text });
  const { text, ...given } = bySnake(entry);
  const own = [...KEYS, ...keys];
  const strange = Object.keys(given).find((key) => !own.includes(key));
  if (strange !== undefined) throw PROBLEMS.unknownKey({ key: strange, own }, { path: [strange] });
  if (given.expect === undefined) throw PROBLEMS.noExpect({});
  const { output, issues } = v.safeParse(exampleShape(), given);
  if (issues?.[0] !== undefined) throw wrongValue(issues[0]);
  const loader = Object.keys(Object(given.env)).find(isHijack);
  if (loader !== undefined) throw PROBLEMS.withheldVariable({ variable: loader }, { path: ["env", loader] });
  const example = output as v.InferOutput<ReturnType<typeof exampleShape>>;
  const { expect, reason, input } = example;
  const args = example.args ?? example.tool_args;
  const event = typeof text === "string" ? eventOfText(text, listener) : eventOf({ ...example, args }, listener);
  const bare = example.tool === undefined ? (text ?? bareCommand(args)) : undefined;
  return {
    ...(typeof bare === "string" && Object.hasOwn(Object(event.data), "tool_args") ? { command: bare } : {}),
    name: example.name ?? `${expect} ${brief(text ?? Object(args).command ?? args ?? example.prompt ?? event.type)}`,
    event,
    expect: expect === "allow" || expect === "warn" ? "continue" : expect,
    isWarning: expect === "warn",
    reason,
    input,
    path,
    hooks: [given.hooks ?? []].flat().map(String),
    env: Object.fromEntries(Object.entries(Object(given.env)).map(([name, value]) => [name, String(value)])),
    cwd: typeof given.cwd === "string" ? given.cwd : undefined,
  };
}

/** Keys in either spelling. */
function bySnake(entry: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key === "toolArgs" ? "tool_args" : key, value ?? undefined]),
  );
}

function wrongValue(issue: v.BaseIssue<unknown>): Problem {
  const path = (issue.path ?? []).map((item) => item.key as string | number);
  const suggestion = typeof issue.input === "string" ? didYouMean(issue.input, choicesOf(issue)) : "";
  const fix = suggestion || stepInWords(issue, String(path.at(-1)));
  const wording = { key: path.join("."), got: gotInWords(issue), wanted: wantedInWords(issue), fix };
  return PROBLEMS.wrongValue(wording, { path });
}

function told({ code, message, fix }: Problem, owner: string, path: HookExample["path"]): Problem {
  return new Problem(code, { what: `${owner}: ${message}`, ...(fix === undefined ? {} : { fix }) }, { path });
}

function brief(value: unknown): string {
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).replaceAll(/\s+/g, " ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

const KEYS = Object.keys(exampleShape().entries);
/** An object with one of these is an example; any other is the arguments of a tool, which may be named beside them. */
const WHOLE = ["args", "tool_args", "toolArgs", "event"];

const PROBLEMS = problems("examples", {
  noExamples: (_: object) => ({
    what: "`examples` is neither a list nor an object.",
    fix: 'Write { deny: ["rm -rf /"], allow: ["ls"] }, for example.',
  }),
  unknownExpectation: ({ key }: { key: string }) => ({
    what: `\`${key}\` is not a decision.`,
    fix: didYouMean(key, EXPECTATIONS) || `There are ${EXPECTATIONS.join(", ")}.`,
  }),
  noObject: (_: object) => ({
    what: "it is not an object.",
    fix: "Write { args: { command: ls }, expect: continue }, for example.",
  }),
  noCall: ({ got }: { got: unknown }) => ({
    what: `${JSON.stringify(got)} is neither a string nor the arguments of a tool.`,
    fix: "Put it in quotes.",
  }),
  noExpect: (_: object) => ({
    what: "it does not have `expect`.",
    fix: `Add it; it may be ${EXPECTATIONS.join(", ")}.`,
  }),
  wrongValue: ({ key, got, wanted, fix }: Record<"key" | "got" | "wanted" | "fix", string>) => ({
    what: `\`${key}\` is ${got}; it has to be ${wanted}.`,
    fix,
  }),
  withheldVariable: ({ variable }: { variable: string }) => ({
    what: `it sets ${variable}, which changes how programs load and never reaches a hook.`,
    fix: "Remove it.",
  }),
  unknownKey: ({ key, own }: { key: string; own: readonly string[] }) => ({
    what: `it has a key \`${key}\`, which no example has.`,
    fix: didYouMean(key, own) || `An example has ${own.join(", ")}.`,
  }),
});
