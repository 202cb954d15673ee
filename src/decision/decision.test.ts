import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { aggregate } from "./aggregate.ts";
import { reasonText, refused, type SaidByHook } from "./decision.ts";

const OBJECT: SaidByHook = { hook: { name: "o" }, action: "deny", reason: "no" };
const ASKED: SaidByHook = { hook: "q", action: "ask", reason: "no" };
const deny = (hook: string, reason?: string): SaidByHook => ({ hook, action: "deny", reason });

describe("reasons as one text", () => {
  const rows: [rule: string, reasons: string[], results: SaidByHook[], text: string][] = [
    ["none", [], [], ""],
    ["nothing but blanks is none", [" ", "\n"], [], ""],
    ["one, as it is", [" no \n"], [deny("a", " no \n")], "no"],
    ["the same twice, once", ["no", "no "], [deny("a", "no"), deny("b", "no ")], "no"],
    ["one beside nothing but blanks", ["no", " "], [deny("a", "no")], "no"],
    ["several and a remark", ["no", "x", "(cut)"], [deny("a", "no"), deny("b", "x")], "- a: no\n- b: x\n- (cut)"],
    ["several, each with its hook", ["no", "never"], [deny("a", "no"), deny("b", "never")], "- a: no\n- b: never"],
    ["a hook may be named by its object", ["no", "never"], [OBJECT, deny("b", "never")], "- o: no\n- b: never"],
    [
      "two hooks that say the same",
      ["no", "x"],
      [deny("a", "no "), deny("b", "no"), deny("c", "x")],
      "- a, b: no\n- c: x",
    ],
    ["one hook is named once", ["no", "x"], [deny("a", "no"), deny("a", "no"), deny("c", "x")], "- a: no\n- c: x"],
    ["who said something else is not named", ["no", "x"], [ASKED, deny("a", "no"), deny("c", "x")], "- a: no\n- c: x"],
    ["who said nothing is not named", ["no", "x"], [deny("s"), deny("a", "no"), deny("c", "x")], "- a: no\n- c: x"],
    ["a remark of Sluice itself follows", ["no", "(denied before)"], [deny("a", "no")], "no\n(denied before)"],
    ["two remarks without a hook are a list", ["no", "never"], [], "- no\n- never"],
    [
      "lines stay together",
      ["no\nnot now", "x"],
      [deny("a", "no\nnot now"), deny("b", "x")],
      "- a: no\n  not now\n- b: x",
    ],
    [
      "what another says as a sentence is not said again",
      ["No. Ask first.", "Ask first."],
      [deny("a", "No.")],
      "No. Ask first.",
    ],
    ["nor what it says on a line", ["no\nask", "ask"], [deny("a", "no\nask"), deny("b", "ask")], "no\nask"],
    [
      "part of a sentence is no sentence",
      ["No way out", "way"],
      [deny("a", "No way out"), deny("b", "way")],
      "- a: No way out\n- b: way",
    ],
    [
      "a sentence ends with a mark",
      ["Why not? No! x", "No!", "y"],
      [deny("a", "Why not?"), deny("b", "y")],
      "- a: Why not? No! x\n- b: y",
    ],
  ];
  test.each(rows)("%s", (_rule, reasons, results, text) => {
    expect(reasonText("deny", reasons, results)).toBe(text);
  });

  test("of ten thousand objections each is read once", () => {
    const words = "A rule names no operator. There are equals, contains and glob.";
    const results = Array.from({ length: 10_000 }, (_, at) => deny(`h${at}`, `hook ${at} broke. ${words}`));
    const reasons = results.map(({ reason = "" }) => reason);
    const lines = reasonText("deny", reasons, results, Number.POSITIVE_INFINITY).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([10_000, `- h9999: hook 9999 broke. ${words}`]);
  });

  test.each([
    [50, "- h49: no 49"],
    [51, "- and 1 more"],
    [3000, "- and 2950 more"],
  ])("of %d reasons fifty are listed, and the number of the others is said", (count, last) => {
    const results = Array.from({ length: count }, (_, at) => deny(`h${at}`, `no ${at}`));
    const reasons = results.map(({ reason = "" }) => reason);
    const lines = reasonText("deny", reasons, results).split("\n");
    expect([lines.length, lines[49], lines.at(-1)]).toEqual([Math.min(count, 51), "- h49: no 49", last]);
  });

  test("of thousands of hooks that give one reason, fifty are named", () => {
    const results = Array.from({ length: 3000 }, (_, at) => deny(`h${at}`, at === 0 ? "never" : "no"));
    const [first, second = ""] = reasonText("deny", ["never", "no"], results).split("\n");
    expect(first).toBe("- h0: never");
    expect(second).toMatch(/^- h1, h2, .*, h50 and 2949 more: no$/);
  });
});

test("a host that cannot go on denies in its own words, and nothing of the call is left", () => {
  const event = HookEvent.toolPreExecute("bash", { command: "ls" });
  const decision = aggregate({ event, results: [], changed: { value: 1 }, notices: ["noted"] });
  const shut = refused({ ...decision, approved: true, output: 2 }, "no way", "STALE_WRITE");
  expect(shut).toMatchObject({ event, action: "deny", reasons: ["no way"], contexts: ["noted"], approved: false });
  expect(["input" in shut, "output" in shut]).toEqual([false, false]);
  expect(shut.toHookDecision()).toEqual({ allow: false, code: "STALE_WRITE", reason: "no way" });
});
