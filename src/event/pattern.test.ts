import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../tests/cases.ts";
import { EVENT_NAMES, EVENTS, type EventName, type EventSpec } from "./catalogue.ts";
import { alternatives, anyTool, compilePattern, compileTool, matchesPattern, unmatchedAlternative } from "./pattern.ts";
import { isOfKind, TOOL_KINDS, type ToolKindName } from "./tool-kinds.ts";

type Row = readonly [pattern: string, event: EventName, tool: string | undefined, matched: boolean];

describe("the examples of the manual", () => {
  const rows: Row[] = [
    ["tool:pre_execute", "tool:pre_execute", undefined, true],
    ["tool:pre_execute", "tool:pre_execute", "bash", true],
    ["tool:pre_execute", "tool:post_execute", "bash", false],
    ["tool:pre_execute", "llm:pre_request", undefined, false],
    ["tool:*", "tool:pre_execute", "bash", true],
    ["tool:*", "tool:post_execute", "bash", true],
    ["tool:*", "tool:error", undefined, true],
    ["tool:*", "llm:pre_request", undefined, false],
    ["tool:*", "session:start", undefined, false],
    ["tool:pre_execute:bash", "tool:pre_execute", "bash", true],
    ["tool:pre_execute:bash", "tool:pre_execute", "read", false],
    ["tool:*:write", "tool:pre_execute", "write", true],
    ["tool:*:write", "tool:post_execute", "write", true],
    ["tool:*:write", "tool:pre_execute", "bash", false],
    ["session:start,session:end", "session:start", undefined, true],
    ["session:start,session:end", "session:end", undefined, true],
    ["session:start,session:end", "session:message", undefined, false],
  ];
  test.each(rows)("%s and %s with %s: %s", check);

  test.each(EVENT_NAMES)("a bare * matches %s, with a tool and without", (name) => {
    check("*", name, undefined, true);
    check(" * ", name, "bash", true);
  });
});

describe("signs stay inside their part", () => {
  const rows: Row[] = [
    ["*:bash", "tool:pre_execute", "bash", false],
    ["*:write", "permission:check", "write", false],
    ["t*", "tool:error", undefined, true],
    ["t*", "session:start", undefined, false],
    ["t*ute", "tool:pre_execute", "bash", false],
    ["*:*", "session:start", undefined, true],
    ["*:*:*", "tool:pre_execute", "bash", true],
    ["*:*:*", "tool:pre_execute", undefined, false],
    ["*:*:bash", "permission:check", "bash", true],
    ["tool:p*_execute", "tool:post_execute", undefined, true],
    ["tool:p*_execute", "tool:error", undefined, false],
    ["tool:pr?_execute", "tool:pre_execute", undefined, true],
    ["tool:pr??execute", "tool:pre_execute", undefined, true],
    ["tool:[pe]*", "tool:error", undefined, true],
    ["tool:[!p]*", "tool:pre_execute", undefined, false],
    ["[st]*:*", "tool:error", undefined, true],
    ["tool:*:[bB]ash", "tool:error", "Bash", true],
    ["tool:*:mcp__*", "tool:pre_execute", "mcp__a__b", true],
    ["tool:*:mcp__*__read", "tool:pre_execute", "mcp__a__write", false],
    ["tool:*:?", "tool:pre_execute", "x", true],
    ["tool:*:?", "tool:pre_execute", ":", false],
  ];
  test.each(rows)("%s and %s with %s: %s", check);
});

describe("one part names a category or an alias", () => {
  const rows: Row[] = [
    ["tool", "tool:pre_execute", "bash", true],
    ["tool", "llm:pre_request", undefined, false],
    ["session", "session:stop", undefined, true],
    ["PreToolUse", "tool:pre_execute", undefined, true],
    ["pre_tool_use", "tool:pre_execute", "bash", true],
    ["PreToolUse", "tool:post_execute", "bash", false],
    ["PostToolUse", "tool:post_execute", "bash", true],
    ["PostToolUse", "tool:error", "bash", true],
    ["post_tool_use", "tool:error", "bash", true],
    ["tool:post_execute", "tool:error", "bash", false],
    ["PostToolUseFailure", "tool:post_execute", "bash", false],
    ["PostToolUseFailure", "tool:error", "bash", true],
    ["Stop", "session:stop", undefined, true],
    ["stop", "subagent:stop", undefined, false],
    ["pretooluse", "tool:pre_execute", undefined, false],
    ["PreToolUse:Bash", "tool:pre_execute", "Bash", true],
    ["PreToolUse:Bash", "tool:pre_execute", "bash", false],
    ["PreToolUse:Bash", "tool:pre_execute", undefined, false],
    ["PostToolUse:write", "tool:error", "write", true],
    ["PreToolUse:*", "tool:pre_execute", undefined, false],
  ];
  test.each(rows)("%s and %s with %s: %s", check);
});

