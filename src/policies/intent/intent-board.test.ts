import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../../../tests/intent/project.ts";
import { journalFolder } from "../../trace/journal.ts";
import { intentBoard } from "./intent-board.ts";

const INTENTS = `active_intents:
  - id: INT-001
    name: sign in
    status: IN_PROGRESS
    owned_scope: ["src/auth/**"]
    acceptance_criteria: ["\`npm test\` passes", "\`npm run lint\` passes", "[x] the old cookie is gone", "[ ] docs", "it is fast"]
  - { id: INT-002, name: other, status: PENDING, owned_scope: [] }
`;
const change = (id: number, path: string, more = {}) =>
  JSON.stringify({
    id: `${id}`,
    timestamp: `2026-01-0${id}T10:00:00.000Z`,
    intent_id: "INT-001",
    session_id: "s1",
    mutation_class: "NEW",
    files: [{ relative_path: path, ranges: [], ...more }],
  });

test("the board has an intent's scope, sessions, criteria, last change and violations", () => {
  const { root, env } = project({
    ".orchestration/active_intents.yaml": INTENTS,
    ".orchestration/agent_trace.jsonl": `${[
      change(1, "src/auth/a.ts"),
      change(2, "docs/gone.md"),
      change(3, "docs/gone.md", { deleted: true }),
      change(4, "lib/b.ts"),
    ].join("\n")}\n`,
  });
  const call = (at: number, event: string, args: object, more: object = {}) =>
    JSON.stringify({
      v: 1,
      id: `${at}`.padStart(32, "0"),
      time: new Date(1e12 + at).toISOString(),
      kind: "decision",
      agent: "a",
      session_id: "s2",
      event,
      tool: "Bash",
      root,
      action: "continue",
      reasons: [],
      event_json: { data: { tool_args: args } },
      results: [],
      duration_ms: 1,
      ...more,
    });
  const denial = {
    action: "deny",
    reasons: ["SCOPE_VIOLATION: intent INT-001 does not own x.ts (it is not in the scope). INT-001 owns: src/auth/**."],
    results: [{ hook: "intents", action: "deny", code: "SCOPE_VIOLATION" }],
  };
  const lines = [
    call(1, "tool:pre_execute", { intent_id: "INT-001" }, { tool: "select_active_intent" }),
    call(2, "tool:error", { command: "npm test" }),
    call(3, "tool:post_execute", { command: "npm test" }),
    call(4, "tool:error", { command: "npm run lint" }),
    call(5, "tool:pre_execute", { command: "echo > x.ts" }, denial),
    call(6, "tool:pre_execute", { command: "echo > x.ts" }, denial),
  ];
  mkdirSync(journalFolder(env), { recursive: true });
  writeFileSync(join(journalFolder(env), "2026-01-01.jsonl"), `${lines.join("\n")}\n`);
  const [first, second] = intentBoard(root, env);
  expect(first).toMatchObject({
    id: "INT-001",
    status: "IN_PROGRESS",
    scope: ["src/auth/**"],
    sessions: ["s1", "s2"],
    changes: 4,
    lastChange: "2026-01-04T10:00:00.000Z",
    violations: [{ code: "SCOPE_VIOLATION", count: 2 }],
    outside: ["lib/b.ts"],
  });
  expect(first?.criteria.map(({ progress }) => progress)).toEqual(["met", "open", "met", "open", "unknown"]);
  expect(second).toMatchObject({ sessions: [], changes: 0, lastChange: null, violations: [], outside: [] });
});
