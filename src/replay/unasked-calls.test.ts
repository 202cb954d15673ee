import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backupPath, noteDown } from "../install/ledger.ts";
import { append, journalFolder } from "../trace/journal.ts";
import { unaskedCalls, unaskedInFile } from "./unasked-calls.ts";

const NOW = Date.now();
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

function home(): { readonly env: Record<string, string>; readonly transcript: string } {
  const folder = mkdtempSync(join(tmpdir(), "sluice-unasked-"));
  const env = { HOME: folder };
  const settings = join(folder, ".claude/settings.json");
  mkdirSync(join(folder, ".claude/projects/p"), { recursive: true });
  noteDown(settings, { original: undefined, text: "{}" }, env);
  const hours = (NOW - 3 * 60 * 60_000) / 1000;
  utimesSync(backupPath(settings, env), hours, hours);
  return { env, transcript: join(folder, ".claude/projects/p/s-1.jsonl") };
}

const line = (id: number, command: string, minutes: number) =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    cwd: tmpdir(),
    sessionId: "s-1",
    type: "assistant",
    message: {
      id: `msg_${id}`,
      role: "assistant",
      content: [{ type: "tool_use", id: `toolu_${id}`, name: "Bash", input: { command } }],
    },
    uuid: `a-${id}`,
    timestamp: at(minutes),
  });

const heard = (env: Record<string, string>, id: string) => {
  const about = { kind: "decision", agent: "claude-code", session_id: "s-1", event: "tool:pre_execute", tool: "Bash" };
  const came = { action: "continue", reasons: [], event_json: {}, results: [], duration_ms: 1 };
  append(journalFolder(env), JSON.stringify({ v: 1, id, time: at(5), ...about, ...came }));
};

it("counts the calls of a session that stand in the agent's history and not in the journal", async () => {
  const { env, transcript } = home();
  writeFileSync(transcript, `${[line(1, "ls", 9), line(2, "pwd", 8), line(3, "rm x", 7)].join("\n")}\n`);
  expect(await unaskedCalls(env, tmpdir())).toEqual([{ agent: "claude-code", session: "s-1", unasked: 3, made: 3 }]);
  expect(await unaskedInFile(transcript, "claude-code", env)).toMatchObject([{ unasked: 3 }]);
  heard(env, "0a0a0a");
  heard(env, "0b0b0b");
  expect(await unaskedCalls(env, tmpdir())).toMatchObject([{ unasked: 1, made: 3 }]);
  heard(env, "0c0c0c");
  expect(await unaskedCalls(env, tmpdir())).toEqual([]);
});

it("is not misled by canaries of doctor, and looks at runs without a terminal too", async () => {
  const { env, transcript } = home();
  const printed = (id: number) => JSON.stringify({ ...JSON.parse(line(id, "ls", 9)), entrypoint: "sdk-cli" });
  writeFileSync(transcript, `${[printed(1), printed(2)].join("\n")}\n`);
  const about = { kind: "decision", agent: "claude-code", event: "tool:pre_execute", tool: "Bash", event_json: {} };
  const denied = { action: "deny", reason: "sluice doctor's canary 1", hook: "canary" };
  const came = { action: "deny", reasons: [denied.reason], results: [denied], duration_ms: 1 };
  const canary = { v: 1, id: "0d0d0d", time: at(5), session_id: "sluice-doctor", ...about, ...came };
  append(journalFolder(env), JSON.stringify(canary));
  expect(await unaskedCalls(env, tmpdir())).toMatchObject([{ unasked: 2, made: 2 }]);
});

it("says nothing of calls before hooks were installed, or where they are not", async () => {
  const { env, transcript } = home();
  writeFileSync(transcript, `${line(1, "ls", 60 * 5)}\n`);
  expect(await unaskedCalls(env, tmpdir())).toEqual([]);
  expect(await unaskedInFile(transcript, "codex", env)).toEqual([]);
});
