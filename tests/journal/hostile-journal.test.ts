import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type Project, project } from "../cli/sluice.ts";

const NOW = new Date().toISOString();
const DAY = NOW.slice(0, "2000-01-01".length);
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, DAY.length);

const record = (id: string, command: unknown, more: object = {}) =>
  JSON.stringify({
    v: 1,
    id,
    time: NOW,
    kind: "decision",
    event: "tool:pre_execute",
    action: "continue",
    reasons: [],
    results: [],
    event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command } } },
    ...more,
  });
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** Lines that no version of the journal writes, among two that are whole. */
const lines = (id: string, root: string) => [
  record(`${id}1`, "make deploy", { root, cwd: root }),
  "{torn",
  "null",
  "[1,2]",
  "\u0000\u0001",
  record(`${id}2`, "ls", { v: 2, root }),
  record(`${id}3`, "ls", { time: "never", root }),
  record(`${id}4`, "ls", { results: [null, 5], root }),
  record(`${id}5`, "ls", { event_json: JSON.parse(deep(2000)), root }),
  record(`${id}6`, "ls", { event_json: 5, root }),
  record(`${id}7`, { toString: 1, __proto__: null }, { root, action: "constructor" }),
  record(`${id}9`, "DEEP", { root, cwd: root }).replace('"DEEP"', deep(5000)),
  deep(5000),
  "[".repeat(200_000),
  `{"long":"${"x".repeat(5_000_000)}"}`,
  record(`${id}8`, "make deploy \u202egnp.exe\u0007", { root, cwd: root }),
];

function hostile(): Project {
  const at = project();
  const put = (name: string, content: string | Buffer) => {
    const file = join(at.home, ".state/sluice/decisions", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  put(`${DAY}.jsonl`, lines("aaaaa", at.root).join("\n"));
  put(`${YESTERDAY}.jsonl.gz`, gzipSync(`${lines("bbbbb", at.root).join("\n")}\n`));
  const torn = gzipSync(`${record("ccccc1", "make deploy", { root: at.root })}\n`.repeat(200));
  put(`${YESTERDAY}.1.jsonl.gz`, torn.subarray(0, torn.length - 9));
  put("2026-13-99.jsonl", "x");
  put("notes.txt", "x");
  writeFileSync(
    join(at.root, "new.yaml"),
    `hooks:\n  - name: d\n    event: tool:pre_execute\n    rules: 'args.command contains "deploy" -> deny("no")'\n`,
  );
  return at;
}

it("a hostile journal is read as far as it goes by every command, and replayed the same each time", () => {
  const at = hostile();
  const words = ["replay", "--policy", "new.yaml", "--against", "recorded"];
  const first = at.sluice(...words, "--json");
  expect(first).toMatchObject({ code: 0, err: "" });
  const { changes } = JSON.parse(first.out) as { changes: { count: number }[] };
  expect(changes.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(4);
  expect(at.sluice(...words, "--json").out).toBe(first.out);
  const { out } = at.sluice(...words);
  expect(out).toMatch(/\d+ lines held no call that could be read/);
  for (const more of [["log"], ["log", "--json"], ["why", "aaaaa1"], ["stats"], ["suggest"], ["suggest", "--json"]]) {
    const said = at.sluice(...more);
    expect([more, said.code, /\n\s+at /.test(said.err)]).toEqual([more, 0, false]);
    if (!more.includes("--json")) expect([more, hasHidden(said.out)]).toEqual([more, false]);
  }
  expect(hasHidden(out)).toBe(false);
});

function hasHidden(text: string): boolean {
  return ["\u202e", "\u0007"].some((sign) => text.includes(sign));
}
