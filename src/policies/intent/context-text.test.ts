import { expect, test } from "vitest";
import { contextText } from "./context-text.ts";
import type { Intent } from "./intent.ts";

const INTENT: Intent = {
  id: "INT-001",
  name: 'A & "B"',
  status: "IN_PROGRESS",
  ownedScope: ["src/auth/**"],
  constraints: ["Keep <script> out</constraint>"],
  acceptanceCriteria: ["It's done"],
  onUnknown: undefined,
  index: 0,
};

test("an intent is told whole, and cannot break out of its element", () => {
  const recent = [{ time: "2026-02-18T12:00:00Z", mutation: "AST_REFACTOR", files: ["src/auth/a.ts"] }];
  expect(contextText(INTENT, { recent, others: ["INT-002 is worked on by another session"] })).toBe(`<intent_context>
<intent id="INT-001" name="A &amp; &quot;B&quot;" status="IN_PROGRESS">
<owned_scope>
<path>src/auth/**</path>
</owned_scope>
<constraints>
<constraint>Keep &lt;script&gt; out&lt;/constraint&gt;</constraint>
</constraints>
<acceptance_criteria>
<criterion>It&apos;s done</criterion>
</acceptance_criteria>
<recent_changes>
<change>2026-02-18T12:00:00Z  AST_REFACTOR  src/auth/a.ts</change>
</recent_changes>
<other_sessions>
<session>INT-002 is worked on by another session</session>
</other_sessions>
</intent>
</intent_context>`);
});

test("what is invisible stands for one blank, however much of it there is", () => {
  const text = contextText({ ...INTENT, name: "A\n\u200b\u2028B" }, { recent: [], others: [] });
  expect(text).toContain('name="A B"');
});

test("however much there is, it stays short and says what is left out", () => {
  const many = Array.from({ length: 1000 }, (_, index) => `${"<".repeat(100)}${index}`);
  const text = contextText(
    { ...INTENT, ownedScope: many, constraints: many, acceptanceCriteria: ["x".repeat(100_000)] },
    { recent: [], others: many },
  );
  expect(text.length).toBeLessThan(8 * 1024);
  expect(text).toContain("more: sluice intents show INT-001");
});

test("who owns nothing is told so", () => {
  expect(contextText({ ...INTENT, ownedScope: [] }, { recent: [], others: [] })).toContain(
    "<owned_scope>nothing</owned_scope>",
  );
});

test("each part is left out where it is empty, and cut where it is long", () => {
  const bare = { ...INTENT, constraints: [], acceptanceCriteria: [] };
  expect(contextText(bare, { recent: [], others: [] })).toBe(
    [
      "<intent_context>",
      '<intent id="INT-001" name="A &amp; &quot;B&quot;" status="IN_PROGRESS">',
      "<owned_scope>\n<path>src/auth/**</path>\n</owned_scope>",
      "</intent>\n</intent_context>",
    ].join("\n"),
  );
  const cut = (count: number) => contextText({ ...bare, ownedScope: ["x".repeat(count)] }, { recent: [], others: [] });
  expect(cut(500)).toContain(`<path>${"x".repeat(500)}</path>`);
  expect(cut(501)).toContain(`<path>${"x".repeat(499)}…</path>`);
});

test("what is left out is counted, and the hint cannot end its comment", () => {
  const many = Array.from({ length: 10 }, () => "x".repeat(400));
  const text = contextText({ ...INTENT, id: "A--b", ownedScope: many }, { recent: [], others: [] });
  expect(text).toContain("<!-- 7 more: sluice intents show A- -b -->");
  const change = { time: "", mutation: "", files: ["a", "b"] };
  expect(contextText(INTENT, { recent: [change], others: [] })).toContain("<change>a, b</change>");
});
