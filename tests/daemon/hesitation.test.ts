import { writeFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readKept, undoFolder } from "../../src/policies/undo/kept-call.ts";
import { confirmationBytes, greeting, requestBytes } from "../../src/server/protocol.ts";
import { readToken } from "../../src/server/token.ts";
import { BEST, COLD, type DaemonHome, sharedHome } from "./daemon-home.ts";
import { ended } from "./ended.ts";
import { journalNames, NOTED, namedCall } from "./once.ts";

/** Says everything that a client says, but not to go on; gives what it hears. */
async function hesitating(
  at: DaemonHome,
  payload: string,
  until = /READY/,
): Promise<{ socket: Socket; heard: () => string }> {
  const token = readToken(at.runtimeDir.token);
  if (token === undefined) throw new Error("the daemon has no token");
  const socket = createConnection({ path: at.runtimeDir.socket, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let heard = "";
  socket.on("data", (piece) => {
    heard += piece.toString("latin1");
  });
  const words = [...COLD, "run", "claude-code"];
  socket.write(greeting(token.client));
  socket.write(requestBytes({ words, env: at.env, cwd: at.root, payload }));
  await expect.poll(() => heard).toMatch(until);
  return { socket, heard: () => heard };
}

/** One daemon for all of them; each test has sessions of its own. */
const shared = sharedHome(BEST);

/** Which of these sessions stand in the journal, as often as they do. */
function namesAmong(at: DaemonHome, ...ids: readonly string[]): string[] {
  return journalNames(at).filter((id) => ids.includes(id));
}

it("a client that hesitates keeps no other call waiting, and nothing of its call is done before it says so", async () => {
  const at = shared(NOTED);
  await at.warm();
  const { socket, heard } = await hesitating(at, namedCall(at, "r1"));
  const others = await Promise.all(["r2", "r3"].map((id) => ended(at, namedCall(at, id))));
  for (const { stdout } of others) expect(stdout).toContain("no rmm here");
  expect(heard()).not.toContain("DONE");
  expect(journalNames(at)).not.toContain("r1");
  socket.write(confirmationBytes());
  await expect.poll(heard).toContain("no rmm here");
  await expect.poll(() => namesAmong(at, "r1", "r2", "r3")).toEqual(["r1", "r2", "r3"]);
});

it("of a client that goes away instead nothing is remembered", async () => {
  const at = shared(NOTED);
  await at.warm();
  // Once the journal has taken a record, a denial is answered first and recorded when its client has it.
  const { socket } = await hesitating(at, namedCall(at, "r4"), /READY|DONE/);
  socket.destroy();
  await ended(at, namedCall(at, "r5"));
  await expect.poll(() => namesAmong(at, "r4", "r5")).toEqual(["r5"]);
});

it("what a call writes over is kept before the answer, and forgotten where the client goes away without a word", async () => {
  const at = shared("guards: standard\n");
  await at.warm();
  writeFileSync(join(at.root, "notes.md"), "old");
  const call = { session_id: "s", cwd: at.root, hook_event_name: "PreToolUse", tool_name: "Bash" };
  const payload = JSON.stringify({ ...call, tool_input: { command: "echo new > notes.md" } });
  const kept = () => readKept(undoFolder(at.env)).map(({ command }) => command);
  const stays = await hesitating(at, payload, /DONE/);
  expect([kept(), stays.heard()]).toEqual([["echo new > notes.md"], expect.not.stringContaining("READY")]);
  stays.socket.write(confirmationBytes());
  const goes = await hesitating(at, payload, /DONE/);
  expect(kept()).toHaveLength(2);
  goes.socket.destroy();
  await expect.poll(() => kept().length).toBe(1);
});
