import type { Problem } from "../problem/problem.ts";
import { type RuleLine, readDsl } from "./dsl.ts";
import { ruleText } from "./text.ts";

/** Rules in the one way they are written: single blanks, double quotes; comments and empty lines stay. */
export function formatRules(text: string): { readonly text: string } | { readonly problems: readonly Problem[] } {
  const { lines, problems } = readDsl(text);
  if (problems.length > 0) return { problems };
  const formatted = lines.map(lineText).join("\n").trimEnd();
  return { text: formatted === "" ? "" : `${formatted}\n` };
}

function lineText({ rule, comment }: RuleLine): string {
  return [rule && ruleText(rule), comment].filter((part) => part !== undefined).join("  ");
}
