import type * as v from "valibot";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { choicesOf, gotInWords, wantedInWords } from "./schema-words.ts";

/** The field that a value was written for. */
interface Field {
  readonly key: string;
  /** What a message calls its hook. */
  readonly label: string;
  /** What to write in place of a value of the wrong kind. */
  readonly instead?: string | undefined;
}

/** A value that does not fit its field, or a part of it, and what to write. */
export function wrongValue(issue: v.BaseIssue<unknown>, { key, label, instead }: Field): Problem {
  const path = [key, ...(issue.path ?? []).map((item) => item.key as string | number)];
  const last = issue.path?.at(-1);
  if (last?.origin === "key") {
    const [holder, missing] = [path.slice(0, -1).join("."), String(last.key)];
    const meant = nearest(missing, Object.keys(Object(last.input)));
    const fix = meant === undefined ? "Add it." : `Rename \`${meant}\` to \`${missing}\`.`;
    return PROBLEMS.wrongValue({ label, fact: `\`${holder}\` has no \`${missing}\``, fix }, { path });
  }
  const fact = `\`${path.join(".")}\` is ${gotInWords(issue)}; it has to be ${wantedInWords(issue)}`;
  const fix = stepFor(issue) || (path.length === 1 && instead) || "Change the value.";
  return PROBLEMS.wrongValue({ label, fact, fix }, { path });
}

/** What to write, where it can be told from what was written. */
function stepFor(issue: v.BaseIssue<unknown>): string {
  const { input, expected } = issue;
  if (typeof input !== "string") return expected === "string" && isPlain(input) ? "Put it in quotes." : "";
  if (expected !== "boolean") return didYouMean(input, choicesOf(issue));
  const word = input.trim().toLowerCase();
  return `Write ${SWITCHES[word] ?? "`true` or `false`"}, without quotes.`;
}

function isPlain(input: unknown): boolean {
  return typeof input === "number" || typeof input === "boolean";
}

/** Words for a switch that other notations know; here they are texts. */
const SWITCHES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["on", "yes", "y", "true", "1"].map((word) => [word, "`true`"])),
  ...Object.fromEntries(["off", "no", "n", "false", "0"].map((word) => [word, "`false`"])),
};

const PROBLEMS = problems("hook", {
  wrongValue: ({ label, fact, fix }: Record<"label" | "fact" | "fix", string>) => ({ what: `${label}: ${fact}.`, fix }),
});
