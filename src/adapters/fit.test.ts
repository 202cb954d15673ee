import { describe, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import type { AgentHookEvent } from "./adapter.ts";
import { fitDecision, refusal } from "./fit.ts";

const event = HookEvent.toolPreExecute("Bash", { command: "rm a" });
const HOOK_EVENT = {
  as: "tool:pre_execute",
  can: ["deny", "ask", "modify", "context"],
} as const satisfies Partial<AgentHookEvent>;

describe("a decision in the agent's reach", () => {
  it("a change that the agent would drop is a denial, with a note", () => {
    const hookEvent = { ...HOOK_EVENT, refuses: () => "it takes no other `command`" };
    expect(fitted({ action: "modify", reasons: ["safer"], input: { command: "ls" } }, hookEvent)).toEqual({
      outcome: { action: "deny", reason: "safer (it takes no other `command`)", context: "", approved: false },
      notes: ["modify became deny: it takes no other `command`"],
    });
  });

  it("an agent is asked about changes only", () => {
    const hookEvent = { ...HOOK_EVENT, refuses: () => "never" };
    expect(fitted({ action: "ask", reasons: ["sure?"] }, hookEvent).outcome.action).toBe("ask");
    expect(fitted({}, hookEvent).notes).toEqual([]);
  });

  it.each(["x", "ü", "🚰"])(
    "words of which an agent takes no more than so many bytes are cut, between signs: %s",
    (sign) => {
      const { outcome, notes } = fitted({ contexts: [sign.repeat(500)] }, { ...HOOK_EVENT, maxContext: 101 });
      expect(Buffer.byteLength(outcome.context)).toBeLessThanOrEqual(101);
      expect(outcome.context).toMatch(new RegExp(`^(?:${sign})+\\n\\(cut here: .*\\)$`, "u"));
      expect(notes).toEqual(["Agent accepts at most 101 bytes of text for the model"]);
    },
  );

  it("a denial keeps all of its words", () => {
    const { outcome } = fitted(
      { action: "deny", reasons: ["no"], contexts: ["x".repeat(500)] },
      { ...HOOK_EVENT, maxContext: 100 },
    );
    expect(outcome.context).toHaveLength(500);
  });
});

/** What an agent is told: the row names what it can do, what the hooks said, and what becomes of that. */
interface Row {
  readonly rule: string;
  readonly can: AgentHookEvent["can"];
  readonly as?: AgentHookEvent["as"];
  readonly decision: object;
  readonly outcome: object;
  readonly notes?: readonly string[];
  readonly unstopped?: string;
}

const named = (name: string, action: string, reason?: string) => ({ hook: { name }, action, reason });
const told = (action: string, reason: string, more: object = {}) => ({
  action,
  reason,
  context: "",
  approved: false,
  ...more,
});
const ALL = ["deny", "ask", "modify", "context", "approve", "output", "feedback"] as const;
const without = (...powers: string[]) => ALL.filter((power) => !powers.includes(power));

const ROWS: readonly Row[] = [
  {
    rule: "a denial is told with its reason, and the context beside it",
    can: ALL,
    decision: { action: "deny", reasons: ["no"], contexts: ["one", "two"], approved: true },
    outcome: told("deny", "no", { context: "one\n\ntwo" }),
  },
  {
    rule: "a denial carries no input, no result and nothing kept",
    can: ALL,
    decision: { action: "deny", reasons: ["no"], input: {}, output: "x", kept: { id: "k" } },
    outcome: told("deny", "no"),
  },
  {
    rule: "a denial without words names the hooks that deny, and no other",
    can: ALL,
    decision: { action: "deny", results: [named("a", "deny"), named("b", "continue"), named("c", "deny")] },
    outcome: told("deny", 'hook "a" and "c" says deny'),
  },
  {
    rule: "of very many hooks that deny without words five are named",
    can: ALL,
    decision: { action: "deny", results: Array.from({ length: 900 }, (_, at) => named(`h${at}`, "deny")) },
    outcome: told("deny", 'hook "h0" and "h1" and "h2" and "h3" and "h4" and 895 more says deny'),
  },
  {
    rule: "a denial of no hook has words all the same",
    can: ALL,
    decision: { action: "deny" },
    outcome: told("deny", "a hook says deny"),
  },
  {
    rule: "a denial that the agent cannot carry out is noted at a gate",
    can: without("deny"),
    decision: { action: "deny", reasons: ["no"] },
    outcome: told("deny", "no"),
    notes: ["Agent continues all the same: no hook can stop tool:pre_execute there"],
    unstopped: "Agent continues all the same: no hook can stop tool:pre_execute there",
  },
  {
    rule: "where nothing could be stopped anyway, that is no weakness of the agent",
    can: without("deny"),
    as: "tool:post_execute",
    decision: { action: "deny", reasons: ["no"] },
    outcome: told("deny", "no"),
  },
  {
    rule: "a question that the agent cannot ask is a denial",
    can: without("ask"),
    decision: { action: "ask", reasons: ["sure?"], input: { command: "ls" }, approved: true },
    outcome: told("deny", "needs approval: sure?"),
    notes: ["ask became deny: Agent cannot ask its user at tool:pre_execute"],
  },
  {
    rule: "of several questions the list begins on a line of its own",
    can: without("ask"),
    decision: {
      action: "ask",
      reasons: ["sure?", "really?"],
      results: [named("a", "ask", "sure?"), named("b", "ask", "really?")],
    },
    outcome: told("deny", "needs approval:\n- a: sure?\n- b: really?"),
    notes: ["ask became deny: Agent cannot ask its user at tool:pre_execute"],
  },
  {
    rule: "a question is asked about the changed input, and never approved",
    can: ALL,
    decision: { action: "ask", reasons: ["sure?"], input: { command: "ls" }, kept: { id: "k" }, approved: true },
    outcome: told("ask", "sure?", { input: { command: "ls" }, kept: { id: "k" } }),
  },
  {
    rule: "a question needs no power to change where nothing is changed",
    can: without("modify"),
    decision: { action: "ask", reasons: ["sure?"] },
    outcome: told("ask", "sure?"),
  },
  {
    rule: "a question about a changed input that the agent cannot take is a denial",
    can: without("modify"),
    decision: { action: "ask", reasons: ["sure?"], input: { command: "ls" } },
    outcome: told("deny", "sure? (a hook changes what Agent cannot change here). What a hook wants instead: ls"),
    notes: ["modify became deny: Agent cannot take another input at tool:pre_execute"],
  },
  {
    rule: "a change that the agent cannot take is a denial that names the command",
    can: without("modify"),
    decision: { action: "modify", reasons: ["safer"], input: { command: "ls" } },
    outcome: told("deny", "safer (a hook changes what Agent cannot change here). What a hook wants instead: ls"),
    notes: ["modify became deny: Agent cannot take another input at tool:pre_execute"],
  },
  {
    rule: "a changed prompt is named as it is",
    can: without("modify"),
    decision: { action: "modify", reasons: ["safer"], input: "hello" },
    outcome: told("deny", "safer (a hook changes what Agent cannot change here). What a hook wants instead: hello"),
    notes: ["modify became deny: Agent cannot take another input at tool:pre_execute"],
  },
  {
    rule: "an input without a command is not spelled out",
    can: without("modify"),
    decision: { action: "modify", reasons: ["safer"], input: { path: "a" } },
    outcome: told("deny", "safer (a hook changes what Agent cannot change here)"),
    notes: ["modify became deny: Agent cannot take another input at tool:pre_execute"],
  },
  {
    rule: "a changed input goes to an agent that takes it, with the approval",
    can: ALL,
    decision: { action: "modify", reasons: ["safer"], input: { command: "ls" }, approved: true },
    outcome: told("modify", "safer", { input: { command: "ls" }, approved: true }),
  },
  {
    rule: "a changed result goes to an agent that takes it",
    can: ALL,
    as: "tool:post_execute",
    decision: { action: "modify", reasons: ["redacted"], output: "***" },
    outcome: told("modify", "redacted", { output: "***" }),
  },
  {
    rule: "a changed result needs no power over the input",
    can: without("modify"),
    as: "tool:post_execute",
    decision: { action: "modify", reasons: ["redacted"], output: "***" },
    outcome: told("modify", "redacted", { output: "***" }),
  },
  {
    rule: "a changed result that the agent does not take is left out, and noted",
    can: without("output"),
    as: "tool:post_execute",
    decision: { action: "modify", reasons: ["redacted"], output: "***", kept: { id: "k" } },
    outcome: told("continue", "redacted", { kept: { id: "k" } }),
    notes: ["a hook changed the result; Agent keeps the tool's own at tool:post_execute"],
  },
  {
    rule: "an approval alone is told",
    can: ALL,
    decision: { approved: true },
    outcome: told("continue", "a hook says continue", { approved: true }),
  },
  {
    rule: "an agent that takes no approval gets none",
    can: without("approve"),
    decision: { approved: true },
    outcome: told("continue", "a hook says continue"),
  },
  {
    rule: "objections to what has happened are feedback where the agent knows it, and no context",
    can: ALL,
    as: "tool:post_execute",
    decision: { contexts: ["lint", "types", "noted"], feedback: ["lint", "types"] },
    outcome: told("continue", "a hook says continue", { context: "noted", feedback: "lint\n\ntypes" }),
  },
  {
    rule: "elsewhere they are context",
    can: without("feedback"),
    as: "tool:post_execute",
    decision: { contexts: ["lint", "noted"], feedback: ["lint"] },
    outcome: told("continue", "a hook says continue", { context: "lint\n\nnoted" }),
  },
  {
    rule: "words for the model that the agent does not take are noted",
    can: without("context"),
    decision: { contexts: ["noted"] },
    outcome: told("continue", "a hook says continue", { context: "noted" }),
    notes: ["Agent accepts no message for the model at tool:pre_execute"],
  },
  {
    rule: "a denial takes the words along",
    can: without("context"),
    decision: { action: "deny", reasons: ["no"], contexts: ["noted"] },
    outcome: told("deny", "no", { context: "noted" }),
  },
  {
    rule: "a denial that the agent does not carry out takes no words along",
    can: without("context", "deny"),
    as: "tool:post_execute",
    decision: { action: "deny", reasons: ["no"], contexts: ["noted"] },
    outcome: told("deny", "no", { context: "noted" }),
    notes: ["Agent accepts no message for the model at tool:post_execute"],
  },
  {
    rule: "a question does not take words along that the agent does not take",
    can: without("context"),
    decision: { action: "ask", reasons: ["sure?"], contexts: ["noted"] },
    outcome: told("ask", "sure?", { context: "noted" }),
    notes: ["Agent accepts no message for the model at tool:pre_execute"],
  },
  {
    rule: "a changed input alone is no silence",
    can: ALL,
    decision: { input: { command: "ls" } },
    outcome: told("continue", "a hook says continue", { input: { command: "ls" } }),
  },
  {
    rule: "nor is a changed result",
    can: ALL,
    decision: { output: "x" },
    outcome: told("continue", "a hook says continue", { output: "x" }),
  },
  {
    rule: "nor a reason",
    can: ALL,
    decision: { reasons: ["fine"] },
    outcome: told("continue", "fine"),
  },
  {
    rule: "what is no denial needs no power to deny",
    can: without("deny"),
    decision: { contexts: ["noted"] },
    outcome: told("continue", "a hook says continue", { context: "noted" }),
  },
  {
    rule: "an agent that takes no words misses none where there are none",
    can: without("context"),
    decision: { action: "ask", reasons: ["sure?"] },
    outcome: told("ask", "sure?"),
  },
  { rule: "silence says nothing", can: ALL, decision: {}, outcome: told("continue", "") },
];

describe("what becomes of a decision", () => {
  it.each(ROWS)("$rule", ({ can, as = "tool:pre_execute", decision, outcome, notes = [], unstopped }) => {
    const expected = { outcome, notes, ...(unstopped === undefined ? {} : { unstopped }) };
    expect(fitted(decision, { as, can })).toStrictEqual(expected);
  });

  it("an agent that refuses some changes is asked about none where a hook denies", () => {
    const hookEvent = { ...HOOK_EVENT, refuses: () => "never" };
    expect(refusal({ ...DENIED, input: { command: "ls" } }, hookEvent, {})).toBe(undefined);
    expect(refusal({ ...DENIED, action: "ask", input: { command: "ls" } }, hookEvent, {})).toEqual({
      reason: "no (never)",
      why: "never",
    });
  });

  it.each([
    ["as long as the agent takes", 100, "x".repeat(100), []],
    ["a byte longer", 100, expect.stringMatching(/^x{62}\n\(cut here: /), [expect.stringContaining("100 bytes")]],
  ])("words %s", (_, most, context, notes) => {
    const length = notes.length === 0 ? 100 : 101;
    const outcome = fitted({ contexts: ["x".repeat(length)] }, { ...HOOK_EVENT, maxContext: most });
    expect([outcome.outcome.context, outcome.notes]).toEqual([context, notes]);
  });

  it("words that the agent does not take at all are not cut", () => {
    const outcome = fitted({ contexts: ["x".repeat(500)] }, { ...HOOK_EVENT, can: ["deny"], maxContext: 100 });
    expect(outcome.outcome.context).toHaveLength(500);
    expect(outcome.notes).toEqual(["Agent accepts no message for the model at tool:pre_execute"]);
  });
});

const DENIED = { action: "deny", reason: "no", context: "", approved: false } as const;

function fitted(saying: object, hookEvent: Parameters<typeof fitDecision>[1]) {
  const toHookDecision = () => ({ allow: true }) as const;
  const silence = { event, action: "continue", reasons: [], contexts: [], approved: false, results: [] } as const;
  return fitDecision({ ...silence, ...saying, toHookDecision }, hookEvent, "Agent");
}
