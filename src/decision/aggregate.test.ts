import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_NAMES, EVENTS } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { Hook, LAYERS, type Layer } from "../hook/hook.ts";
import { aggregate, joined } from "./aggregate.ts";
import { type Action, type HookResult, STRICTNESS } from "./result.ts";

const gate = HookEvent.toolPreExecute("bash", { command: "ls" });
const after = HookEvent.toolPostExecute("bash", { command: "ls" }, "ok");
const ACTIONS: Action[] = ["continue", "modify", "ask", "deny"];
const GATES = EVENT_NAMES.filter((name) => EVENTS[name].gate);
const NO_GATES = EVENT_NAMES.filter((name) => !EVENTS[name].gate);

function said(action: Action, more: Partial<HookResult> & { layer?: Layer } = {}): HookResult {
  const { layer = "user", ...rest } = more;
  const hook = Hook.fromJSON({ event: "*", command: "true" }, { layer, place: { file: "f" }, index: 0 });
  const shouldContinue = action !== "deny";
  const ran = { success: true, timedOut: false, exitCode: 0, stdout: "", stderr: "", duration: 0, durationMs: 0 };
  return { hook, action, shouldContinue, ...ran, ...rest };
}

const words = fc.constantFrom(undefined, "", "a", "b", "c");
const anyResult = fc
  .record({
    action: fc.constantFrom(...ACTIONS),
    reason: words,
    context: words,
    approves: fc.boolean(),
    layer: fc.constantFrom(...LAYERS),
  })
  .map(({ action, approves, ...more }) => said(action, { ...more, ...(approves && { approves: true as const }) }));
const results = fc.array(anyResult, { maxLength: 6 });
const anyEvent = fc.constantFrom(...EVENT_NAMES).map((type) => new HookEvent({ type }));

describe("any deny denies, then ask, then modify, then continue", () => {
  const rows = ACTIONS.flatMap((one) => ACTIONS.map((other) => [one, other] as const));
  test("of any two, the stricter one holds", () => {
    const all = rows.map(([one, other]) => [
      one,
      other,
      aggregate({ event: gate, results: [said(one), said(other)] }).action,
    ]);
    expect(all).toEqual(rows.map(([one, other]) => [one, other, STRICTNESS[one] > STRICTNESS[other] ? one : other]));
  });

  test("silence continues", () => {
    const decision = aggregate({ event: gate, results: [] });
    expect(decision).toMatchObject({ action: "continue", reasons: [], contexts: [], approved: false, results: [] });
  });
});

test("every reason of the denying hooks survives, and every context of all", () => {
  const decision = aggregate({
    event: gate,
    results: [
      said("deny", { reason: "first", context: "one" }),
      said("ask", { reason: "asked", context: "two" }),
      said("continue", { reason: "fine", context: "three" }),
      said("deny", { reason: "second" }),
      said("deny", { reason: "first" }),
    ],
  });
  expect(decision.reasons).toEqual(["first", "second"]);
  expect(decision.contexts).toEqual(["one", "two", "three"]);
});

test("who spoke first changes neither the action, nor the reasons, nor the contexts", () => {
  const shuffled = results.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(anyEvent, shuffled, (event, [one, other]) => {
      const [first, second] = [one, other].map((list) => aggregate({ event, results: list }));
      expect(second?.action).toBe(first?.action);
      expect(second?.approved).toBe(first?.approved);
      expect(new Set(second?.reasons)).toEqual(new Set(first?.reasons));
      expect(new Set(second?.contexts)).toEqual(new Set(first?.contexts));
    }),
  );
});

test("one more hook never turns a decision into less", () => {
  fc.assert(
    fc.property(anyEvent, results, anyResult, fc.nat(), (event, list, more, where) => {
      const before = aggregate({ event, results: list });
      const after = aggregate({ event, results: list.toSpliced(where % (list.length + 1), 0, more) });
      expect(STRICTNESS[after.action]).toBeGreaterThanOrEqual(STRICTNESS[before.action]);
      if (before.action === "deny") expect(after.reasons).toEqual(expect.arrayContaining([...before.reasons]));
      expect(after.contexts).toEqual(expect.arrayContaining([...before.contexts]));
    }),
  );
});

