import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import type { DaemonHome } from "./daemon-home.ts";
import { apart, GREETING_BYTES } from "./fake-daemon.ts";

/** What passes between a client and its daemon, in the order in which it does. */
export type Passing =
  | "greeting"
  | "acknowledgement"
  | "request"
  | "READY"
  | "go on"
  | "HOOKS"
  | "hooks may begin"
  | "answer";

/** Called before something passes, which waits for a promise; what it returns is called when it has passed. */
type Watch = (passing: Passing) => (() => void) | Promise<void> | undefined;

/** A user whose clients reach the daemon through us. */
export interface Relayed extends DaemonHome {
  /** Who watches the next client. */
  watch: Watch;
}

/** Stands between clients and their daemon in a folder of that name, without either noticing. */
export async function relay(at: DaemonHome, name = "between"): Promise<Relayed> {
  const { home, runtimeDir, words } = at;
  const [client = "", ...cold] = words;
  const folder = join(home, name);
  const path = join(folder, basename(client));
  mkdirSync(folder, { mode: 0o700 });
  copyFileSync(client, path);
  copyFileSync(runtimeDir.token, join(folder, "token"));
  const sockets = new Set<Socket>();
  const relayed: Relayed = {
    ...at,
    words: [path, ...cold],
    watch: () => undefined,
    start: (args = ["claude-code"], env = {}) => {
      // Who was kept waiting has emptied it.
      writeFileSync(join(folder, "port"), `${(numbered.address() as AddressInfo).port}\n`, { mode: 0o600 });
      const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
      return spawn(path, [...cold, "run", ...args], { cwd: at.root, env: { ...at.env, ...env }, stdio });
    },
  };
  const hear = (connect: () => Socket) => (near: Socket) => {
    const { watch } = relayed;
    const far = connect();
    const seen: Passing[] = [];
    pass(near, far, (piece) => fromClient(piece, seen), watch);
    pass(far, near, (piece) => fromEngine(piece, seen), watch);
    for (const socket of [near, far]) sockets.add(socket);
  };
  // Who has said everything may still hear something.
  const allowHalfOpen = true;
  const named = createServer(
    { allowHalfOpen },
    hear(() => createConnection({ path: runtimeDir.socket, allowHalfOpen })),
  );
  const numbered = createServer(
    { allowHalfOpen },
    hear(() => createConnection({ port: portOf(runtimeDir.folder), allowHalfOpen })),
  );
  await new Promise<void>((resolve) => named.listen(join(folder, "socket"), resolve));
  await new Promise<void>((resolve) => numbered.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of [named, numbered]) server.close();
  });
  return relayed;
}

function portOf(folder: string): number {
  return Number(readFileSync(join(folder, "port"), "utf8"));
}

function pass(from: Socket, to: Socket, name: (piece: string) => Passing | undefined, watch: Watch): void {
  let passed = 0;
  let held: Promise<void> | undefined;
  /** At once, or behind what is held. */
  const inTurn = (act: () => void) => {
    if (held === undefined) act();
    else held = held.then(act);
  };
  from.on("data", (piece: Buffer) => {
    for (const part of apart(piece.toString("latin1"), GREETING_BYTES - passed)) {
      passed += part.length;
      const passing = name(part);
      const afterwards = passing && watch(passing);
      if (afterwards instanceof Promise) held = afterwards;
      inTurn(() => {
        if (!to.destroyed) to.write(part, "latin1", () => typeof afterwards === "function" && afterwards());
      });
    }
  });
  from.on("error", () => from.destroy());
  from.on("end", () => inTurn(() => to.end()));
  from.on("close", () => inTurn(() => to.destroySoon()));
}

function fromClient(piece: string, seen: Passing[]): Passing | undefined {
  if (piece.endsWith("\xff\xff\xff\xff")) return noted(seen.includes("HOOKS") ? "hooks may begin" : "go on", seen);
  return noted(seen.length === 0 ? "greeting" : "request", seen);
}

function fromEngine(piece: string, seen: Passing[]): Passing | undefined {
  if (!seen.includes("acknowledgement")) return noted("acknowledgement", seen);
  const [, word] = /^\n*(READY|HOOKS) \d+\n/.exec(piece) ?? [];
  if (word === "READY" || word === "HOOKS") return noted(word, seen);
  return piece.trim() === "" ? undefined : noted("answer", seen);
}

/** Each of them once: a request may come in several pieces. */
function noted(passing: Passing, seen: Passing[]): Passing | undefined {
  if (seen.includes(passing)) return undefined;
  seen.push(passing);
  return passing;
}
