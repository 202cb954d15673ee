import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readVerdict } from "./call-model.ts";

describe("an answer", () => {
  test.each([
    ['{"action":"continue"}', { action: "continue" }],
    ['\uFEFF {"action":"deny","reason":"no"} \n', { action: "deny", reason: "no" }],
    ['```json\n{"action":"ask","reason":"?"}\n```', { action: "ask", reason: "?" }],
    ['```\n{"action":"deny"}\n```', { action: "deny" }],
    ['{"action":"continue","reason":null,"modified_data":{}}', { action: "continue" }],
    ['{"action":"modify","modified_data":{"patch":{"a":1}}}', { action: "modify", modifiedData: { patch: { a: 1 } } }],
    ['{"action":"deny","reason":"a\\u001b[2J\\nb"}', { action: "deny", reason: "a [2J b" }],
    [`{"action":"deny","reason":"${"x".repeat(900)}"}`, { action: "deny", reason: `${"x".repeat(499)}…` }],
  ])("%s is a verdict", (text, verdict) => {
    expect(readVerdict(text)).toMatchObject({ verdict });
  });

  test("may say more than was asked; that counts for nothing and is noted", () => {
    const read = readVerdict('{"action":"deny","confidence":0.9,"modified_data":{"args":{}}}');
    expect(read).toMatchObject({ verdict: { action: "deny", modifiedData: undefined } });
    expect("notes" in read && read.notes).toEqual([
      "the model also answered confidence, which is ignored",
      'the model answered "deny"; its modified_data is ignored',
    ]);
  });

  test.each([
    ["", "it is empty"],
    ["continue", "it is not one JSON object"],
    ["null", "it is not one JSON object"],
    ['"continue"', "it is not one JSON object"],
    ['[{"action":"continue"}]', "it is not one JSON object"],
    ['{"action":"continue"', "it is not one JSON object"],
    ['{"action":"continue"}{"action":"deny"}', "it is not one JSON object"],
    ['Yes: {"action":"continue"}', "it is not one JSON object"],
    ['```json\n{"action":"continue"}\n```\nDone.', "it is not one JSON object"],
    ["{}", '"action" has to be a string'],
    ['{"Action":"continue"}', '"action" has to be a string'],
    ['{"action":["deny"]}', '"action" has to be a string'],
    ['{"action":"DENY"}', '"DENY" is not an answer of a model; the answers are continue, deny, ask, modify'],
    ['{"action":"allow"}', '"allow" is not an answer of a model; the answers are continue, deny, ask, modify'],
    ['{"action":"__proto__"}', '"__proto__" is not an answer of a model; the answers are continue, deny, ask, modify'],
    ['{"action":"continue","reason":{}}', '"reason" has to be a string'],
    ['{"action":"continue","modified_data":[]}', '"modified_data" has to be an object'],
    ['{"action":"modify"}', '"modify" needs "modified_data"'],
    ['{"action":"continue","permissionDecision":"deny"}', '"permissionDecision" is a second verdict beside "action"'],
    ['{"action":"modify","modified_data":{},"modifiedData":{}}', '"modifiedData" is a second verdict beside "action"'],
    ['{"action":"deny","reason":"a","action":"continue"}', 'it has "action" twice'],
    ['{"action":"deny","\\u0061ction":"continue"}', 'it has "action" twice'],
    ['{"action":"modify","modified_data":{"args":{"a":1,"a":2}}}', 'it has "a" twice'],
    [`{"action":"deny","reason":"${"x".repeat(70_000)}"}`, "it is longer than 65536 characters"],
  ])("%s is none", (text, message) => {
    expect(readVerdict(text)).toMatchObject({ failure: { why: "bad_json", message } });
  });
});

test("the same key in two objects is fine", () => {
  const text =
    '{"action":"modify","reason":"{\\"a\\":1,\\"a\\":2}","modified_data":{"args":{"reason":1},"b":[{"a":1},{"a":2}]}}';
  expect(readVerdict(text)).toMatchObject({ verdict: { action: "modify" } });
});

test("whatever a model writes is a verdict or a failure, and never an approval", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ action: fc.string(), reason: fc.string() }).map((answer) => JSON.stringify(answer)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = readVerdict(text);
      if ("failure" in read) expect(read.failure.why).toBe("bad_json");
      else expect(["continue", "deny", "ask", "modify"]).toContain(read.verdict.action);
    }),
  );
});
