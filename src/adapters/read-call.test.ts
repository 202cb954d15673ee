import { expect, it } from "vitest";
import { readCall } from "./read-call.ts";

it.each(["\u0000\u001b[2J", "[1,\u0007", "{\n\u202e"])(
  "of a payload that is no JSON nothing is shown that could write over a terminal: %j",
  (text) => {
    const read = readCall({ text, agent: "claude-code" });
    expect(read).toMatchObject({ kind: "nothing", why: expect.stringContaining("is no JSON") });
    expect(read).toMatchObject({ why: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u) });
  },
);
