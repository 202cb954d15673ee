import { createConnection, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { confirmationBytes, greeting, requestBytes } from "../../src/server/protocol.ts";
import { readToken } from "../../src/server/token.ts";
import { ended } from "./ended.ts";
import { BEST, COLD, type DaemonHome, patientHome } from "./daemon-home.ts";
import { journalNames, NOTED, namedCall } from "./once.ts";

/** Says everything that a client says, but not to go on; gives what it hears. */
async function hesitating(at: DaemonHome, id: string): Promise<{ socket: Socket; heard: () => string }> {
  const token = readToken(at.runtimeDir.token);
  if (token === undefined) throw new Error("the daemon has no token");
  const socket = createConnection(at.runtimeDir.socket);
  onTestFinished(() => void socket.destroy());
  let heard = "";
  socket.on("data", (piece) => {
    heard += piece.toString("latin1");
  });
  const words = [...COLD, "run", "claude-code"];
  socket.write(greeting(token.client));
  socket.write(requestBytes({ words, env: at.env, cwd: at.root, payload: namedCall(at, id) }));
  await expect.poll(() => heard).toContain("READY");
  return { socket, heard: () => heard };
}

it("a client that hesitates keeps nobody waiting, and nothing of its call is done before it says so", async () => {
  const at = patientHome(NOTED, BEST);
  await at.warm();
  const { socket, heard } = await hesitating(at, "r1");
  const others = await Promise.all(["r2", "r3"].map((id) => ended(at, namedCall(at, id))));
  for (const { stdout } of others) expect(stdout).toContain("no rmm here");
  expect(heard()).not.toContain("DONE");
  expect(journalNames(at)).not.toContain("r1");
  socket.write(confirmationBytes());
  await expect.poll(heard).toContain("no rmm here");
  await expect.poll(() => journalNames(at).filter((id) => id !== "s")).toEqual(["r1", "r2", "r3"]);
});

it("of a client that goes away instead nothing is remembered", async () => {
  const at = patientHome(NOTED, BEST);
  await at.warm();
  const { socket } = await hesitating(at, "r1");
  socket.destroy();
  await ended(at, namedCall(at, "r2"));
  await expect.poll(() => journalNames(at).filter((id) => id !== "s")).toEqual(["r2"]);
});
