import { lstatSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { Handshake } from "./handshake.ts";
import type { RuntimeDir } from "./runtime-dir.ts";
import { checkSecret, readToken, sendSecret, writeToken } from "./token.ts";

/** A Unix socket in a private folder. The daemon binds a name of its own first and renames it, so that the known name always answers. */
export const socketTransport = {
  canPassSockets: true,
  routeTo: ({ socket, token: path }: RuntimeDir) => {
    const token = readToken(path);
    return token && { address: socket, handshake: sendSecret(token) };
  },
  listen: async ({ socket, token: path }: RuntimeDir, onClient: (socket: Socket, handshake: Handshake) => void) => {
    const token = writeToken(path);
    const { server, inode } = await listenAt(socket, (client) => onClient(client, checkSecret(token)));
    const isReachable = () => inodeOf(socket) === inode;
    return {
      server,
      address: socket,
      isReachable,
      remove: () => {
        if (isReachable()) for (const file of [socket, path]) rmSync(file, { force: true });
      },
    };
  },
};

/** Resolves when the known name leads to this daemon. */
function listenAt(
  socket: string,
  onClient: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly inode: bigint | undefined }> {
  const own = `${socket}.${process.pid}`;
  rmSync(own, { force: true });
  // The mode has to be right when the socket appears: changing it afterwards would leave a gap.
  const mask = process.umask(0o177);
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onClient);
    server.maxConnections = MAX_CLIENTS;
    server.once("error", reject);
    server.listen({ path: own, backlog: MAX_CLIENTS }, () => {
      process.umask(mask);
      renameSync(own, socket);
      resolve({ server, inode: inodeOf(socket) });
    });
  });
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

const MAX_CLIENTS = 512;
