import { expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { claudeText } from "./command.ts";

const RAW = { hook_event_name: "PreToolUse", tool_input: { command: "old" }, transcript_path: "/t.jsonl" };

it("a script for the agent finds what the agent sent, and the input as it is now", () => {
  const event = HookEvent.toolPreExecute("Bash", { command: "new" }, { raw: RAW, sessionId: "s" });
  expect(JSON.parse(claudeText(event))).toMatchObject({
    type: "tool:pre_execute",
    data: { tool_args: { command: "new" } },
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "new" },
    transcript_path: "/t.jsonl",
    session_id: "s",
  });
});

it("an event that no agent sent has the same names", () => {
  expect(JSON.parse(claudeText(HookEvent.userPromptSubmit("hello")))).toMatchObject({
    hook_event_name: "UserPromptSubmit",
    prompt: "hello",
  });
  expect(JSON.parse(claudeText(HookEvent.toolPostExecute("Bash", {}, "done")))).toMatchObject({
    tool_response: "done",
  });
});
