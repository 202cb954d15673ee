import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unexplainedChanges } from "../../src/trace/change/audit.ts";
import { whyUnwritable } from "../../src/trace/change/before-change.ts";
import { findByHash, findByLine } from "../../src/trace/change/find-change.ts";
import { tracePaths } from "../../src/trace/change/trace-paths.ts";
import { type Work, work } from "./work.ts";

const hashOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const edit = (at: Work, name: string, text: string, more: object = {}) =>
  at.call({ tool: "Edit", input: { file_path: at.path(name) }, does: () => at.write(name, text), ...more });

test("an edit is one record with exactly the lines that changed", async () => {
  const at = work({ "src/a.ts": "const a = 1;\nconst b = 2;\nconst c = 3;\n" });
  await edit(at, "src/a.ts", "const a = 1;\nconst b = 20;\nconst c = 3;\n");
  const [record, ...more] = at.records();
  expect(more).toEqual([]);
  expect(record).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    intent_id: null,
    mutation_class: "INTENT_EVOLUTION",
    vcs: { revision_id: "unknown" },
    files: [
      { relative_path: "src/a.ts", ranges: [{ start_line: 2, end_line: 2, content_hash: hashOf("const b = 20;") }] },
    ],
    agent: "json",
    session_id: "s1",
    tool: "Edit",
    tool_use_id: "call1",
    decision: { action: "continue", reasons: [] },
    engine_version: "9.9.9",
    previous_hash: null,
  });
});

test("a tool that writes what was there already is recorded, with the lines that it wrote", async () => {
  const at = work({ "src/a.ts": "const a = 1;\nconst b = 2;\nconst c = 3;\n", "a.md": "a\n" });
  const does = () => at.write("src/a.ts", at.read("src/a.ts"));
  const change = { old_string: "const b = 2;", new_string: "const b = 2;" };
  await at.call({ tool: "Edit", input: { file_path: "src/a.ts", ...change }, does });
  await at.call({ tool: "Write", input: { file_path: "a.md", content: "a\n" }, does: () => at.write("a.md", "a\n") });
  expect(at.records()).toMatchObject([
    {
      mutation_class: "FORMAT_ONLY",
      files: [{ unchanged: true, ranges: [{ start_line: 2, end_line: 2, content_hash: hashOf("const b = 2;") }] }],
    },
    {
      mutation_class: "NON_CODE",
      files: [{ unchanged: true, ranges: [{ start_line: 1, end_line: 1, content_hash: hashOf("a") }] }],
    },
  ]);
});

test("a failed tool and a shell line that change nothing leave no record", async () => {
  const at = work({ "a.md": "a\n" });
  await edit(at, "a.md", "a\n", { fails: true });
  await at.call({ tool: "Bash", input: { command: "echo a > a.md" }, does: () => at.write("a.md", "a\n") });
  expect(at.records()).toEqual([]);
});

test("lines that were only written again still belong to the call that made them", async () => {
  const at = work({ "a.ts": "one();\n" });
  await edit(at, "a.ts", "one();\ntwo();\n", { session: "first" });
  await edit(at, "a.ts", "one();\ntwo();\n", { session: "second" });
  expect(findByLine(at, "a.ts", 2)).toMatchObject([
    { state: "intact", record: { session_id: "first" } },
    { state: "again", record: { session_id: "second" } },
  ]);
});

test("a part that was written again explains nothing that a person wrote beside it, and a whole file explains itself", async () => {
  const at = work({ "part.md": "by a person\nb\n", "whole.md": "by a person\n" });
  const found = () => unexplainedChanges(at, { usesGit: false, since: 0 }).files.map(({ path }) => path);
  expect(found().sort()).toEqual(["part.md", "whole.md"]);
  const does = () => {};
  await at.call({ tool: "Edit", input: { file_path: "part.md", old_string: "b", new_string: "b\n" }, does });
  await at.call({ tool: "Write", input: { file_path: "whole.md", content: "by a person\n" }, does });
  expect(found()).toEqual(["part.md"]);
});

