import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ConfirmationReader } from "./handshake.ts";
import { confirmationBytes } from "./protocol.ts";

/** What a client does when it is asked, and whether the daemon may go on. */
const CLIENTS: Readonly<Record<string, readonly [act: (client: Socket) => void, mayGoOn: boolean]>> = {
  "says yes": [(client) => client.write(confirmationBytes()), true],
  "says yes in two pieces": [
    (client) => {
      client.write(confirmationBytes().subarray(0, 1));
      setTimeout(() => client.write(confirmationBytes().subarray(1)), 20);
    },
    true,
  ],
  "still had something of its payload to say": [
    (client) => client.write(Buffer.concat([Buffer.from([0, 0, 0, 2, 32, 10]), Buffer.alloc(4), confirmationBytes()])),
    true,
  ],
  "goes away": [(client) => client.destroy(), false],
  "closes its side": [(client) => client.end(), false],
  "says yes and is gone before anybody has heard it": [
    (client) => {
      client.write(confirmationBytes());
      client.destroy();
    },
    false,
  ],
  "says what no client says": [(client) => client.write("GO ON\n"), false],
};

it.each(Object.entries(CLIENTS))("a client that %s", async (_, [act, mayGoOn]) => {
  const folder = mkdtempSync(join(tmpdir(), "go-"));
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const asked = new Promise<string>((resolve) => {
    server.listen(join(folder, "s"), () => {
      const client = createConnection(join(folder, "s"));
      sockets.push(client.on("error", () => {}));
      client.once("data", (line) => {
        act(client);
        resolve(line.toString());
      });
    });
  });
  const answered = new Promise<boolean>((resolve) => {
    server.on("connection", (socket) => {
      sockets.push(socket.on("error", () => {}));
      resolve(ConfirmationReader.listening(socket).ask("READY", 7));
    });
  });
  expect([await asked, await answered]).toEqual(["READY 7\n", mayGoOn]);
});
