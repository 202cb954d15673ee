import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentsWithHistory, transcriptCalls } from "../../src/replay/transcript-calls.ts";
import { cases, seedOr } from "../cases.ts";
import { diceFor } from "../readers/dice.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "sluice-hostile-history-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function found(agent: string): Promise<{ readonly calls: number; readonly broken: number }> {
  const counts = { broken: 0 };
  let calls = 0;
  for await (const _ of transcriptCalls(agent, { env: { HOME: home }, root: "/here", since: "2020-01-01", counts }))
    calls++;
  return { calls, broken: counts.broken };
}

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

describe("an agent's history", () => {
  it("that is a damaged database is read as far as it goes", async () => {
    const folder = ".local/share/opencode";
    const [whole, log] = ["opencode.db", "opencode.db-wal"].map((name) =>
      readFileSync(join("fixtures/transcripts", name)),
    ) as [Buffer, Buffer];
    const dice = diceFor(seedOr(3));
    for (let round = 0; round < cases(20, 3000); round++) {
      const [db, wal] = [Buffer.from(whole), Buffer.from(log)];
      for (const bytes of [db, wal])
        for (let times = 0; times < 8; times++) bytes[dice.below(bytes.length)] = dice.below(256);
      put(`${folder}/opencode.db`, dice.onceIn(5) ? db.subarray(0, dice.below(db.length)) : db);
      put(`${folder}/opencode.db-wal`, dice.onceIn(5) ? wal.subarray(0, dice.below(wal.length)) : wal);
      expect((await found("opencode")).calls).toBeLessThan(60);
    }
  });

  it("that holds anything at all is passed over and counted", async () => {
    const bad = [
      "{torn",
      "[1,2]",
      "null",
      "7",
      `{"a":${'{"a":'.repeat(3000)}1${"}".repeat(3000)}}`,
      "[".repeat(100_000),
      `{"long":"${"x".repeat(10_000_000)}"}`,
      "\u0000\u0001\ufffe",
    ];
    const odd = [
      { sessionId: 1, uuid: {}, type: "assistant", message: { content: [null, { type: "tool_use", name: 5 }] } },
      { type: "response_item", payload: { type: "function_call", name: "shell", arguments: "{" } },
      { type: "gemini", timestamp: "never", toolCalls: [{}, null, { name: "x", args: 5 }] },
      { type: "assistant", sessionId: "s", message: { parts: [{ functionCall: { name: "x" } }, null] } },
      { table: "part", data: "{", id: 5, session_id: {} },
      { type: "tool", tool: "bash", state: { input: {}, time: { start: 1e300 } }, sessionID: "\u202e" },
    ].map((line) => JSON.stringify(line));
    const text = [...bad, ...odd].join("\n");
    for (const path of [
      ".claude/projects/-p/s.jsonl",
      ".codex/sessions/2026/11/16/rollout-1.jsonl",
      ".gemini/tmp/p/chats/session-1.jsonl",
      ".gemini/tmp/p/chats/session-2.json",
      ".qwen/projects/-p/chats/s.jsonl",
      ".local/share/opencode/storage/part/m/p.json",
    ])
      put(path, text);
    put(".local/share/opencode/opencode.db", text);
    put(".gemini/tmp/p/.project_root", "x".repeat(100_000));
    for (const agent of agentsWithHistory()) {
      const { broken, calls } = await found(agent);
      expect([agent, calls <= odd.length, broken > 0]).toEqual([agent, true, true]);
    }
  });
});
