import { describe, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import type { AgentHookEvent } from "./adapter.ts";
import { fitDecision } from "./fit.ts";

const event = HookEvent.toolPreExecute("Bash", { command: "rm a" });
const HOOK_EVENT = {
  as: "tool:pre_execute",
  can: ["deny", "ask", "modify", "context"],
} as const satisfies Partial<AgentHookEvent>;

describe("a decision in the agent's reach", () => {
  it("a change that the agent would drop is a denial, with a note", () => {
    const hookEvent = { ...HOOK_EVENT, refuses: () => "it takes no other `command`" };
    expect(fitted({ action: "modify", reasons: ["safer"], input: { command: "ls" } }, hookEvent)).toEqual({
      said: { action: "deny", reason: "safer (it takes no other `command`)", context: "", approved: false },
      notes: ["modify became deny: it takes no other `command`"],
    });
  });

  it("an agent is asked about changes only", () => {
    const hookEvent = { ...HOOK_EVENT, refuses: () => "never" };
    expect(fitted({ action: "ask", reasons: ["sure?"] }, hookEvent).said.action).toBe("ask");
    expect(fitted({}, hookEvent).notes).toEqual([]);
  });

  it.each(["x", "ü", "🚰"])(
    "words of which an agent takes no more than so many bytes are cut, between signs: %s",
    (sign) => {
      const { said, notes } = fitted({ contexts: [sign.repeat(500)] }, { ...HOOK_EVENT, mostWords: 101 });
      expect(Buffer.byteLength(said.context)).toBeLessThanOrEqual(101);
      expect(said.context).toMatch(new RegExp(`^(?:${sign})+\\n\\(cut here: .*\\)$`, "u"));
      expect(notes).toEqual(["Agent takes no more than 101 bytes of words for the model"]);
    },
  );

  it("a denial keeps all of its words", () => {
    const { said } = fitted(
      { action: "deny", reasons: ["no"], contexts: ["x".repeat(500)] },
      { ...HOOK_EVENT, mostWords: 100 },
    );
    expect(said.context).toHaveLength(500);
  });
});

function fitted(saying: object, hookEvent: Parameters<typeof fitDecision>[1]) {
  const toHookDecision = () => ({ allow: true }) as const;
  const silence = { event, action: "continue", reasons: [], contexts: [], approved: false, results: [] } as const;
  return fitDecision({ ...silence, ...saying, toHookDecision }, hookEvent, "Agent");
}
