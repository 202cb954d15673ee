import { createServer, type Server, type Socket } from "node:net";
import type { Handshake } from "./handshake.ts";
import { forgetSecret, readSecret, replaceSecret, sharedSecret } from "./pipe-secret.ts";
import { pipeName, proveToClient, proveToEngine, type Shared } from "./proof.ts";
import type { Quarters } from "./quarters.ts";
import { type Reached, reach } from "./reach.ts";

/**
 * A named pipe. Whoever comes second cannot listen under the same name, so of two engines that start one wins. A name that
 * somebody else has taken is given up: another secret gives another one.
 */
export const pipeMeeting = {
  canHandOn: false,
  wayTo: (quarters: Quarters) => {
    const secret = readSecret(quarters);
    if (secret === undefined) return undefined;
    const shared = sharedBy(secret, quarters);
    return { address: shared.address, handshake: proveToEngine(shared) };
  },
  listen: async (quarters: Quarters, hear: (socket: Socket, handshake: Handshake) => void) => {
    let secret = sharedSecret(quarters);
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const shared = sharedBy(secret, quarters);
      const who = await whoIsAt(shared);
      if (who === "ours") return undefined;
      const server =
        who === "nobody" && (await listenAt(shared.address, (client) => hear(client, proveToClient(shared))));
      if (server) return { server, ...placeOf(shared, quarters) };
      // Whoever came in between may be ours.
      if (who === "nobody" && (await whoIsAt(shared)) === "ours") return undefined;
      secret = replaceSecret(quarters);
    }
    return undefined;
  },
};

function placeOf({ secret, address }: Shared, quarters: Quarters) {
  return {
    address,
    isFound: () => readSecret(quarters) === secret,
    clear: () => forgetSecret(quarters, secret),
  };
}

function sharedBy(secret: string, { system }: Quarters): Shared {
  return { secret, address: pipeName(secret, system.pipes) };
}

/** Nothing when somebody has the name already. */
function listenAt(address: string, hear: (socket: Socket) => void): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, hear);
    server.maxConnections = MOST_CLIENTS;
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

async function whoIsAt(shared: Shared): Promise<Reached["who"]> {
  const reached = await reach({ address: shared.address, handshake: proveToEngine(shared) }, PROOF_MS);
  if (reached.who === "ours") reached.socket.destroy();
  return reached.who;
}

const MOST_TURNS = 3;
const MOST_CLIENTS = 512;
const PROOF_MS = 2000;
