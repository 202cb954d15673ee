import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, project } from "../../../tests/intent/project.ts";
import { journalFolder } from "../../trace/journal.ts";
import { completeIntent } from "./complete-intent.ts";

interface Told {
  readonly event?: string;
  readonly tool?: string;
  readonly args?: unknown;
  readonly action?: string;
  readonly code?: string;
  readonly reasons?: readonly string[];
  readonly error?: unknown;
  readonly more?: object;
}

const SELECTED: Told = { tool: "select_active_intent", args: { intent_id: "INT-001" } };
const failing = (command: string, error: unknown = "broken"): Told => ({
  event: "tool:error",
  args: { command },
  error,
});
const passing = (command: string): Told => ({ event: "tool:post_execute", args: { command } });
const denied = (reason: string, code = "SCOPE_VIOLATION"): Told => ({ action: "deny", reasons: [reason], code });

/** The lessons of a project whose journal holds these calls. */
function lessons(told: readonly Told[], files: Files = {}) {
  const { root, env } = project(files);
  const lines = told.map(
    ({ event = "tool:pre_execute", tool = "Bash", args, action = "continue", code, reasons = [], error, more }, at) =>
      JSON.stringify({
        v: 1,
        id: `${at}`.padStart(32, "0"),
        time: new Date(1e12 + at).toISOString(),
        kind: "decision",
        agent: "a",
        session_id: "s",
        event,
        tool,
        root,
        action,
        reasons,
        event_json: { data: { tool_args: args, error } },
        results: [{ hook: "x", action, code }],
        duration_ms: 1,
        ...more,
      }),
  );
  const folder = journalFolder(env);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "2026-01-01.jsonl"), `${lines.join("\n")}\n`);
  const done = completeIntent(root, "INT-001", { env });
  return {
    done,
    lines: done.lessons?.lines ?? [],
    text: (name: string) => readFileSync(join(root, name), "utf8"),
    root,
  };
}

test("what failed before it passed is a lesson, with the first line of its error", () => {
  const { lines, done, text } = lessons([
    SELECTED,
    failing("npm test", "\n  \n Error: 401 \nat x"),
    passing("npm test"),
  ]);
  expect(lines).toEqual(["INT-001: `npm test` failed before it passed: Error: 401"]);
  expect(done.lessons?.file).toMatch(/CLAUDE\.md$/);
  expect(text("CLAUDE.md")).toContain("- INT-001: `npm test` failed");
  expect(text(".orchestration/active_intents.yaml")).toContain("COMPLETED");
  expect(done.map).toBe(undefined);
});

test("the intent map is told where something was changed", () => {
  const change = { id: "1", timestamp: "2026-01-01", intent_id: "INT-001", mutation_class: "NEW" };
  const files = [{ relative_path: "src/auth/a.ts", ranges: [] }];
  const traced = { ".orchestration/agent_trace.jsonl": `${JSON.stringify({ ...change, files })}\n` };
  const { done, root } = lessons([], traced);
  expect(done).toEqual({ map: { file: join(root, ".orchestration/intent_map.md"), intents: 1 } });
});

test("the first failure is told, shortened, and an error that is no text is left out", () => {
  const long = `echo \`${"x".repeat(200)}\`\n  end`;
  const calls = [
    failing(long, "first"),
    failing(long, "second"),
    passing(long),
    failing("b", { code: 1 }),
    passing("b"),
  ];
  const { lines } = lessons([SELECTED, ...calls]);
  expect(lines).toEqual([
    `INT-001: \`echo '${"x".repeat(153)}…\` failed before it passed: first`,
    "INT-001: `b` failed before it passed",
  ]);
});

test("denials are lessons once each, except those that only ask for the next step", () => {
  const calls = [denied("no"), denied("no"), denied("select", "INTENT_REQUIRED"), denied("read", "STALE_WRITE")];
  expect(lessons([SELECTED, ...calls]).lines).toEqual(["INT-001: denied: no"]);
});

test("denials outside of the scope are one lesson, with the files and without what the closed intent owned", () => {
  const outside = (files: string) =>
    denied(
      `SCOPE_VIOLATION: intent INT-001 does not own ${files}. INT-001 owns: src/a/**. Stay inside, or call request_scope with the paths and the reason; a person adds them with \`sluice intents scope add INT-001 <path>\`.`,
    );
  const calls = [
    outside("src/b.ts (it is not in the scope)"),
    outside("docs/x.md (it is not in the scope)"),
    outside("src/b.ts (it is not in the scope), lib/c.ts (it is not in the scope) and 2 more"),
    denied(
      "SCOPE_VIOLATION: it is unknown whether this stays in the scope of INT-001: what `make` runs. INT-001 owns: src/a/**.",
    ),
    denied("no pushes to main"),
  ];
  expect(lessons([SELECTED, ...calls]).lines).toEqual([
    "INT-001: changes of src/b.ts, docs/x.md, lib/c.ts were denied, outside of its scope",
    "INT-001: denied: SCOPE_VIOLATION: it is unknown whether this stays in the scope of INT-001: what `make` runs.",
    "INT-001: denied: no pushes to main",
  ]);
});

test("five of a kind are told", () => {
  const calls = Array.from({ length: 6 }, (_, at) => [failing(`c${at}`), passing(`c${at}`), denied(`r${at}`)]).flat();
  const { lines } = lessons([SELECTED, ...calls]);
  expect(lines).toHaveLength(10);
  expect(lines.at(4)).toContain("`c4`");
  expect(lines.at(-1)).toBe("INT-001: denied: r4");
});

test.each<[what: string, told: readonly Told[]]>([
  ["nothing was selected", [failing("x"), passing("x"), denied("no")]],
  ["the selection was denied", [{ ...SELECTED, action: "deny", code: "INTENT_REQUIRED" }, failing("x"), passing("x")]],
  ["another intent was selected", [SELECTED, { ...SELECTED, args: { intent_id: "B" } }, failing("x"), passing("x")]],
  [
    "another session did",
    [SELECTED, ...[failing("x"), passing("x")].map((one) => ({ ...one, more: { session_id: "t" } }))],
  ],
  ["another agent did", [SELECTED, ...[failing("x"), passing("x")].map((one) => ({ ...one, more: { agent: "b" } }))]],
  [
    "it was in another project",
    [SELECTED, ...[failing("x"), passing("x")].map((one) => ({ ...one, more: { root: "/x" } }))],
  ],
  ["it was no decision", [{ ...SELECTED, more: { kind: "skipped" } }, failing("x"), passing("x")]],
  ["it was in the background", [{ ...SELECTED, more: { background: true } }, failing("x"), passing("x")]],
  [
    "what a hook denied was let pass",
    [SELECTED, { reasons: ["no"], more: { results: [{ hook: "x", action: "deny", code: "SCOPE_VIOLATION" }] } }],
  ],
  ["it only failed", [SELECTED, failing("x"), passing("y")]],
  ["it passed before it failed", [SELECTED, passing("x"), failing("x")]],
  [
    "it was no command",
    [SELECTED, { event: "tool:error", args: {}, error: "e" }, { event: "tool:post_execute", args: {} }],
  ],
  ["it has no input", [SELECTED, { event: "tool:error", error: "e" }, { event: "tool:post_execute" }]],
  ["the tool was another one", [{ ...SELECTED, tool: "get_intent_context" }, failing("x"), passing("x")]],
])("there is no lesson where %s", (_, told) => {
  const { done, root } = lessons(told);
  expect(done).toEqual({});
  expect(existsSync(join(root, "CLAUDE.md"))).toBe(false);
});
