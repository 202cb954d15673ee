import { createServer, type Server, type Socket } from "node:net";
import type { Handshake } from "./handshake.ts";
import { pipeName, proveToClient, proveToDaemon, type PipeSecret } from "./pipe-proof.ts";
import { forgetSecret, readSecret, replaceSecret, sharedSecret } from "./pipe-secret.ts";
import { type Reached, reach } from "./reach.ts";
import type { RuntimeDir } from "./runtime-dir.ts";

/**
 * A named pipe. Of two daemons that start one wins, because a second process cannot listen under the same name. A name that
 * another program has taken is given up: another secret gives another name.
 */
export const pipeTransport = {
  canPassSockets: false,
  routeTo: (runtimeDir: RuntimeDir) => {
    const secret = readSecret(runtimeDir);
    if (secret === undefined) return undefined;
    const shared = sharedBy(secret, runtimeDir);
    return { address: shared.address, handshake: proveToDaemon(shared) };
  },
  listen: async (runtimeDir: RuntimeDir, onClient: (socket: Socket, handshake: Handshake) => void) => {
    let secret = sharedSecret(runtimeDir);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const shared = sharedBy(secret, runtimeDir);
      const peer = await peerAt(shared);
      if (peer === "daemon") return undefined;
      const server =
        peer === "none" && (await listenAt(shared.address, (client) => onClient(client, proveToClient(shared))));
      if (server) return { server, ...addressOf(shared, runtimeDir) };
      // Another daemon of this command may have started in between.
      if (peer === "none" && (await peerAt(shared)) === "daemon") return undefined;
      secret = replaceSecret(runtimeDir);
    }
    return undefined;
  },
};

function addressOf({ secret, address }: PipeSecret, runtimeDir: RuntimeDir) {
  return {
    address,
    isReachable: () => readSecret(runtimeDir) === secret,
    remove: () => forgetSecret(runtimeDir, secret),
  };
}

function sharedBy(secret: string, { system }: RuntimeDir): PipeSecret {
  return { secret, address: pipeName(secret, system.pipes) };
}

/** Undefined when another process has the name already. */
function listenAt(address: string, onClient: (socket: Socket) => void): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onClient);
    server.maxConnections = MAX_CLIENTS;
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

async function peerAt(shared: PipeSecret): Promise<Reached["peer"]> {
  const reached = await reach({ address: shared.address, handshake: proveToDaemon(shared) }, PROOF_MS);
  if (reached.peer === "daemon") reached.socket.destroy();
  return reached.peer;
}

const MAX_ATTEMPTS = 3;
const MAX_CLIENTS = 512;
const PROOF_MS = 2000;
