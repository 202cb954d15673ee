import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { backupPath, noteDown } from "../install/ledger.ts";
import { untoldTampering } from "../trace/tampering.ts";
import { watchTampering } from "./tamper-watch.ts";

it("at the end of a session, calls of the agent's own history that never arrived are told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-unasked-"));
  const env = { HOME: folder };
  const settings = join(folder, ".claude/settings.json");
  const transcript = join(folder, ".claude/projects/p/s-1.jsonl");
  mkdirSync(join(folder, ".claude/projects/p"), { recursive: true });
  noteDown(settings, { original: undefined, text: "{}" }, env);
  const before = Date.now() / 1000 - 3 * 60 * 60;
  utimesSync(backupPath(settings, env), before, before);
  const content = [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } }];
  const timestamp = new Date(Date.now() - 5 * 60_000).toISOString();
  const about = { parentUuid: null, isSidechain: false, cwd: tmpdir(), sessionId: "s-1", type: "assistant" };
  const call = { ...about, message: { id: "m", role: "assistant", content }, uuid: "a", timestamp };
  writeFileSync(transcript, `${JSON.stringify(call)}\n`);
  const watch = watchTampering([process.execPath, "/no/such/sluice.cjs"], env);
  try {
    const end = { hook_event_name: "SessionEnd", session_id: "s-1", transcript_path: transcript, cwd: folder };
    watch.called(JSON.stringify({ ...end, reason: "other" }));
    await vi.waitFor(
      () => {
        const told = untoldTampering("next", env).map(({ what }) => what);
        expect(told.join()).toMatch(/1 call .*(?:not asked about|never)/);
      },
      { timeout: 20_000, interval: 100 },
    );
  } finally {
    watch.close();
  }
});
