import { createConnection, type Socket } from "node:net";
import { type Handshake, HandshakeReader } from "./handshake.ts";

/** Where a daemon should be, and the handshake that proves it is the right one. */
export interface Route {
  readonly address: string;
  readonly handshake: Handshake;
}

/** What was at the other end. */
export type Reached =
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
