import { expect, it } from "vitest";
import { reasonsText } from "./decision.ts";

const [one, other, quiet] = [
  { hook: "one", action: "deny" },
  { hook: "other", action: "deny" },
  { hook: "quiet", action: "continue" },
] as const;

it.each([
  ["the reasons that were given", "deny", ["no", "never"], [one, other], "no; never"],
  ["the hook that gave none", "deny", [], [one, quiet], 'hook "one" gives no reason'],
  ["all hooks that gave none", "deny", [" "], [one, other], 'hooks "one", "other" give no reason'],
  ["nothing where nobody objects", "continue", [], [quiet], ""],
] as const)("a verdict names %s", (_, action, reasons, results, text) => {
  expect(reasonsText(action, reasons, results)).toBe(text);
});