test("what is only written again is no news to another session", async () => {
  const at = work({ "a.md": "a\n" }, { intents: { mode: "enforce" } });
  await at.call({ tool: "Read", input: { file_path: "a.md" }, does: () => {}, session: "one" });
  await edit(at, "a.md", "a\n", { session: "two" });
  expect((await edit(at, "a.md", "mine\n", { session: "one" })).before.action).toBe("continue");
  at.write("a.md", "by a person\n");
  const { before } = await edit(at, "a.md", "mine again\n", { session: "one" });
  expect(before.reasons).toEqual([expect.stringContaining("no recorded call did it")]);
});

test("a new file is all its lines, a deleted one has none, a moved one names where it was", async () => {
  const at = work({ "old.py": "a = 1\nb = 2\n", "gone.py": "x = 1\n" });
  await at.call({
    tool: "Write",
    input: { file_path: "new.py", content: "y = 1\nz = 2" },
    does: () => at.write("new.py", "y = 1\nz = 2"),
  });
  await at.call({ tool: "Bash", input: { command: "rm gone.py" }, does: () => rmSync(at.path("gone.py")) });
  await at.call({
    tool: "Bash",
    input: { command: "mv old.py moved.py" },
    does: () => renameSync(at.path("old.py"), at.path("moved.py")),
  });
  const [created, deleted, moved] = at.records().map(({ files }) => files);
  expect(created).toMatchObject([
    {
      relative_path: "new.py",
      created: true,
      ranges: [{ start_line: 1, end_line: 2, content_hash: hashOf("y = 1\nz = 2") }],
    },
  ]);
  expect(deleted).toMatchObject([{ relative_path: "gone.py", deleted: true, ranges: [] }]);
  expect(moved).toMatchObject([{ relative_path: "moved.py", renamed_from: "old.py", ranges: [] }]);
  expect(moved).toHaveLength(1);
});

test("bytes that are no text have a hash and no lines", async () => {
  const at = work();
  const bytes = Buffer.from([0, 1, 2, 255]);
  await at.call({ tool: "Write", input: { file_path: "a.png" }, does: () => at.write("a.png", bytes) });
  const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  expect(at.records()).toMatchObject([
    { mutation_class: "NON_CODE", files: [{ binary: true, ranges: [], content_hash: hash }] },
  ]);
});

test("a patch with many files is one record with all of them", async () => {
  const at = work({ "a.md": "a\n", "b.md": "b\n" });
  const patch =
    "*** Begin Patch\n*** Update File: a.md\n@@\n-a\n+A\n*** Update File: b.md\n@@\n-b\n+B\n*** Add File: c.md\n+c\n*** End Patch";
  await at.call({
    tool: "apply_patch",
    input: { input: patch },
    does: () => {
      for (const [name, text] of [
        ["a.md", "A\n"],
        ["b.md", "B\n"],
        ["c.md", "c\n"],
      ] as const)
        at.write(name, text);
    },
  });
  const [record] = at.records();
  expect(record?.files.map(({ relative_path }) => relative_path).sort()).toEqual(["a.md", "b.md", "c.md"]);
  expect(record?.mutation_class).toBe("NON_CODE");
});

test.each(["echo hi > out.txt", "echo hi | tee out.txt", "sh -c 'echo hi > out.txt'"])(
  "what %j writes is recorded",
  async (command) => {
    const at = work();
    await at.call({ tool: "Bash", input: { command }, does: () => at.write("out.txt", "hi\n") });
    expect(at.records()).toMatchObject([
      { files: [{ relative_path: "out.txt", ranges: [{ start_line: 1, end_line: 1 }] }] },
    ]);
  },
);

