import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { writeToken } from "../../src/resident/token.ts";
import type { EngineHome } from "./engine-home.ts";

/** Puts something else where the engine's socket would be; it hears every piece that a client sends. */
export async function fakeEngine(
  { quarters }: EngineHome,
  behave: (socket: Socket, heard: string, secret: string) => void,
): Promise<void> {
  const { engine } = writeToken(quarters.token);
  rmSync(quarters.socket, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let heard = "";
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece) => {
      heard += piece.toString("latin1");
      behave(socket, heard, engine);
    });
  });
  await new Promise<void>((resolve) => server.listen(quarters.socket, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}
