import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createPlainServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { runHttp } from "../../src/runners/http.ts";
import type { Ran, RunContext } from "../../src/runners/runner.ts";

/** Something about to happen. */
export const EVENT: HookEvent = HookEvent.toolPreExecute("bash", { command: "ls ü" }, { sessionId: "s1" });

/** A server on this machine that lives as long as the test; the address it listens on. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/** A server that speaks bytes instead of HTTP. */
export async function serveBytes(connected: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createPlainServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    connected(socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/** What a request carried. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Runs one http hook as a file gives it, which may be wrong. */
export function ask(url: string, more: object = {}, context: Partial<RunContext> = {}, event = EVENT): Promise<Ran> {
  const hook = new Hook({ event: "*", url, ...more }, { isChecked: true });
  return runHttp(hook, event, { deadline: 5, workingDir: undefined, signal: undefined, depth: 1, ...context });
}
