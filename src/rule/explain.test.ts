import { expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { readDsl, rulesIn } from "./dsl.ts";
import { explainRules, explanationText } from "./explain.ts";
import { prepareTools } from "./tools.ts";

async function explained(text: string, args: unknown) {
  const rules = rulesIn(readDsl(text).lines).map(({ rule }) => rule);
  return explainRules(rules, HookEvent.toolPreExecute("bash", args), await prepareTools(rules));
}

test("an explanation of what a call does names the paths, programs and hosts that were looked at", async () => {
  const text =
    'call network "*" and not call only_network ["*.example.org"] -> deny("elsewhere")\ncall writes "src/**" -> ask()';
  const args = { command: "curl https://evil.example.com/x https://a.example.org/y && echo x > src/a.ts" };
  const [first = "", second = ""] = explanationText(await explained(text, args)).split("rule 2");
  expect(first).toMatch(/no {2}call only_network .*\n +fits: "a\.example\.org"\n +does not fit: "evil\.example\.com"/);
  expect(second).toMatch(/yes call writes "src\/\*\*"\n +fits: "src\/a\.ts"/);
});

test("an explanation says which part of which rule held on which value", async () => {
  const text = [
    'args.command matches "^sudo" -> ask()',
    'tool in ["bash", "sh"] and (args.n gt 5 or not args.command contains "rm") -> deny("no")',
    'args.edits.*.path ends_with ".env" -> deny()',
  ].join("\n");
  const args = { command: "ls -l", edits: [{ path: "a.ts" }, { path: ".env" }] };
  expect(explanationText(await explained(text, args))).toBe(`\
rule 1 does not match
  args.command matches "^sudo" -> ask()
    no  args.command matches "^sudo"
          args.command is "ls -l"
rule 2 matches and decides
  tool in ["bash", "sh"] and (args.n gt 5 or not args.command contains "rm") -> deny("no")
    yes all of
      yes tool in ["bash", "sh"]
            tool is "bash"
      yes any of
        no  args.n gt 5
              args.n is missing
        yes not
          no  args.command contains "rm"
                args.command is "ls -l"
rule 3 would match, too late
  args.edits.*.path ends_with ".env" -> deny()
    yes args.edits.*.path ends_with ".env"
          args.edits.*.path is ".env"  (this one)
          args.edits.*.path is "a.ts"
`);
});

test("a program reads the same as a tree", async () => {
  expect(await explained('args.a equals "x" -> deny()', { a: ["x", "y"] })).toMatchObject([
    {
      text: 'args.a equals "x" -> deny()',
      matched: true,
      decides: true,
      condition: { kind: "compare", field: "args.a", held: true, values: [{ value: ["x", "y"], fits: true }] },
    },
  ]);
});

test("behind not_ the values that stood in the way are the ones that fit", async () => {
  expect(await explained('args.*.p not_equals "x" -> deny()', { a: { p: "x" }, b: { p: "y" } })).toMatchObject([
    {
      matched: false,
      condition: {
        values: [
          { value: "x", fits: true },
          { value: "y", fits: false },
        ],
      },
    },
  ]);
});

test("without a match it says so", async () => {
  expect(explanationText(await explained("args.a exists -> deny()", {}))).toMatch(/\nno rule matches: continue\n$/);
  expect(explanationText([])).toBe("no rules\n");
});

test("long, many and strange values are shown short and harmless", async () => {
  const circle: Record<string, unknown> = { text: `\u001b[2J${"x".repeat(1000)}` };
  circle.self = circle;
  const args = { circle, list: Array.from({ length: 50 }, (_, index) => ({ n: index })) };
  const text = explanationText(await explained("args.circle exists -> deny()\nargs.list.*.n gt 48 -> deny()", args));
  expect(text).not.toContain("\u001b");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(200);
  expect(text).toContain("args.list.*.n is 49  (this one)");
  expect(text).toContain("and 45 more");
});
