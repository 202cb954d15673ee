import { lstatSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { Handshake } from "./handshake.ts";
import type { Quarters } from "./quarters.ts";
import { hearSecret, showSecret } from "./shown-secrets.ts";
import { readToken, writeToken } from "./token.ts";

/** A socket in a private folder: the engine takes one of its own first, which then gets the known name, so that the name always answers. */
export const socketMeeting = {
  canHandOn: true,
  wayTo: ({ socket, token: path }: Quarters) => {
    const token = readToken(path);
    return token && { address: socket, handshake: showSecret(token) };
  },
  listen: async ({ socket, token: path }: Quarters, hear: (socket: Socket, handshake: Handshake) => void) => {
    const token = writeToken(path);
    const { server, inode } = await listenAt(socket, (client) => hear(client, hearSecret(token)));
    const isFound = () => inodeOf(socket) === inode;
    return {
      server,
      address: socket,
      isFound,
      clear: () => {
        if (isFound()) for (const file of [socket, path]) rmSync(file, { force: true });
      },
    };
  },
};

/** Resolves when the known name leads to this engine. */
function listenAt(
  socket: string,
  hear: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly inode: bigint | undefined }> {
  const own = `${socket}.${process.pid}`;
  rmSync(own, { force: true });
  // The mode has to be right from the first moment on; changing it afterwards would leave one.
  const mask = process.umask(0o177);
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, hear);
    server.maxConnections = MOST_CLIENTS;
    server.once("error", reject);
    server.listen({ path: own, backlog: MOST_CLIENTS }, () => {
      process.umask(mask);
      renameSync(own, socket);
      resolve({ server, inode: inodeOf(socket) });
    });
  });
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

const MOST_CLIENTS = 512;
