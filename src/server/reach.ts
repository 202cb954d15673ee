import { createConnection, type Socket } from "node:net";
import { type Handshake, Shaking } from "./handshake.ts";

/** Where an engine should be, and how to find out whether it is ours. */
export interface Way {
  readonly address: string;
  readonly handshake: Handshake;
}

/** Who was there. */
export type Reached =
  | { readonly who: "ours"; readonly socket: Socket; readonly rest: Buffer }
  | { readonly who: "nobody" }
  /** Whoever has the address did not prove himself in time. */
  | { readonly who: "stranger" };

/** Connects and lets the other side prove itself; what belongs to a call is for whoever is ours alone. */
export function reach({ address, handshake }: Way, patienceMs: number): Promise<Reached> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const shaking = new Shaking(handshake);
    let isConnected = false;
    const end = (reached: Reached) => {
      clearTimeout(patience);
      for (const name of ["data", "close"]) socket.removeAllListeners(name);
      if (reached.who === "ours") socket.pause();
      else socket.destroy();
      resolve(reached);
    };
    const patience = setTimeout(() => end({ who: "stranger" }), patienceMs);
    // A connection that breaks also closes; who is believed is asked again by whoever goes on with it.
    socket.on("error", () => {});
    socket.on("close", () => end({ who: isConnected ? "stranger" : "nobody" }));
    socket.on("connect", () => {
      isConnected = true;
      socket.write(handshake.opening);
    });
    socket.on("data", (piece: Buffer) => {
      const shaken = shaking.hear(piece);
      if (shaken.state === "refused") return end({ who: "stranger" });
      if (shaken.say !== "") socket.write(shaken.say);
      if (shaken.state === "proven") end({ who: "ours", socket, rest: shaken.rest });
    });
  });
}
