import { lstatSync, renameSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { readRegularFile } from "../fs/regular-file.ts";
import { createFile, writePrivate } from "../fs/write-atomic.ts";
import { type Handshake, HandshakeReader } from "./handshake.ts";
import { newNonce, type PipeSecret, pipeName, proveToClient, proveToDaemon } from "./pipe-proof.ts";
import { isPrivate, type RuntimeDir } from "./runtime-dir.ts";
import type { System } from "./system.ts";
import { checkSecret, readToken, sendSecret, writeToken } from "./token.ts";

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

/** A Unix socket in a private folder. The daemon binds a name of its own first and renames it, so that the known name always answers. */
const socketTransport = {
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
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onClient);
    server.maxConnections = MAX_CLIENTS;
    server.once("error", reject);
    server.once("listening", () => {
      renameSync(own, socket);
      resolve({ server, inode: inodeOf(socket) });
    });
    // The mode has to be right when the socket appears, in this very call: changing it afterwards would leave a gap.
    const mask = process.umask(0o177);
    try {
      server.listen({ path: own, backlog: MAX_CLIENTS });
    } finally {
      process.umask(mask);
    }
  });
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/**
 * A named pipe. Of two daemons that start one wins, because a second process cannot listen under the same name. A name that
 * another program has taken is given up: another secret gives another name.
 */
const pipeTransport = {
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
        peer === "none" && (await listenAtPipe(shared.address, (client) => onClient(client, proveToClient(shared))));
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
function listenAtPipe(address: string, onClient: (socket: Socket) => void): Promise<Server | undefined> {
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

type Place = Pick<RuntimeDir, "token" | "system">;

/** The secret that daemon and clients share, if there is one and only this user can read it. */
export function readSecret({ token, system }: Place): string | undefined {
  try {
    const text = isPrivate(token, system) ? readRegularFile(token).toString("latin1") : "";
    return SECRET.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** The secret that is there, or a new one; processes that make one at the same time get the same. */
export function sharedSecret(place: Place): string {
  const known = readSecret(place);
  if (known !== undefined) return known;
  // If there is one, another process was faster, or has left an incomplete one.
  createFile(place.token, line(newNonce()), 0o600);
  return readSecret(place) ?? replaceSecret(place);
}

/** Makes another secret, and with it another name: what was known about the old one is worthless. */
export function replaceSecret({ token }: Place): string {
  const secret = newNonce();
  writePrivate(token, line(secret));
  return secret;
}

/** Removes the secret, unless it is another daemon's by now. */
function forgetSecret(place: Place, secret: string): void {
  if (readSecret(place) === secret) rmSync(place.token, { force: true });
}

function line(secret: string): string {
  return `${secret}\n`;
}

/** Where a daemon should be, and the handshake that proves it is the right one. */
interface Route {
  readonly address: string;
  readonly handshake: Handshake;
}

/** What was at the other end. */
type Reached =
  | { readonly peer: "daemon"; readonly socket: Socket; readonly rest: Buffer }
  | { readonly peer: "none" }
  /** Something listens at the address and did not prove itself in time. */
  | { readonly peer: "unknown" };

/** Connects and lets the other side prove itself; only a proven daemon is sent anything of a call. */
export function reach({ address, handshake }: Route, timeoutMs: number): Promise<Reached> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const reader = new HandshakeReader(handshake);
    let isConnected = false;
    const end = (reached: Reached) => {
      clearTimeout(timeout);
      for (const name of ["data", "close"]) socket.removeAllListeners(name);
      if (reached.peer === "daemon") socket.pause();
      else socket.destroy();
      resolve(reached);
    };
    const timeout = setTimeout(() => end({ peer: "unknown" }), timeoutMs);
    // A connection that breaks also closes, and the next user of the socket sees that.
    socket.on("error", () => {});
    socket.on("close", () => end({ peer: isConnected ? "unknown" : "none" }));
    socket.on("connect", () => {
      isConnected = true;
      socket.write(handshake.opening);
    });
    socket.on("data", (piece: Buffer) => {
      const read = reader.read(piece);
      if (read.state === "refused") return end({ peer: "unknown" });
      if (read.reply !== "") socket.write(read.reply);
      if (read.state === "proven") end({ peer: "daemon", socket, rest: read.rest });
    });
  });
}

const SECRET = /^([0-9a-f]{64})\n$/;

const MAX_ATTEMPTS = 3;
const PROOF_MS = 2000;

const MAX_CLIENTS = 512;

const TRANSPORTS: Readonly<Record<System["transport"], Transport>> = { socket: socketTransport, pipe: pipeTransport };
