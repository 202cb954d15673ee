import type { Server, Socket } from "node:net";
import type { Handshake } from "./handshake.ts";
import { pipeTransport } from "./pipe-transport.ts";
import type { Route } from "./reach.ts";
import type { RuntimeDir } from "./runtime-dir.ts";
import { socketTransport } from "./socket-transport.ts";
import type { System } from "./system.ts";

/** How a daemon and its clients connect on one kind of system. */
export interface Transport {
  /** Begins to listen where clients connect; undefined where another daemon of this command listens there already. */
  readonly listen: (runtimeDir: RuntimeDir, onClient: OnClient) => Promise<OpenTransport | undefined>;
  /** Where a client connects; undefined where no daemon has begun. */
  readonly routeTo: (runtimeDir: RuntimeDir) => Route | undefined;
  /** Whether a client's socket can be passed to a worker, which then answers it. */
  readonly canPassSockets: boolean;
}

/** Takes a client that has connected, with the handshake that begins the connection. */
type OnClient = (socket: Socket, handshake: Handshake) => void;

/** The listening side of a transport. */
interface OpenTransport {
  readonly server: Server;
  readonly address: string;
  /** Whether clients still reach this daemon there. */
  readonly isReachable: () => boolean;
  /** Removes the files that lead to it. */
  readonly remove: () => void;
}

/** The transport of this user's system. */
export function transportFor({ system }: Pick<RuntimeDir, "system">): Transport {
  return TRANSPORTS[system.transport];
}

const TRANSPORTS: Readonly<Record<System["transport"], Transport>> = { socket: socketTransport, pipe: pipeTransport };
