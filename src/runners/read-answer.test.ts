import { describe, expect, it } from "vitest";
import type { Answer } from "../decision/result.ts";
import { readAnswer, readAnswerObject, reasonIn } from "./read-answer.ts";

type Row = readonly [sentence: string, said: object, answer: Partial<Answer>];

const UNDERSTOOD: readonly Row[] = [
  ["an object that says nothing we know is data", { lines: 3 }, { action: "continue" }],
  ["continue is silence", { action: "continue" }, { action: "continue" }],
  ["allow approves", { action: "allow" }, { action: "allow" }],
  ["deny carries its reason", { action: "deny", reason: "no" }, { action: "deny", reason: "no" }],
  ["ask carries its reason", { action: "ask", reason: "sure?" }, { action: "ask", reason: "sure?" }],
  [
    "modify carries its change",
    { action: "modify", modified_data: { args: { a: 1 } } },
    { action: "modify", modifiedData: { args: { a: 1 } } },
  ],
  ["a change alone is a modify", { modifiedData: { patch: {} } }, { action: "modify", modifiedData: { patch: {} } }],
  [
    "approving a change is a modify",
    { action: "allow", modified_data: { patch: { a: 1 } } },
    { action: "modify", modifiedData: { patch: { a: 1 } } },
  ],
  ["context is kept beside any verdict", { action: "deny", context: "c" }, { action: "deny", context: "c" }],
  ["a code we know is kept", { action: "deny", code: "SCOPE_VIOLATION" }, { action: "deny", code: "SCOPE_VIOLATION" }],
  ["a code we do not know is dropped", { action: "deny", code: "MINE" }, { action: "deny", code: undefined }],
  ["null is as good as nothing", { action: null, reason: null }, { action: "continue" }],
  ["Claude's approve approves", { decision: "approve" }, { action: "allow" }],
  ["Claude's block denies", { decision: "block", reason: "no" }, { action: "deny", reason: "no" }],
  ["continue: true is silence", { continue: true }, { action: "continue" }],
  ["continue: false denies", { continue: false, stopReason: "halt" }, { action: "deny", reason: "halt" }],
  ["continue: false outweighs an approval", { continue: false, decision: "approve" }, { action: "deny" }],
  ["a system message is context", { systemMessage: "s" }, { action: "continue", context: "s" }],
  [
    "Claude's permission decision counts with its reason",
    { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } },
    { action: "deny", reason: "no" },
  ],
  ["Claude's ask asks", { hookSpecificOutput: { permissionDecision: "ask" } }, { action: "ask" }],
  ["Claude's defer is silence", { hookSpecificOutput: { permissionDecision: "defer" } }, { action: "continue" }],
  ["Claude's allow approves", { hookSpecificOutput: { permissionDecision: "allow" } }, { action: "allow" }],
  [
    "an updated input replaces the input",
    { hookSpecificOutput: { permissionDecision: "allow", updatedInput: { a: 1 } } },
    { action: "modify", modifiedData: { args: { a: 1 } } },
  ],
  [
    "an updated input needs no verdict",
    { hookSpecificOutput: { updatedInput: { a: 1 } } },
    { action: "modify", modifiedData: { args: { a: 1 } } },
  ],
  [
    "an updated input that is to be asked about is asked about",
    { hookSpecificOutput: { permissionDecision: "ask", updatedInput: { a: 1 } } },
    { action: "ask" },
  ],
  [
    "a denied permission request denies",
    { hookSpecificOutput: { decision: { behavior: "deny", message: "no" } } },
    { action: "deny", reason: "no" },
  ],
  [
    "a granted permission request may change its input",
    { hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { a: 1 } } } },
    { action: "modify", modifiedData: { args: { a: 1 } } },
  ],
  [
    "an updated output replaces the result",
    { hookSpecificOutput: { updatedToolOutput: "short" } },
    { action: "modify", modifiedData: { result: "short" } },
  ],
  [
    "a permission decision may stand at the top",
    { permissionDecision: "deny", permissionDecisionReason: "no" },
    { action: "deny", reason: "no" },
  ],
  [
    "all context is kept",
    { systemMessage: "s", hookSpecificOutput: { additionalContext: "a" } },
    { action: "continue", context: "s\na" },
  ],
  [
    "of two verdicts the stricter counts",
    { action: "continue", hookSpecificOutput: { permissionDecision: "deny" } },
    { action: "deny" },
  ],
];

