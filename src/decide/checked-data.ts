import * as v from "valibot";
import { ErrorEvent, LONGEST } from "../event/data.ts";
import { errorText } from "../event/event.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";

/** Data that fits its schema, defaults filled in; a problem that names the path otherwise. */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  event: string,
  data: object,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, data);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = issue.path?.map(({ key }) => String(key)) ?? [];
  throw PROBLEMS.badData({ event, path, issue }, { path });
}

/** Programs write `checkpointType`, the wire format has `checkpoint_type`; fields that a program adds are read either way. */
export function asWire(data: object | null): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [snake(key), value]));
}

function snake(key: string): string {
  if (!/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(key)) return key;
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Issue = v.BaseIssue<unknown>;

/** What is wrong with a value, by the kind of check it did not pass. */
const FACTS: Readonly<Record<string, (issue: Issue) => string>> = {
  min_length: () => "is empty",
  max_length: ({ requirement, received }) => `has ${received} characters; ${requirement} are the most`,
  integer: ({ received }) => `is ${received}; it has to be a whole number`,
  finite: ({ received }) => `is ${received}; it has to be a number`,
  min_value: ({ requirement, received }) => `is ${received}; it has to be ${requirement} or more`,
  iso_timestamp: ({ received }) => `is ${received}; it has to be a time such as 2026-01-02T03:04:05Z`,
  union: ({ received }) => `is ${received}; it has to be a Date or its ISO text`,
};

function fact(issue: Issue): string {
  if (issue.input === undefined) return "is missing";
  const told = Object.hasOwn(FACTS, issue.type) ? FACTS[issue.type] : undefined;
  return told?.(issue) ?? `is ${issue.received}; it has to be ${wordsIn(issue).join(", ") || issue.expected}`;
}

/** The allowed values, if there is a choice. */
function wordsIn({ expected }: Issue): string[] {
  return [...(expected ?? "").matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
}

/** An error as the data of `session:error`; anything can be thrown, and long texts are cut. */
export function errorData(error: unknown, more: object = {}): ErrorEvent {
  return checked(ErrorEvent, "session:error", {
    ...more,
    error_type: typeOf(error).slice(0, LONGEST.name),
    error_message: errorText(error).slice(0, LONGEST.text),
    stack_trace: error instanceof Error && error.stack ? String(error.stack).slice(0, LONGEST.text) : null,
  });
}

/** The name an error was given, else the name of its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return error === null ? "null" : typeof error;
  return error.name === "Error" ? (error.constructor?.name ?? "Error") : String(error.name);
}

const PROBLEMS = problems("host", {
  badData: ({ event, path, issue }: { event: string; path: readonly string[]; issue: Issue }) => ({
    what: `\`${path.join(".")}\` of ${event} ${fact(issue)}.`,
    fix: didYouMean(String(issue.input), wordsIn(issue)) || "Change what the program passes.",
  }),
});