test("a hook in monitor mode changes nothing", () => {
  const watching = said("continue", { wouldBe: "deny", reason: "would have denied" });
  fc.assert(
    fc.property(anyEvent, results, fc.nat(), (event, list, where) => {
      const { results: _, toHookDecision: __, ...alone } = aggregate({ event, results: list });
      const watched = aggregate({ event, results: list.toSpliced(where % (list.length + 1), 0, watching) });
      expect(watched).toMatchObject(alone);
    }),
  );
});

describe("not a gate, no block", () => {
  test("a denial is feedback", () => {
    for (const type of NO_GATES) {
      const decision = aggregate({
        event: new HookEvent({ type }),
        results: [
          said("deny", { reason: "lint failed", context: "see lint.log" }),
          said("ask", { reason: "look at this" }),
          said("continue", { context: "noted" }),
        ],
        aborted: true,
      });
      expect(decision, type).toMatchObject({
        action: "continue",
        reasons: [],
        contexts: ["lint failed", "look at this", "see lint.log", "noted"],
        feedback: ["lint failed", "look at this"],
      });
      expect(decision.toHookDecision(), type).toMatchObject({ allow: true });
    }
  });

  test("a denial without words still says which hook objects; plain context is no feedback", () => {
    const list = [said("deny", { reason: " " }), said("continue", { context: "noted" })];
    expect(aggregate({ event: after, results: list }).feedback).toEqual([
      expect.stringMatching(/^hook ".*" says deny$/),
    ]);
    expect(aggregate({ event: after, results: list.slice(1) })).not.toHaveProperty("feedback");
  });

  test("at a gate, a denial denies", () => {
    const open = GATES.filter(
      (type) => aggregate({ event: new HookEvent({ type }), results: [said("deny")] }).action !== "deny",
    );
    expect(open).toEqual([]);
  });

  test("a changed result is carried beside the feedback", () => {
    const list = [said("deny", { reason: "no" }), said("modify", { reason: "redacted" })];
    const decision = aggregate({ event: after, results: list, changed: { value: "***" } });
    expect(decision).toMatchObject({ action: "modify", output: "***", reasons: ["redacted"], contexts: ["no"] });
    expect(decision.input).toBeUndefined();
  });
});

describe("silence is no approval", () => {
  const yes = { approves: true as const };
  const rows: [rule: string, list: HookResult[], approved: boolean][] = [
    ["no hook spoke", [], false],
    ["everybody continues", [said("continue"), said("continue")], false],
    ["the user's hook approves", [said("continue"), said("continue", yes)], true],
    ["a managed hook approves", [said("continue", { ...yes, layer: "managed" })], true],
    ["a project's hook cannot", [said("continue", { ...yes, layer: "project" })], false],
    ["a local hook cannot", [said("continue", { ...yes, layer: "local" })], false],
    ["not over a question", [said("continue", yes), said("ask", { layer: "project" })], false],
    ["not over a denial", [said("continue", yes), said("deny", { layer: "local" })], false],
    ["a change beside it is fine", [said("continue", yes), said("modify")], true],
  ];
  test.each(rows)("%s", (_rule, list, approved) => {
    expect(aggregate({ event: gate, results: list }).approved).toBe(approved);
  });
});

describe("what hooks changed", () => {
  test.each<[Action, unknown]>([
    ["continue", undefined],
    ["modify", { command: "pwd" }],
    ["ask", { command: "pwd" }],
    ["deny", undefined],
  ])("%s carries the input: %j", (action, input) => {
    const changed = action === "continue" ? {} : { changed: { value: { command: "pwd" } } };
    const decision = aggregate({ event: gate, results: [said(action)], ...changed });
    expect(decision.input).toEqual(input);
    expect("input" in decision).toBe(input !== undefined);
  });
});

