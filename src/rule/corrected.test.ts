import { describe, expect, it } from "vitest";
import { readDsl } from "./dsl.ts";

/** The first wrong rule is understood: the message shows the rule that was meant. */

const SAY = '"say why, and what to do instead"';

describe("a rule in another notation", () => {
  it.each([
    ['deny: call runs "yarn"', `call runs "yarn" -> deny(${SAY})`],
    ['deny call runs "yarn"', `call runs "yarn" -> deny(${SAY})`],
    ['deny if call runs "yarn"', `call runs "yarn" -> deny(${SAY})`],
    ['- deny: call runs "yarn"', `call runs "yarn" -> deny(${SAY})`],
    ['deny("use pnpm"): call runs "yarn"', 'call runs "yarn" -> deny("use pnpm")'],
    ['deny "use pnpm" if call runs "yarn"', 'call runs "yarn" -> deny("use pnpm")'],
    ['block: runs "yarn"', `call runs "yarn" -> deny(${SAY})`],
    ['if call runs "yarn" then deny', `call runs "yarn" -> deny(${SAY})`],
    ['if (call runs "yarn") deny("use pnpm")', '(call runs "yarn") -> deny("use pnpm")'],
    ['IF call runs "yarn" THEN deny("use pnpm")', 'call runs "yarn" -> deny("use pnpm")'],
    ['when call runs "yarn": deny', `call runs "yarn" -> deny(${SAY})`],
    ['call runs "yarn" => deny', `call runs "yarn" -> deny(${SAY})`],
    ['call runs "yarn" -> deny', `call runs "yarn" -> deny(${SAY})`],
    ['call runs "yarn" -> deny "use pnpm"', 'call runs "yarn" -> deny("use pnpm")'],
    ['call runs "yarn" -> block("use pnpm")', 'call runs "yarn" -> deny("use pnpm")'],
    ['tool == "Bash" -> deny("x")', 'tool equals "Bash" -> deny("x")'],
    [
      'tool = "Bash" && args.command contains "x" -> deny("y")',
      'tool equals "Bash" and args.command contains "x" -> deny("y")',
    ],
    ['tool != "Bash" || path =~ "x" -> deny("y")', 'tool not_equals "Bash" or path matches "x" -> deny("y")'],
    [
      'tool equals "Bash" AND NOT call runs "git" -> deny("y")',
      'tool equals "Bash" and not call runs "git" -> deny("y")',
    ],
    ['$.tool_input.command contains "x" -> deny("y")', 'args.command contains "x" -> deny("y")'],
    ["$['args']['command'] contains 'x' -> deny('y')", undefined],
    ['.tool_input.command contains "x" -> deny("y")', 'args.command contains "x" -> deny("y")'],
    ['tool_input["command"] contains "x" -> deny("y")', 'args.command contains "x" -> deny("y")'],
    ['args.command.includes("x") -> deny("y")', 'args.command contains "x" -> deny("y")'],
    ['args.command.startsWith("x") -> deny("y")', 'args.command starts_with "x" -> deny("y")'],
    ['call.runs("yarn") -> deny("y")', 'call runs "yarn" -> deny("y")'],
    ['call runs("yarn") -> deny("y")', 'call runs "yarn" -> deny("y")'],
    ['contains(args.command, "x") -> deny("y")', 'args.command contains "x" -> deny("y")'],
    ["call runs yarn -> deny('use pnpm')", 'call runs "yarn" -> deny("use pnpm")'],
    ["deny: call runs yarn", `call runs "yarn" -> deny(${SAY})`],
    ['args.timeout > 5 -> ask("long")', 'args.timeout gt 5 -> ask("long")'],
    ['ask: call pushes "main"', `call pushes "main" -> ask(${SAY})`],
    ['allow: call runs "git status"', 'call runs "git status" -> continue()'],
  ])("%s", (line, meant) => {
    const [problem] = readDsl(line).problems;
    expect(problem?.message).toMatch(/^Rules, line 1, column \d+: /);
    if (meant === undefined) expect(problem?.fix?.length).toBeLessThan(420);
    else expect(problem?.fix).toBe(`Write: ${meant}`);
  });

  it("is not guessed where nothing that can be read comes of it", () => {
    expect(readDsl("nonsense here and there").problems[0]?.fix).not.toMatch(/^Write: /);
    expect(readDsl('args.command contans "x" -> deny("y")').problems[0]?.fix).toBe('Did you mean "contains"?');
  });
});
