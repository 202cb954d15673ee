import { expect, it } from "vitest";
import { failedReply, replyOf } from "./http-listener.ts";

const DENIAL = '{"hookSpecificOutput":{"permissionDecision":"deny"}}\n';

it.each([
  ["what is printed is the body, byte for byte", { stdout: DENIAL, stderr: "no", exitCode: 0 }, DENIAL],
  ["nothing printed is an empty body", { stdout: "", stderr: "", exitCode: 0 }, ""],
  [
    "an exit code that blocks becomes JSON that blocks, with the same words",
    { stdout: "", stderr: "not now\n", exitCode: 2 },
    '{"decision":"block","reason":"not now"}\n',
  ],
  [
    "what was printed besides stays",
    { stdout: '{"systemMessage":"hello"}\n', stderr: "not now\n", exitCode: 2 },
    '{"systemMessage":"hello","decision":"block","reason":"not now"}\n',
  ],
  [
    "an exit code without words blocks too",
    { stdout: "half {", stderr: "", exitCode: 70 },
    '{"decision":"block","reason":"Sluice ended with exit code 70"}\n',
  ],
])("%s", (_, printed, body) => {
  expect(replyOf(printed)).toEqual({ status: 200, body });
});

it("what could not be decided is a failure of the hook, not an answer", () => {
  expect(failedReply("node is gone").status).toBe(503);
});
