import { randomBytes, randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { writePrivate } from "../fs/write-atomic.ts";
import { isPrivate, type Quarters } from "./quarters.ts";

/** Where agents reach the engine over HTTP, and what they show there: the same for every engine, because settings name both. */
export interface HttpAddress {
  readonly port: number;
  readonly secret: string;
}

/** The address that agents were given, if there is one and only this user can read it. */
export function readAddress({ folder }: Pick<Quarters, "folder">): HttpAddress | undefined {
  const path = join(folder, NAME);
  try {
    const [, port, secret] = (isPrivate(path) && ADDRESS.exec(readFileSync(path, "latin1"))) || [];
    return port === undefined || secret === undefined ? undefined : { port: Number(port), secret };
  } catch {
    return undefined;
  }
}

/** Keeps an address for the engines to come. */
export function keepAddress({ folder }: Pick<Quarters, "folder">, { port, secret }: HttpAddress): void {
  writePrivate(join(folder, NAME), `${port} ${secret}\n`);
}

/** From now on no engine answers over HTTP. */
export function forgetAddress({ folder }: Pick<Quarters, "folder">): void {
  rmSync(join(folder, NAME), { force: true });
}

/** An address that nobody has yet; nothing where no port can be opened. */
export async function newAddress(): Promise<HttpAddress | undefined> {
  const port = await freePort();
  return port === undefined ? undefined : { port, secret: randomBytes(BYTES).toString("hex") };
}

/** A port below those that systems give to connections that go out: one of these might have it when an engine starts. */
async function freePort(): Promise<number | undefined> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: LOOPBACK, port }, () => server.close(() => resolve(true)));
  });
}

/** No other machine reaches it. */
export const LOOPBACK = "127.0.0.1";
const NAME = "http";
const BYTES = 32;
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const MOST_TURNS = 50;
const ADDRESS = /^(\d{1,5}) ([0-9a-f]{64})\n$/;
