import { compileHookRules } from "../../rule/hook-rules.ts";
import type { Finding, Imported } from "./finding.ts";
import { isFields } from "./foreign-hooks.ts";

/** Sets those apart whose conditions our rules cannot hold: other regular expressions than ours know more. */
export function keepReadable(findings: readonly Finding[]): Promise<readonly Finding[]> {
  return Promise.all(findings.map(async (one) => (one.kind === "left" ? one : readable(one))));
}

async function readable(one: Imported): Promise<Finding> {
  const { when, rules, name } = one.spec;
  const text = isFields(when) ? `${String(when.if)} -> deny()` : rules;
  if (typeof text !== "string") return one;
  const { problems } = await compileHookRules({ inlineRules: undefined, rules: text });
  if (problems[0] === undefined) return one;
  const why = `its condition cannot be written as a rule: ${problems[0].message.replace(/\.$/, "")}`;
  return { kind: "left", what: String(name), file: one.file, why };
}
