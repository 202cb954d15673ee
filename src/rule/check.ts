import { effectLabels, isEffectLabel } from "../effects/labels/effect-labels.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { asNumber } from "./compare.ts";
import { operatorNamed, operatorWords } from "./operator-words.ts";
import type { Takes } from "./operators.ts";
import { compileRecent } from "./recent.ts";

/** What is wrong with an operator and its value, if anything, and with which of the two. */
export function comparisonProblem(
  operator: unknown,
  value: unknown,
): { readonly on: "operator" | "value"; readonly problem: Problem } | undefined {
  const named = typeof operator === "string" ? operatorNamed(operator) : undefined;
  if (named === undefined) return { on: "operator", problem: PROBLEMS.unknownOperator({ operator }) };
  const { takes } = named.row;
  if (!FITS[takes](value))
    return { on: "value", problem: PROBLEMS.wrongValue({ operator: String(operator), takes, value }) };
  const stranger = named.name === "effect" ? [value].flat().find((word) => !isEffect(word)) : undefined;
  return stranger === undefined ? undefined : { on: "value", problem: PROBLEMS.noEffect({ word: String(stranger) }) };
}

/** What is wrong with the path of a field, if anything. */
export function fieldProblem(field: unknown): Problem | undefined {
  if (typeof field !== "string" || field === "") return PROBLEMS.noField({ field });
  const [first, ...keys] = field.split(".");
  if (first === "$" && keys.length > 0) return PROBLEMS.jsonPath({ field });
  if (first === "recent" && compileRecent(keys) === undefined) return PROBLEMS.noRecent({ field });
  return field.split(".").includes("") ? PROBLEMS.emptyPart({ field }) : undefined;
}

/** What is wrong with the path of a field that is to be changed, if anything. */
export function targetProblem(field: unknown): Problem | undefined {
  const key = typeof field === "string" ? field.split(".").find((part) => FORBIDDEN.includes(part)) : undefined;
  return key === undefined ? fieldProblem(field) : PROBLEMS.forbiddenKey({ key });
}

function isEffect(word: unknown): boolean {
  return isEffectLabel(String(word));
}

const FITS: Readonly<Record<Takes, (value: unknown) => boolean>> = {
  // `exists: true` says the same twice; `exists: false` would say the opposite of what it does.
  nothing: (value) => value === undefined || value === null || value === true,
  anything: (value) => value !== undefined,
  text: (value) => ["string", "number", "boolean", "bigint"].includes(typeof value),
  texts: (value) => FITS.text(value) || (Array.isArray(value) && value.length > 0 && value.every(FITS.text)),
  list: Array.isArray,
  number: (value) => Number.isFinite(asNumber(value)),
};

const TAKES: Readonly<Record<Takes, readonly [needs: string, fix: string]>> = {
  nothing: ["nothing", "Leave the value out; `not_exists` asks for the opposite."],
  anything: ["a value", "Add the value."],
  text: ["a text", 'Write one in quotes; for several write one rule each, or join them with "or".'],
  texts: ["a text or a list of texts", 'Write "a", or ["a", "b"].'],
  list: ["a list", 'Write ["a", "b"].'],
  number: ["a number", "Write it in digits."],
};

const FORBIDDEN: readonly string[] = ["__proto__", "prototype", "constructor"];

const PROBLEMS = problems("rule", {
  unknownOperator: ({ operator }: { operator: unknown }) => ({
    what: operator === undefined ? "A rule names no operator." : `${said(operator)} is not an operator.`,
    fix: didYouMean(String(operator), operatorWords()) || operatorList(),
  }),
  wrongValue: ({ operator, takes, value }: { operator: string; takes: Takes; value: unknown }) => ({
    what: `\`${operator}\` needs ${TAKES[takes][0]}, and got ${value === undefined ? "nothing" : said(value)}.`,
    fix: TAKES[takes][1],
  }),
  noEffect: ({ word }: { word: string }) => ({
    what: `${said(word)} is not an effect, so the rule would never match.`,
    fix: didYouMean(word, Object.keys(effectLabels())) || `There are ${Object.keys(effectLabels()).join(", ")}.`,
  }),
  noField: ({ field }: { field: unknown }) => ({
    what: field === undefined ? "A rule names no field." : `${said(field)} is not a field.`,
    fix: "Name one such as args.command, tool or path.",
  }),
  noRecent: ({ field }: { field: string }) => ({
    what: `The field ${said(field)} counts nothing.`,
    fix: "Write recent.<event>.<window>, such as recent.tool_error.10m; s, m, h and d are windows, .all and .team (at most 1d) may follow.",
  }),
  jsonPath: ({ field }: { field: string }) => ({
    what: `The field ${said(field)} is written as a JSON path; a rule names a field without its sign.`,
    fix: `Write ${field.replace(/^\$?\./, "").replace(/^tool_input\b/, "args")}.`,
  }),
  emptyPart: ({ field }: { field: string }) => ({
    what: `The field ${said(field)} has a part without a name.`,
    fix: "Put one dot between two names.",
  }),
  forbiddenKey: ({ key }: { key: string }) => ({
    what: `\`${key}\` would reach into every object of the program; no rule may change it.`,
    fix: "Name another field.",
  }),
});

/** The operators for a message; the page has all that can be said about each. */
export function operatorList(): string {
  const names = operatorWords().filter((word) => !/^(?:not|only)_/.test(word));
  return `There are ${names.join(", ")}; each has a \`not_\` form.`;
}

function said(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
