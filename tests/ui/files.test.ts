import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashOfLines } from "../../src/trace/change/line-ranges.ts";
import type { LineAuthors, WireError, WrittenFiles } from "../../src/ui-server/wire.ts";
import { type LoggedIn, type PagesServer, pagesServer } from "./pages-server.ts";

async function get<T>(server: PagesServer, path: string, own: LoggedIn): Promise<T & Partial<WireError>> {
  return (await (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: own })).json()) as T &
    Partial<WireError>;
}

/** A record of the trace that wrote these lines of a file. */
function change(intent: string, path: string, start: number, lines: readonly string[], second: number): string {
  const range = { start_line: start, end_line: start + lines.length - 1, content_hash: hashOfLines(lines) };
  return `${JSON.stringify({
    id: `${intent}-${second}`,
    timestamp: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`,
    intent_id: intent,
    mutation_class: "INTENT_EVOLUTION",
    vcs: { revision_id: "unknown" },
    files: [{ relative_path: path, ranges: [range] }],
    agent: "an agent",
    session_id: "s1",
    tool: "Write",
    decision: { action: "continue", reasons: [] },
  })}\n`;
}

async function withTrace(): Promise<PagesServer> {
  const server = await pagesServer();
  const root = join(server.folder, "project");
  for (const folder of [".orchestration", "src"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, ".orchestration/active_intents.yaml"),
    'active_intents:\n  - { id: A, name: First, status: IN_PROGRESS, owned_scope: ["src/**"] }\n  - { id: B, name: Second, status: COMPLETED, owned_scope: ["docs/**"] }\n',
  );
  writeFileSync(join(root, "src/a.ts"), "by hand\none\ntwo\nmoved\nelse\n");
  writeFileSync(
    join(root, ".orchestration/agent_trace.jsonl"),
    [
      change("A", "src/a.ts", 1, ["moved"], 1),
      change("A", "src/a.ts", 5, ["lost"], 2),
      change("A", "src/a.ts", 2, ["one", "old"], 3),
      change("B", "src/a.ts", 2, ["one", "two"], 4),
      change("B", "src/b.ts", 1, ["gone"], 5),
    ].join(""),
  );
  return server;
}

test("every line says which call wrote it: still as written, moved, or changed since", async () => {
  const server = await withTrace();
  const own = await server.logIn();
  const { lines, changes } = await get<LineAuthors>(server, "/api/authors?file=src/a.ts", own);
  expect(
    lines.map(({ text, by, isRewritten }) => [text, by === undefined ? undefined : changes[by]?.id, isRewritten]),
  ).toEqual([
    ["by hand", undefined, undefined],
    ["one", "B-4", undefined],
    ["two", "B-4", undefined],
    ["moved", "A-1", undefined],
    ["else", "A-2", true],
  ]);
  expect(changes.find(({ id }) => id === "B-4")).toMatchObject({
    intent: "B",
    agent: "an agent",
    session: "s1",
    action: "continue",
  });
});

test("files that agents changed are listed with the intents they were changed for and those that own them", async () => {
  const server = await withTrace();
  const { files, intents } = await get<WrittenFiles>(server, "/api/files", await server.logIn());
  expect(files.map(({ path, changes, intents: named, owners }) => [path, changes, named, owners])).toEqual([
    ["src/b.ts", 1, ["B"], ["A"]],
    ["src/a.ts", 4, ["A", "B"], ["A"]],
  ]);
  expect(intents.map(({ id, scope }) => [id, scope])).toEqual([
    ["A", ["src/**"]],
    ["B", ["docs/**"]],
  ]);
});

test("the tree of the project has every file with the intents whose scopes it lies in", async () => {
  const server = await withTrace();
  const root = join(server.folder, "project");
  mkdirSync(join(root, "docs/deep"), { recursive: true });
  for (const path of ["README.md", "docs/deep/a.md", "src/shared.ts"]) writeFileSync(join(root, path), "");
  symlinkSync("../README.md", join(root, "src/linked.md"));
  const intents =
    'active_intents:\n  - { id: A, name: First, status: IN_PROGRESS, owned_scope: ["src/**", "!src/a.ts"] }\n  - { id: B, name: Second, status: COMPLETED, owned_scope: ["docs/**", "src/shared.ts"] }\n';
  writeFileSync(join(root, ".orchestration/active_intents.yaml"), intents);
  const { tree } = await get<WrittenFiles>(server, "/api/files", await server.logIn());
  expect(tree.paths.map((path, at) => [path, tree.ownerSets[tree.owners[at] ?? -1]])).toEqual([
    ["README.md", []],
    ["docs/deep/a.md", ["B"]],
    ["src/a.ts", []],
    ["src/shared.ts", ["A", "B"]],
  ]);
  expect(tree.isCut).toBe(false);
});

test("no file outside of the project is shown, by whatever path", async () => {
  const server = await withTrace();
  const own = await server.logIn();
  symlinkSync("/etc", join(server.folder, "project/src/etc"));
  for (const file of [
    "../assets/secret.txt",
    "/etc/passwd",
    "src/etc/passwd",
    "src/../../assets/secret.txt",
    "src/%2e%2e/%2e%2e/x",
    "",
    "src",
  ])
    expect((await get<LineAuthors>(server, `/api/authors?file=${file}`, own)).error, file).toBeTruthy();
});