describe("tools compare exactly, or by kind", () => {
  const rows: Row[] = [
    ["tool:pre_execute:bash", "tool:pre_execute", "Bash", false],
    ["tool:pre_execute:bash", "tool:pre_execute", "bash ", false],
    ["tool:pre_execute:@shell", "tool:pre_execute", "bash", true],
    ["tool:pre_execute:@shell", "tool:pre_execute", "run_shell_command", true],
    ["tool:pre_execute:@shell", "tool:pre_execute", "write", false],
    ["tool:pre_execute:@shell", "tool:pre_execute", undefined, false],
    ["PreToolUse:@write,PreToolUse:@shell", "tool:pre_execute", "Bash", true],
    ["*:*:@mcp", "tool:pre_execute", "mcp__a__b", true],
    ["tool:*:@nonsense", "tool:pre_execute", "@nonsense", true],
    ["tool:*:@nonsense", "tool:pre_execute", "bash", false],
    ["tool:pre_execute:server:tool", "tool:pre_execute", "server:tool", true],
    ["tool:pre_execute:server:*", "tool:pre_execute", "server:tool", true],
    ["tool:pre_execute:server*", "tool:pre_execute", "server:tool", false],
    ["tool:pre_execute:*", "tool:pre_execute", "server:tool", true],
    ["PreToolUse:server:tool", "tool:pre_execute", "server:tool", true],
    ["PreToolUse:tool", "tool:pre_execute", "server:tool", false],
  ];
  test.each(rows)("%s and %s with %s: %s", check);
});

describe("blanks are ignored and empty parts match nothing", () => {
  const rows: Row[] = [
    [" session:start , session:end ", "session:end", undefined, true],
    ["tool : pre_execute : bash", "tool:pre_execute", "bash", true],
    ["\ttool:*\n", "tool:error", undefined, true],
    [",,session:start,,", "session:start", undefined, true],
    ["", "session:start", undefined, false],
    [" , ", "session:start", undefined, false],
    [":", "session:start", undefined, false],
    ["tool:", "tool:error", undefined, false],
    [":error", "tool:error", undefined, false],
    ["tool:error:", "tool:error", undefined, false],
    ["tool:error:", "tool:error", "bash", false],
    ["tool:[error", "tool:error", undefined, false],
  ];
  test.each(rows)("%j and %s with %s: %s", check);
});

test("a pattern matches what the plainest reading of it matches", () => {
  const piece = fc.constantFrom("*", "t*", "?ool", "[st]*", "tool", "session", "pre_execute", "*_execute", "start", "");
  const part = fc.oneof(piece, fc.constantFrom("PreToolUse", "PostToolUse", "Stop", "bash", "@shell", "b*", "[!b]*"));
  const blank = fc.constantFrom("", " ");
  const alternative = fc
    .array(fc.tuple(blank, part, blank), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map((pieces) => pieces.join("")).join(":"));
  const pattern = fc.array(alternative, { maxLength: 3 }).map((all) => all.join(","));
  const tool = fc.constantFrom(undefined, "bash", "Bash", "write", "a:b", "");
  fc.assert(
    fc.property(pattern, fc.constantFrom(...EVENT_NAMES), tool, (text, event, name) => {
      expect(matchesPattern(compilePattern(text), event, name)).toBe(plainly(text, event, name));
    }),
    { numRuns: cases(500, 200_000) },
  );
});

test("a hostile pattern on a hostile tool comes to an end", () => {
  const pattern = compilePattern(`tool:*:${"*a".repeat(200)}b,${"t*".repeat(2000)}`);
  expect(matchesPattern(pattern, "tool:pre_execute", "a".repeat(20_000))).toBe(false);
});

test("a list of tools can be counted only where every entry names its tools", () => {
  expect(compileTool("bash").names).toEqual(["bash"]);
  expect(compileTool("b*").names).toBeUndefined();
  expect(compileTool("@shell").names).toEqual(TOOL_KINDS["@shell"].names);
  expect(compileTool("@mcp").names).toBeUndefined();
  expect(anyTool([compileTool("bash"), compileTool("bash"), compileTool("sh")]).names).toEqual(["bash", "sh"]);
  expect(anyTool([compileTool("bash"), compileTool("*")]).names).toBeUndefined();
});

test("an alternative that matches nothing can be pointed at", () => {
  expect(alternatives(" a, b ,,c")).toEqual(["a", "b", "c"]);
  expect(unmatchedAlternative("session:start, tool:pre_exec, PreToolUse")).toBe("tool:pre_exec");
  expect(unmatchedAlternative("*")).toBeUndefined();
});

function check(pattern: string, event: EventName, tool: string | undefined, matched: boolean): void {
  expect(matchesPattern(compilePattern(pattern), event, tool)).toBe(matched);
}

/** The rules of the manual, one after the other, without any index or memory. */
function plainly(pattern: string, event: EventName, tool: string | undefined): boolean {
  return pattern.split(",").some((alternative) => {
    const parts = alternative.split(":").map((part) => part.trim());
    if (alternative.trim() === "") return false;
    if (alternative.trim() === "*") return true;
    const { aliases, alsoMatchedBy = [] }: EventSpec = EVENTS[event];
    const isAlias = EVENT_NAMES.some((name) => (EVENTS[name].aliases as readonly string[]).includes(parts[0] ?? ""));
    const [category = "", hookEvent = ""] = event.split(":");
    const rest = isAlias ? parts.slice(1) : parts.slice(2);
    const named = isAlias
      ? [...aliases, ...alsoMatchedBy].includes(parts[0] ?? "")
      : sign(parts[0] ?? "").test(category) && sign(parts[1] ?? "*").test(hookEvent);
    return named && (rest.length === 0 || (tool !== undefined && toolFits(rest.join(":"), tool)));
  });
}

function toolFits(part: string, tool: string): boolean {
  if (part === "*") return true;
  return Object.hasOwn(TOOL_KINDS, part) ? isOfKind(tool, part as ToolKindName) : sign(part).test(tool);
}

function sign(part: string): RegExp {
  const source = part.replaceAll(/\[!|[*?]/g, (found) => ({ "[!": "[^:", "*": "[^:]*", "?": "[^:]" })[found] ?? "");
  return new RegExp(`^${source}$`);
}
