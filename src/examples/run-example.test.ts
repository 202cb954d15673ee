import { expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { nextStep } from "./run-example.ts";

const shell = (command: string) => HookEvent.toolPreExecute("Bash", { command });

it.each([
  [shell("rm -rf /"), true, "sluice explain 'rm -rf /' --tool Bash"],
  [shell("echo 'a'"), true, "sluice explain 'echo '\\''a'\\''' --tool Bash"],
  [shell("stop"), true, `sluice explain tool:pre_execute --tool Bash --args '{"command":"stop"}'`],
  [shell("rm -rf /"), false, `sluice fire tool:pre_execute --tool Bash --args '{"command":"rm -rf /"}'`],
  [HookEvent.userPromptSubmit("hello"), true, "sluice explain user:prompt_submit --prompt hello"],
  [
    HookEvent.toolError("Bash", { command: "a b" }, "broke"),
    true,
    `sluice explain tool:error --tool Bash --args '{"command":"a b"}' --data '{"error":"broke"}'`,
  ],
])("the next step can be pasted into a shell (%#)", (event, hasRules, line) => {
  expect(nextStep(event, hasRules)).toBe(line);
});
