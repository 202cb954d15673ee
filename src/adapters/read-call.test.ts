import { expect, it } from "vitest";
import { readCall } from "./read-call.ts";

it.each(["\u0000\u001b[2J", "[1,\u0007", "{\n\u202e"])(
  "of a payload that is no JSON nothing is shown that could write over a terminal: %j",
  (text) => {
    const read = readCall({ text, agent: "claude-code" });
    expect(read).toMatchObject({ kind: "nothing", why: expect.stringContaining("is not JSON") });
    expect(read).toMatchObject({ why: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u) });
  },
);

it("a payload of too many values is not parsed, and does not pass", () => {
  const input = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at]));
  const text = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "x", tool_input: input });
  expect(readCall({ text, agent: "claude-code" })).toMatchObject({
    kind: "nothing",
    why: expect.stringContaining("more than 25000 values"),
  });
  const long = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "x", tool_input: { a: ",".repeat(1e6) } });
  expect(readCall({ text: long, agent: "claude-code" })).toMatchObject({ kind: "event" });
});

it.each([
  [
    "a gate",
    '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x","command":"ls"}}',
    "unreadable",
  ],
  [
    "a gate, escaped",
    '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_\\u006eame":"Read","tool_input":{}}',
    "unreadable",
  ],
  [
    "what may be none",
    '{"hook_event_name":"PreToolUse","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}',
    "nothing",
  ],
])("a payload that says a key twice does not pass: %s", (_, text, kind) => {
  expect(readCall({ text, agent: "claude-code" })).toMatchObject({ kind, why: expect.stringContaining("twice") });
});
