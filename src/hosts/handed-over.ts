import { problems } from "../problem/problem.ts";

/** The name of a tool; a call without one would pass every hook that looks for its tool by name. */
export function toolNamed(name: unknown, call: string): string {
  if (typeof name === "string" && name.trim() !== "") return name;
  throw PROBLEMS.noToolName({ got: inWords(name), call });
}

/** An object with fields, as it was handed over. */
export function fieldsOf<Fields extends object>(given: Fields, what: string, example: string): Fields {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given;
  throw PROBLEMS.noFields({ what, got: inWords(given), example });
}

/** What the caller handed over, in a word or two. */
export function inWords(given: unknown): string {
  if (given === undefined) return "missing";
  if (given === null) return "null";
  if (Array.isArray(given)) return "a list";
  if (typeof given === "string") return given.trim() === "" ? "empty" : "a string";
  return typeof given === "object" ? "an object" : `a ${typeof given}`;
}

const PROBLEMS = problems("host", {
  noToolName: ({ got, call }: { got: string; call: string }) => ({
    what: `A tool was called without its name: it is ${got}, and hooks look for tools by name. The tool did not run.`,
    fix: `Pass a string that is not empty: ${call}.`,
  }),
  noFields: ({ what, got, example }: { what: string; got: string; example: string }) => ({
    what: `${what} is ${got}; it has to be an object.`,
    fix: `Pass one such as ${example}, or leave it out.`,
  }),
});
