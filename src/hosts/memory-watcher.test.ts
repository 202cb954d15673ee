import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Decision } from "../decision/decision.ts";
import { HooksManager } from "./hooks-manager.ts";
import { type MemoryWatch, type MemoryWatchOptions, watchMemory } from "./memory-watcher.ts";

let root: string;
let watch: MemoryWatch | undefined;
let seen: Decision[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-watch-")));
  for (const folder of ["sub", "node_modules/x", ".git"]) mkdirSync(join(root, folder), { recursive: true });
  put("AGENTS.md", "old");
  seen = [];
});

afterEach(async () => {
  await watch?.close();
  watch = undefined;
  rmSync(root, { recursive: true, force: true });
});

const put = (file: string, text: string) => writeFileSync(join(root, file), text);
const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const start = async (more: Partial<MemoryWatchOptions> = {}, hooks: object[] = []) => {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks };
  const onDecision = (decision: Decision) => void seen.push(decision);
  watch = await watchMemory({ manager, root, session: { sessionId: "s1" }, settleMs: 50, onDecision, ...more });
};
const told = () => seen.map(({ event: { data } }) => [String(data.file_path).slice(root.length + 1), data.update_type]);
const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 60_000, interval: 20 });

describe("a watch fires memory:update", () => {
  test("when a memory file was changed, with the hashes before and after", async () => {
    await start();
    put("AGENTS.md", "new!");
    await until(() => expect(told()).toEqual([["AGENTS.md", "modified"]]));
    expect(seen[0]?.event).toMatchObject({
      type: "memory:update",
      sessionId: "s1",
      cwd: root,
      data: { session_id: "s1", previous_hash: hash("old"), new_hash: hash("new!"), content_size: 4 },
    });
  });

  test("when one came, also in a new folder, and when one went", async () => {
    await start();
    mkdirSync(join(root, "sub/deep"));
    put("sub/deep/CLAUDE.md", "x");
    await until(() => expect(told()).toEqual([["sub/deep/CLAUDE.md", "created"]]));
    rmSync(join(root, "sub/deep/CLAUDE.md"));
    await until(() => expect(told()).toEqual([expect.anything(), ["sub/deep/CLAUDE.md", "deleted"]]));
    expect(seen[1]?.event.data).toMatchObject({ previous_hash: hash("x"), new_hash: null, content_size: null });
  });

  test("once for many writes, with what is there in the end", async () => {
    await start();
    for (const text of ["1", "2", "3", "4"]) put("AGENTS.md", text);
    put("AGENTS.md.tmp", "5");
    renameSync(join(root, "AGENTS.md.tmp"), join(root, "AGENTS.md"));
    await until(() => expect(told()).toEqual([["AGENTS.md", "modified"]]));
    expect(seen[0]?.event.data.new_hash).toBe(hash("5"));
  });

  test("for files that a pattern of the user's finds", async () => {
    await start({ patterns: ["sub/*.txt"] });
    put("sub/a.txt", "x");
    await until(() => expect(told()).toEqual([["sub/a.txt", "created"]]));
  });

  test("and hooks run, though they can undo nothing", async () => {
    const rules = [{ field: "file_path", operator: "ends_with", value: "AGENTS.md", action: "deny", reason: "no" }];
    await start({}, [{ type: "inline", matcher: { events: ["MemoryUpdate"] }, inline_rules: rules }]);
    put("AGENTS.md", "new");
    await until(() => expect(seen).toHaveLength(1));
    expect(seen[0]).toMatchObject({ action: "deny", reasons: ["no"] });
  });
});

describe("a watch is silent", () => {
  /** A change that is told last; whatever comes before it had its chance. */
  const lastOf = async () => {
    put("GEMINI.md", "last");
    await until(() => expect(told()).toContainEqual(["GEMINI.md", "created"]));
  };

  test("about files that were there, about other files, and about folders that were not written", async () => {
    await start();
    put("README.md", "x");
    put("node_modules/x/AGENTS.md", "x");
    put(".git/AGENTS.md", "x");
    await lastOf();
    expect(told()).toEqual([["GEMINI.md", "created"]]);
  });

  test("when the content is the same", async () => {
    await start();
    put("AGENTS.md", "other");
    put("AGENTS.md", "old");
    await lastOf();
    expect(told()).toEqual([["GEMINI.md", "created"]]);
  });

  test("about what lies behind a link out of the project", async () => {
    const outside = mkdtempSync(join(tmpdir(), "sluice-outside-"));
    symlinkSync(outside, join(root, "out"));
    await start();
    writeFileSync(join(outside, "AGENTS.md"), "x");
    await lastOf();
    expect(told()).toEqual([["GEMINI.md", "created"]]);
    rmSync(outside, { recursive: true });
  });

  test("after it was closed", async () => {
    await start();
    put("AGENTS.md", "new");
    await watch?.close();
    const before = seen.length;
    put("AGENTS.md", "newer");
    await new Promise((done) => setTimeout(done, 300));
    expect(seen.length).toBe(before);
  });
});

describe("a watch", () => {
  test("goes on when the host's own function breaks", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    await start({
      onDecision: (decision) => {
        seen.push(decision);
        if (seen.length === 1) throw new Error("broken");
      },
    });
    put("AGENTS.md", "1");
    await until(() => expect(seen).toHaveLength(1));
    put("AGENTS.md", "2");
    await until(() => expect(seen).toHaveLength(2));
    expect(warned.mock.calls[0]?.[0]).toContain("broken");
    warned.mockRestore();
  });

  test("needs somebody to tell", async () => {
    await expect(watchMemory({ root, session: { sessionId: "s" } })).rejects.toMatchObject({
      code: "memory/no-manager",
    });
  });
});
