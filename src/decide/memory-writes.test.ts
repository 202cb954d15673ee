import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { memoryWrites } from "./memory-writes.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-memory-")));
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "AGENTS.md"), "old");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const call = (tool: string, args: unknown) => HookEvent.toolPreExecute(tool, args, { cwd: root });

describe("a tool call changes memory", () => {
  const patch =
    "*** Begin Patch\n*** Update File: AGENTS.md\n@@\n-old\n+new\n*** Add File: sub/CLAUDE.md\n+x\n*** End Patch";
  const diff = "--- a/src/x.ts\n+++ b/src/x.ts\n--- a/GEMINI.md\t2026\n+++ b/GEMINI.md\t2026\n";
  const rows: [what: string, tool: string, args: unknown, files: Record<string, string>][] = [
    ["writing it", "write", { path: "AGENTS.md", content: "new" }, { "AGENTS.md": "modified" }],
    [
      "writing one that is not there yet",
      "Write",
      { file_path: "sub/AGENTS.md", content: "" },
      { "sub/AGENTS.md": "created" },
    ],
    ["editing it", "Edit", { file_path: "AGENTS.md", old_string: "o", new_string: "n" }, { "AGENTS.md": "modified" }],
    ["under another spelling", "write", { path: "./sub/../agents.md", content: "" }, { "agents.md": "created" }],
    [
      "among other files",
      "multi_edit",
      { edits: [{ path: "a.ts" }, { path: "CLAUDE.md" }] },
      { "CLAUDE.md": "created" },
    ],
    ["deleting it", "delete_file", { path: "AGENTS.md" }, { "AGENTS.md": "deleted" }],
    ["by a patch", "apply_patch", { input: patch }, { "AGENTS.md": "modified", "sub/CLAUDE.md": "created" }],
    ["by a patch that is all the input", "apply_patch", "*** Delete File: AGENTS.md\n", { "AGENTS.md": "deleted" }],
    [
      "by a patch that moves a file over it",
      "apply_patch",
      { patch: "*** Update File: a.md\n*** Move to: AGENTS.md\n" },
      { "AGENTS.md": "modified" },
    ],
    ["by a diff", "apply_diff", { diff }, { "GEMINI.md": "created" }],
    ["with an unknown tool", "take_note", { path: "AGENTS.md", content: "new" }, { "AGENTS.md": "modified" }],
    ["through an MCP server", "mcp__files__put", { path: "AGENTS.md", content: "new" }, { "AGENTS.md": "modified" }],
  ];
  test.each(rows)("%s (%s)", async (_what, tool, args, files) => {
    const writes = await memoryWrites(call(tool, args));
    expect(Object.fromEntries(writes.map((write) => [write.file_path, write.update_type]))).toEqual(
      Object.fromEntries(Object.entries(files).map(([file, type]) => [join(root, file), type])),
    );
  });

  test("through a link that has another name", async () => {
    symlinkSync(join(root, "AGENTS.md"), join(root, "notes.md"));
    symlinkSync(root, join(root, "sub/up"));
    for (const path of ["notes.md", "sub/up/notes.md"]) {
      const [write] = await memoryWrites(call("write", { path, content: "new" }));
      expect(write).toMatchObject({ file_path: join(root, "AGENTS.md"), update_type: "modified" });
    }
  });

  test("by a pattern of the user's own", async () => {
    const event = call("write", { path: "docs/memory/a.txt", content: "" });
    expect(await memoryWrites(event)).toEqual([]);
    expect(await memoryWrites(event, { root, patterns: ["docs/memory/**"] })).toHaveLength(1);
  });
});

describe("a tool call changes no memory", () => {
  const rows: [what: string, tool: string, args: unknown][] = [
    ["reading it", "read", { path: "AGENTS.md" }],
    ["viewing it with an editor", "str_replace_based_edit_tool", { command: "view", path: "AGENTS.md" }],
    ["with a tool that is handed nothing to write", "summarise", { path: "AGENTS.md" }],
    ["writing another file", "write", { path: "AGENTS.md.bak", content: "" }],
    ["writing its name", "write", { path: "a.ts", content: "AGENTS.md" }],
    ["without any input", "write", undefined],
  ];
  test.each(rows)("%s (%s)", async (_what, tool, args) => {
    expect(await memoryWrites(call(tool, args))).toEqual([]);
  });
});

test("hashes and size are those before and after, where the call says all of it", async () => {
  const [whole] = await memoryWrites(call("write", { path: "AGENTS.md", content: "néw" }));
  expect(whole).toMatchObject({ previous_hash: hash("old"), new_hash: hash("néw"), content_size: 4 });
  const [part] = await memoryWrites(call("edit", { path: "AGENTS.md", old_string: "o", new_string: "n" }));
  expect(part).toMatchObject({ previous_hash: hash("old"), new_hash: null, content_size: null });
  const [fresh] = await memoryWrites(call("write", { path: "CLAUDE.md", content: "new" }));
  expect(fresh).toMatchObject({ previous_hash: null, new_hash: hash("new") });
});
