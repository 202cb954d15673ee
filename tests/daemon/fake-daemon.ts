import { rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { writeToken } from "../../src/server/token.ts";
import type { DaemonHome } from "./daemon-home.ts";

/** Puts something else where the daemon's socket and its port would be; it hears every piece that a client sends. */
export async function fakeEngine(
  { runtimeDir }: DaemonHome,
  behave: (socket: Socket, heard: string, secret: string) => void,
): Promise<void> {
  const { daemon } = writeToken(runtimeDir.token);
  rmSync(runtimeDir.socket, { force: true });
  const sockets = new Set<Socket>();
  const hear = (socket: Socket) => {
    let heard = "";
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece) => {
      // A client may say all at once; the greeting is heard by itself.
      for (const part of apart(piece.toString("latin1"), GREETING_BYTES - heard.length)) {
        heard += part;
        behave(socket, heard, daemon);
      }
    });
  };
  const [named, numbered] = [createServer(hear), createServer(hear)];
  await new Promise<void>((resolve) => named.listen(runtimeDir.socket, resolve));
  await new Promise<void>((resolve) => numbered.listen(0, "127.0.0.1", resolve));
  const { port } = numbered.address() as AddressInfo;
  writeFileSync(join(runtimeDir.folder, "port"), `${port}\n`, { mode: 0o600 });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of [named, numbered]) server.close();
  });
}

/** Asks a client one question on a connection: its request may come in pieces, and two questions at once are none. */
export function askOnce(socket: Socket, question: string): void {
  if (ASKED.has(socket)) return;
  ASKED.add(socket);
  socket.write(question);
}

const ASKED = new WeakSet<Socket>();

/** A piece in which something ends after so many characters, in two. */
export function apart(piece: string, end: number): string[] {
  return end > 0 && end < piece.length ? [piece.slice(0, end), piece.slice(end)] : [piece];
}

/** How long the first line of either side is. */
export const GREETING_BYTES = 74;
