import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type Conversation, converse } from "./conversation.ts";
import type { Door } from "./door.ts";
import { LOOPBACK } from "./http-address.ts";
import type { Listening } from "./meeting.ts";
import type { Quarters } from "./quarters.ts";

/**
 * Answers clients that cannot reach a socket with a name: the same conversation on a port of this machine, another one for
 * every engine. The secrets of both sides are what makes it safe: whoever else reaches the port knows neither.
 */
export async function openPortDoor(
  { folder }: Quarters,
  welcome: Listening["welcome"],
  conversation: Conversation,
): Promise<Door> {
  const path = join(folder, NAME);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    converse(socket, welcome(), conversation);
    socket.on("data", () => nod(socket));
  });
  server.maxConnections = MOST_CLIENTS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: LOOPBACK, port: 0, backlog: MOST_CLIENTS }, resolve);
  });
  const address = server.address();
  const line = `${typeof address === "object" && address !== null ? address.port : 0}\n`;
  write();
  // A client that was kept waiting empties the file, so that no other waits; an engine that is well writes it again.
  const watch = setInterval(() => {
    if (read() === "") write();
  }, WATCH_MS);
  return { close };

  function write(): void {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, line, { mode: 0o600 });
    renameSync(draft, path);
  }

  function read(): string | undefined {
    try {
      return readFileSync(path, "latin1");
    } catch {
      return undefined;
    }
  }

  async function close(): Promise<void> {
    clearInterval(watch);
    if (read() === line) rmSync(path, { force: true });
    server.close();
    for (const socket of sockets) setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  }
}

/** Whether an engine has opened such a door. */
export function hasPort({ folder }: Pick<Quarters, "folder">): boolean {
  return existsSync(join(folder, NAME));
}

/**
 * A client that cannot set options of its connection sends one small piece, and the next when that has arrived; the system
 * says so at once only together with an answer. An empty line is one, and means nothing.
 */
function nod(socket: Socket): void {
  if (socket.bytesWritten > 0 && socket.writable) socket.write("\n");
}

const NAME = "port";
const MOST_CLIENTS = 512;
const WATCH_MS = 2000;
const FAREWELL_MS = 1000;
