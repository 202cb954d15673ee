import { expect, test } from "vitest";
import { readHookRules } from "./hook-rules.ts";
import { implies } from "./implies.ts";
import type { Condition } from "./rule.ts";

test.each([
  ['args.command contains "a"', 'args.command contains "a"', true],
  ['args.command contains "git push --force"', 'args.command contains "git push"', true],
  ['args.command contains "git push"', 'args.command contains "git push --force"', false],
  ['args.command equals "git push"', 'args.command starts_with "git"', true],
  ['args.command contains "git push"', 'args.command starts_with "git"', false],
  ['args.command ends_with "main"', 'args.command contains "mai"', true],
  ['args.path contains "a"', 'args.command contains "a"', false],
  ['tool equals "x" and args.command contains "a"', 'args.command contains "a"', true],
  ['args.command contains "a"', 'tool equals "x" and args.command contains "a"', false],
  ['args.command contains "a"', 'tool equals "x" or args.command contains "a"', true],
  ['tool equals "x" or args.command contains "a"', 'args.command contains "a"', false],
  ['args.command contains "ab" or args.command contains "ac"', 'args.command contains "a"', true],
  ['not args.command contains "a"', 'not args.command contains "a"', true],
  ['not args.command contains "ab"', 'not args.command contains "a"', false],
  ['args.command matches "git push"', 'args.command matches "git"', false],
])("%s only holds where %s does: %s", (one, other, expected) => {
  expect(implies(conditionOf(one), conditionOf(other))).toBe(expected);
});

function conditionOf(text: string): Condition {
  const [written] = readHookRules({ inlineRules: undefined, rules: `${text} -> deny("no")` }).written;
  if (written === undefined) throw new Error(`not a condition: ${text}`);
  return written.rule.when;
}