const NOT_UNDERSTOOD: readonly (readonly [text: string, message: RegExp])[] = [
  ['{"action":', /JSON|end/i],
  ['{"action":"continue"} trailing', /JSON|non-whitespace/i],
  ['note\n{"action":"deny"', /looks like an answer, and cannot be read/],
  ['note\n{"action":"maybe"}', /"maybe" is not a verdict/],
  ['[{"action":"modify","modified_data":{"args":{}}}]', /what it changes does not count/],
  ['note\n{"modified_data":{"args":{}},"action":"modify"}', /what it changes does not count/],
  ['{"action":"maybe"}', /"maybe" is not a verdict; it knows continue/],
  ['{"action":""}', /"" is not a verdict/],
  ['{"action":"constructor"}', /is not a verdict/],
  ['{"decision":"Block"}', /"Block" is not a verdict/],
  ['{"hookSpecificOutput":{"permissionDecision":"no"}}', /"no" is not a verdict/],
  ['{"action":"continue","decision":"maybe"}', /"maybe" is not a verdict/],
  ['{"action":7}', /"action" has to be a string/],
  ['{"continue":"false"}', /"continue" has to be a boolean/],
  ['{"reason":{}}', /"reason" has to be a string/],
  ['{"modified_data":[]}', /"modified_data" has to be an object/],
  ['{"hookSpecificOutput":"deny"}', /"hookSpecificOutput" has to be an object/],
  ['{"hookSpecificOutput":{"updatedInput":"ls"}}', /"updatedInput" has to be an object/],
  ['{"hookSpecificOutput":{"decision":"deny"}}', /"decision" has to be an object/],
  ['{"hookSpecificOutput":{"decision":{"behavior":1}}}', /"behavior" has to be a string/],
  ['{"acton":"deny"}', /"acton" looks like "action"/],
  ['{"Action":"deny"}', /"Action" looks like "action"/],
  ['{"descision":"block"}', /"descision" looks like "decision"/],
  ['{"permission_decision":"deny"}', /looks like "permissionDecision"/],
  [`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, /nested more than 100 deep/],
];

describe("an answer", () => {
  it.each(UNDERSTOOD)("%s", (_, said, answer) => {
    const read = readAnswer(JSON.stringify(said));
    expect(read).toMatchObject({ answer });
    expect(readAnswerObject(said)).toEqual(read);
  });

  it.each(NOT_UNDERSTOOD)("%.60s is not understood, and it says why", (text, message) => {
    const read = readAnswer(text);
    expect(read).toMatchObject({ failure: { why: "bad_json", message: expect.stringMatching(message) } });
  });

  it.each(["", "  \n", "all good", "[1]", '"deny"', "null", "[info] fine", 'note\n{"lines":3}', '[{"lines":3}]'])(
    "that does not begin with a brace is a message: %j",
    (text) => expect(readAnswer(text)).toEqual({ answer: { action: "continue" } }),
  );

  it.each<[string, string, Answer["action"]]>([
    ["behind a line of a log", 'checking\n{"action":"deny","reason":"no"}', "deny"],
    ["on several lines behind others", '[info] x\n{\n  "decision": "block",\n  "reason": "no"\n}\ndone', "deny"],
    ["before other text", '{"action":"deny","reason":"no"} trailing', "deny"],
    ["behind JSON of a logger", '{"level":30,"msg":"a"}\n{"action":"deny","reason":"no"}', "deny"],
    ["in a list", '[{"action":"continue"},{"action":"deny","reason":"no"}]', "deny"],
    ["as a question", 'checking\n{"action":"ask","reason":"no"}', "ask"],
    ["beside something mild", '{"action":"ask","reason":"no"}\n{"action":"deny","reason":"no"}', "deny"],
  ])("that objects counts %s, with a note for its author", (_, text, action) => {
    expect(readAnswer(text)).toMatchObject({
      answer: { action, reason: "no" },
      note: expect.stringContaining("alone"),
    });
  });

  it("that approves does not count between other lines", () => {
    expect(readAnswer('checking\n{"action":"allow"}')).toMatchObject({
      answer: { action: "continue" },
      note: expect.stringContaining("applies only if nothing is printed before it"),
    });
  });

  it("is looked for in linear time, however many lines begin like one", () => {
    expect(readAnswer(`x\n${"{\n".repeat(400_000)}`)).toEqual({ answer: { action: "continue" } });
  });

  it.each(["\uFEFF", "\r\n", "\n\n\t", "\uFEFF\n"])("is found behind %j", (before) => {
    expect(readAnswer(`${before}{"action":"deny"}\r\n`)).toMatchObject({ answer: { action: "deny" } });
  });

  it("that cannot be read is quoted, and no more than 200 characters of it", () => {
    const read = readAnswer(`{${"x".repeat(1000)}`);
    expect(read).toMatchObject({ failure: { got: `{${"x".repeat(198)}…` } });
  });

  it.each([null, 7, "deny", ["deny"], undefined])("that a program hands over has to be an object: %j", (said) => {
    expect(readAnswerObject(said)).toMatchObject({ failure: { why: "bad_json", message: "it is not an object" } });
  });

  it("beside a denying exit code is searched for its reason", () => {
    expect(reasonIn('{"decision":"block","reason":"not on Fridays"}')).toBe("not on Fridays");
    expect(reasonIn("{broken")).toBeUndefined();
    expect(reasonIn("plain words")).toBeUndefined();
  });
});

describe("an answer that has a key twice", () => {
  const rows: [text: string, action: string | undefined][] = [
    ['{"action":"deny","action":"continue"}', "deny"],
    ['{"action":"continue","action":"deny"}', "deny"],
    ['{"action":"ask","reason":"x","action":"allow"}', "ask"],
    ['{"action":"continue","action":"allow"}', undefined],
    ['{"decision":"block","decision":"approve"}', "deny"],
    ['{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecision":"allow"}}', "deny"],
    ['{"action":"modify","modified_data":{"args":{"command":"ls","command":"rm"}}}', undefined],
    ['{"\\u0061ction":"deny","action":"continue"}', undefined],
    ['[{"action":"deny","action":"continue"}]', "deny"],
    ['log line\n{"action":"continue","action":"deny"}', "deny"],
  ];
  it.each(rows)("%s cannot be read, and an objection in it stays", (text, action) => {
    const read = readAnswer(text);
    expect(read).toMatchObject({ failure: { why: "bad_json" } });
    expect(read.answer?.action).toBe(action);
  });

  it.each(['{"a":1,"a":2}', '{"action":"continue","reason":"action \\"action\\": \\"deny\\""}', '{"action":"deny"}'])(
    "%s is read as before",
    (text) => {
      expect(readAnswer(text)).not.toHaveProperty("failure");
    },
  );
});
