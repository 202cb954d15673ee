import { expect, it } from "vitest";
import { reasonsText } from "./decision.ts";

const [one, other, quiet] = [
  { hook: "one", action: "deny" },
  { hook: "other", action: "deny" },
  { hook: "quiet", action: "continue" },
] as const;

function saying(hook: string, reason: string) {
  return { hook, action: "deny", reason } as const;
}

it.each([
  ["the reasons that were given", "deny", ["no", "never"], [one, other], "- no\n- never"],
  [
    "the hooks that gave them",
    "deny",
    ["no", "never"],
    [saying("one", "no"), saying("other", "never")],
    "- one: no\n- other: never",
  ],
  ["the same reason once", "deny", ["no"], [saying("one", "no"), saying("other", "no")], "no"],
  ["the hook that gave none", "deny", [], [one, quiet], 'hook "one" gives no reason'],
  ["all hooks that gave none", "deny", [" "], [one, other], 'hooks "one", "other" give no reason'],
  ["nothing where no hook objects", "continue", [], [quiet], ""],
] as const)("a verdict names %s", (_, action, reasons, results, text) => {
  expect(reasonsText(action, reasons, results)).toBe(text);
});