test("a program whose effects are unknown is recorded by what changed while it ran", async () => {
  const at = work({ "a.txt": "a\n" });
  await new Promise((wake) => setTimeout(wake, 50));
  await at.call({ tool: "Bash", input: { command: "./mystery --all" }, does: () => at.write("deep/made.txt", "x\n") });
  expect(at.records()).toMatchObject([
    { is_open: true, files: [{ relative_path: "deep/made.txt", inferred: true, before: "unknown" }] },
  ]);
  await at.call({ tool: "Bash", input: { command: "./mystery --nothing" }, does: () => {} });
  expect(at.records()).toHaveLength(1);
});

test("calls that only read are not recorded", async () => {
  const at = work({ "a.ts": "a\n" });
  await at.call({ tool: "Read", input: { file_path: "a.ts" }, does: () => {} });
  await at.call({ tool: "Bash", input: { command: "ls -la" }, does: () => {} });
  expect(at.records()).toEqual([]);
});

test("a write outside of the project is recorded by its way from the root", async () => {
  const at = work();
  await edit(at, "../beside.md", "a\nb\n");
  await at.call({
    tool: "Bash",
    input: { command: "echo hi > ../out.md" },
    does: () => at.write("../out.md", "hi\n"),
  });
  expect(at.records().map(({ files }) => files)).toMatchObject([
    [{ relative_path: "../beside.md", created: true, ranges: [{ start_line: 1, end_line: 2 }] }],
    [{ relative_path: "../out.md", created: true, ranges: [{ start_line: 1, end_line: 1 }] }],
  ]);
});

test("what was written and cannot be read is recorded without lines; a new folder is not", async () => {
  const at = work();
  const does = () => at.write("large.bin", Buffer.alloc(65 * 1024 * 1024));
  await at.call({ tool: "Write", input: { file_path: "large.bin" }, does });
  await at.call({ tool: "Write", input: { file_path: "large.bin" }, does, fails: true });
  await at.call({ tool: "Bash", input: { command: "mkdir new" }, does: () => mkdirSync(at.path("new")) });
  await at.call({ tool: "Bash", input: { command: "echo > /dev/null" }, does: () => {} });
  expect(at.records()).toMatchObject([{ files: [{ relative_path: "large.bin", ranges: [] }] }]);
});

test("a file that is not there after its write is said to be missing, and never created", async () => {
  const at = work();
  await at.call({ tool: "Write", input: { file_path: "held.md", content: "one\ntwo" }, does: () => {} });
  const [record, ...more] = at.records();
  expect(more).toEqual([]);
  expect(record?.files).toMatchObject([
    {
      relative_path: "held.md",
      not_on_disk: true,
      ranges: [{ start_line: 1, end_line: 2, content_hash: hashOf("one\ntwo") }],
    },
  ]);
  expect(record?.files[0]).not.toHaveProperty("created");
});

test("a tool that failed is recorded with what it changed before", async () => {
  const at = work({ "a.md": "a\n" });
  await edit(at, "a.md", "b\n", { fails: true });
  expect(at.records()).toMatchObject([{ failed: true, files: [{ relative_path: "a.md" }] }]);
});

test("nothing is traced without a setting, and everything where a trace is kept", async () => {
  const none = work({ "a.md": "a\n" }, { isTraceStated: false });
  await edit(none, "a.md", "b\n");
  expect(existsSync(none.path(".orchestration"))).toBe(false);
  mkdirSync(none.path(".orchestration"));
  await edit(none, "a.md", "c\n");
  expect(none.records()).toHaveLength(1);
  const off = work({ "a.md": "a\n", ".orchestration/x": "" }, { trace: "off" });
  await edit(off, "a.md", "b\n");
  expect(off.records()).toEqual([]);
});