describe("a caller that gave up", () => {
  test("leaves a gate shut, and says so beside what was said", () => {
    const decision = aggregate({ event: gate, results: [said("continue", { approves: true })], aborted: true });
    expect(decision).toMatchObject({ action: "deny", approved: false });
    expect(decision.reasons).toEqual(["aborted before every hook had spoken"]);
    expect(decision.toHookDecision()).toEqual({
      allow: false,
      code: "HOOK_ERROR",
      reason: "aborted before every hook had spoken",
    });
  });

  test("names the first hooks without an answer, and counts the others", () => {
    const failure = { why: "signal", signal: "SIGTERM", aborted: true } as const;
    const hooks = Array.from({ length: 10_000 }, (_, at) =>
      said("deny", { failure, reason: `hook ${at} was aborted` }),
    );
    const results = [...hooks, said("deny", { reason: "no" })];
    const { reasons } = aggregate({ event: gate, results, aborted: true });
    expect(reasons).toEqual([expect.stringMatching(/^aborted before .* and 9995 more$/), "no"]);
    const later = aggregate({ event: after, results, aborted: "rules took too long" });
    expect(later.contexts).toEqual([expect.stringMatching(/^rules took too long\. .* and 9995 more$/), "no"]);
  });

  test("adds nothing where a hook denied already", () => {
    const decision = aggregate({ event: gate, results: [said("deny", { reason: "no" })], aborted: true });
    expect(decision.reasons).toEqual(["no"]);
  });
});

test("a change without a word of any hook is carried", () => {
  expect(aggregate({ event: gate, results: [said("continue")], changed: { value: 1 } })).toMatchObject({
    action: "continue",
    input: 1,
  });
});

describe("two decisions about the same call are one", () => {
  const one = (action: Action, words: string, event = gate) =>
    aggregate({
      event,
      results: [said(action, { reason: `${words} says`, context: `${words} notes`, approves: true })],
      ...(action === "modify" ? { changed: { value: words } } : {}),
    });

  test.each(ACTIONS.flatMap((a) => ACTIONS.map((b) => [a, b] as const)))("%s and %s", (a, b) => {
    const [first, second] = [one(a, "first"), one(b, "second")];
    const both = joined(first, second);
    const action = STRICTNESS[b] > STRICTNESS[a] ? b : a;
    expect(both.action).toBe(action);
    const speaking = a === b ? ["first says", "second says"] : [action === a ? "first says" : "second says"];
    expect(both.reasons).toEqual(action === "continue" ? [] : speaking);
    expect(both.contexts).toEqual(["first notes", "second notes"]);
    expect(both.results).toEqual([...first.results, ...second.results]);
    expect(both.approved).toBe(STRICTNESS[action] < STRICTNESS.ask);
    const input = a === "modify" ? "first" : b === "modify" ? "second" : undefined;
    expect("input" in both ? both.input : undefined).toBe(action === "deny" ? undefined : input);
    expect("input" in both).toBe(action !== "deny" && input !== undefined);
    expect(both.toHookDecision().allow).toBe(STRICTNESS[action] < STRICTNESS.ask);
    expect([both, "output" in both, "feedback" in both]).toEqual([both, false, false]);
  });

  test("only what the first approves is approved", () => {
    const silent = aggregate({ event: gate, results: [] });
    expect(joined(one("continue", "first"), silent).approved).toBe(true);
    expect(joined(silent, one("continue", "second")).approved).toBe(false);
  });

  test("nothing is said twice", () => {
    const both = joined(one("deny", "same"), one("deny", "same"));
    expect([both.reasons, both.contexts]).toEqual([["same says"], ["same notes"]]);
  });

  test("the result that the first made is kept, and the feedback of both", () => {
    const both = joined(one("modify", "first", after), one("deny", "second", after));
    expect(both).toMatchObject({ output: "first", feedback: ["second says"] });
    expect(joined(one("deny", "first", after), one("deny", "second", after)).feedback).toEqual([
      "first says",
      "second says",
    ]);
    expect("output" in joined(one("deny", "first", after), one("modify", "second", after))).toBe(false);
  });
});

test("notices are said at gates only, once", () => {
  const notices = ["a guard could not be read", "a guard could not be read"];
  expect(aggregate({ event: gate, results: [], notices }).contexts).toEqual(["a guard could not be read"]);
  expect(aggregate({ event: after, results: [], notices }).contexts).toEqual([]);
});

const APPROVAL = "needs approval: a hook asks";
const yes = (context: string) => ({ allow: true, contextPatch: { context } });
const RANKED = [
  "HOOK_ERROR",
  "MODIFY_CONFLICT",
  "INTENT_REQUIRED",
  "SCOPE_VIOLATION",
  "DESTRUCTIVE_BLOCKED",
  "STALE_WRITE",
] as const;

describe("yes or no", () => {
  const failure = { why: "timeout", afterMs: 5 } as const;
  const deny = (more: Partial<HookResult>) => [said("deny", { reason: "no", ...more })];
  const rows: [rule: string, list: HookResult[], answer: object][] = [
    ["continue is yes", [said("continue")], { allow: true }],
    ["contexts come along", [said("continue", { context: "x" })], { allow: true, contextPatch: { context: "x" } }],
    ["a denial is dangerous", deny({}), { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: "no" }],
    [
      "unless it says otherwise",
      deny({ code: "SCOPE_VIOLATION" }),
      { allow: false, code: "SCOPE_VIOLATION", reason: "no" },
    ],
    ["a failure that denies", deny({ failure }), { allow: false, code: "HOOK_ERROR", reason: "no" }],
    [
      "its own code wins",
      deny({ failure, code: "INTENT_REQUIRED" }),
      { allow: false, code: "INTENT_REQUIRED", reason: "no" },
    ],
    [
      "all reasons",
      [...deny({}), ...deny({ reason: "never" })],
      { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: expect.stringMatching(/^- .+: no\n- .+: never$/) },
    ],
    [
      "the same reason of several hooks once",
      [...deny({}), ...deny({})],
      { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: "no" },
    ],
    ["no reason", [said("deny")], { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: "denied by a hook" }],
    [
      "a failure that passes is no denial",
      [said("continue", { failure }), ...deny({})],
      { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: "no" },
    ],
    [
      "ask is no",
      [said("ask", { reason: "sure?" })],
      { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: "needs approval: sure?" },
    ],
  ];
  const more: typeof rows = [
    ["ask without words", [said("ask")], { allow: false, code: "DESTRUCTIVE_BLOCKED", reason: APPROVAL }],
    [
      "ask with a code",
      [said("continue", { code: "STALE_WRITE" }), said("ask"), said("ask", { code: "SCOPE_VIOLATION" })],
      { allow: false, code: "SCOPE_VIOLATION", reason: APPROVAL },
    ],
    ["several contexts", [said("continue", { context: "x" }), said("continue", { context: "y" })], yes("x\ny")],
    ["a change of nothing", [said("modify")], { allow: true }],
    ...RANKED.flatMap((code, rank) =>
      RANKED.slice(rank).map((other): (typeof rows)[number] => [
        `of ${other} and ${code} the first in rank`,
        [...deny({ code: other }), ...deny({ code })],
        { allow: false, code, reason: "no" },
      ]),
    ),
  ];
  test.each([...rows, ...more])("%s", (_rule, list, answer) => {
    expect(aggregate({ event: gate, results: list }).toHookDecision()).toEqual(answer);
  });

  test("modify is yes, with the input that was made of it", () => {
    const changed = { value: { command: "pwd" } };
    const decision = aggregate({ event: gate, results: [said("modify")], changed });
    expect(decision.toHookDecision()).toEqual({ allow: true, contextPatch: { tool_input: { command: "pwd" } } });
  });
});