test("a line is found by where it stands, also after it moved, and by its hash", async () => {
  const at = work({ "a.ts": "one();\n" });
  await edit(at, "a.ts", "one();\ntwo();\nthree();\n");
  at.write("a.ts", "zero();\nnull();\none();\ntwo();\nthree();\n");
  expect(findByLine(at, "a.ts", 5)).toMatchObject([
    { state: "moved", start_line: 4, end_line: 5, record: { session_id: "s1" } },
  ]);
  at.write("b.ts", "two();\nthree();\n");
  expect(findByLine(at, "b.ts", 1)).toMatchObject([{ state: "moved", path: "a.ts" }]);
  expect(findByHash(at, hashOf("two();\nthree();"))).toMatchObject([{ path: "a.ts", start_line: 2 }]);
  expect(findByLine(at, "a.ts", 1)).toEqual([]);
});

test("what is remembered of a call is for its user alone, and gone with its end", async () => {
  const at = work({ "a.md": "a\n" });
  let during: string[] = [];
  const does = () => {
    during = readdirSync(join(at.state, "calls"));
    for (const name of during) expect(statSync(join(at.state, "calls", name)).mode & 0o077).toBe(0);
  };
  await at.call({ tool: "Edit", input: { file_path: "a.md" }, does });
  expect(during).toHaveLength(1);
  expect(readdirSync(join(at.state, "calls"))).toEqual([]);
});

test("a write over changes that its session has not seen is denied, with who made them", async () => {
  const at = work({ "a.md": "a\n" }, { intents: { mode: "enforce" }, intentOf: ({ sessionId }) => `INT-${sessionId}` });
  await at.call({ tool: "Read", input: { file_path: "a.md" }, does: () => {}, session: "one" });
  await at.call({ tool: "Read", input: { file_path: "a.md" }, does: () => {}, session: "two" });
  await edit(at, "a.md", "a\nb\n", { session: "two" });
  const { before } = await edit(at, "a.md", "mine\n", { session: "one" });
  expect(before).toMatchObject({
    action: "deny",
    reasons: [expect.stringMatching(/a\.md has changed since.*session two for INT-two.*lines 2-2/)],
  });
  expect(before.toHookDecision()).toMatchObject({ allow: false, code: "STALE_WRITE" });
  await at.call({ tool: "Read", input: { file_path: "a.md" }, does: () => {}, session: "one" });
  expect((await edit(at, "a.md", "mine\n", { session: "one" })).before.action).toBe("continue");
  expect((await edit(at, "a.md", "mine again\n", { session: "one" })).before.action).toBe("continue");
});

test("where intents are only advised, it is told instead", async () => {
  const at = work({ "a.md": "a\n" }, { intents: { mode: "advise" } });
  await at.call({ tool: "Read", input: { file_path: "a.md" }, does: () => {} });
  at.write("a.md", "other\n");
  const { before } = await edit(at, "a.md", "mine\n");
  expect(before).toMatchObject({ action: "continue", contexts: [expect.stringMatching(/no recorded call did it/)] });
});

test("`trace: required` denies what cannot be recorded, and only that", async () => {
  const at = work({ "a.md": "a\n" }, { trace: "required" });
  symlinkSync("/dev/null", at.path(".orchestration"));
  const { before } = await edit(at, "a.md", "b\n");
  expect(before.action).toBe("deny");
  expect(before.toHookDecision()).toMatchObject({
    code: "HOOK_ERROR",
    reason: expect.stringContaining("trace: required"),
  });
  expect((await at.call({ tool: "Read", input: { file_path: "a.md" }, does: () => {} })).before.action).toBe(
    "continue",
  );
  rmSync(at.path(".orchestration"));
  expect((await edit(at, "a.md", "b\n")).before.action).toBe("continue");
  expect(at.records()).toHaveLength(1);
});

test("a folder without the right to write and a full disk are reasons not to be able to record", () => {
  const at = work();
  const place = tracePaths(at);
  expect(whyUnwritable(place)).toBeUndefined();
  expect(whyUnwritable(place, Number.MAX_SAFE_INTEGER)?.message).toContain("is full");
  mkdirSync(place.folder);
  chmodSync(place.folder, 0o500);
  const isRoot = process.getuid?.() === 0;
  expect(whyUnwritable(place) === undefined).toBe(isRoot);
  chmodSync(place.folder, 0o700);
});
