import { randomBytes, randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { readRegularFile } from "../../fs/regular-file.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { isPrivate, type RuntimeDir } from "../runtime-dir.ts";

/** Where agents reach the daemon over HTTP, and the secret they send: the same for every daemon, because settings name both. */
export interface HttpAddress {
  readonly port: number;
  readonly secret: string;
}

/** The address that agents were given, if there is one and only this user can read it. */
export function readAddress({ folder }: Pick<RuntimeDir, "folder">): HttpAddress | undefined {
  const path = join(folder, NAME);
  try {
    const [, port, secret] = (isPrivate(path) && ADDRESS.exec(readRegularFile(path).toString("latin1"))) || [];
    return port === undefined || secret === undefined ? undefined : { port: Number(port), secret };
  } catch {
    return undefined;
  }
}

/** Keeps an address for the daemons to come. */
export function keepAddress({ folder }: Pick<RuntimeDir, "folder">, { port, secret }: HttpAddress): void {
  writePrivate(join(folder, NAME), `${port} ${secret}\n`);
}

/** From now on no daemon answers over HTTP. */
export function forgetAddress({ folder }: Pick<RuntimeDir, "folder">): void {
  rmSync(join(folder, NAME), { force: true });
}

/** An address that is not in use; undefined where no port can be opened. */
export async function newAddress(): Promise<HttpAddress | undefined> {
  const port = await freePort();
  return port === undefined ? undefined : { port, secret: randomBytes(BYTES).toString("hex") };
}

/** A port below those that systems give to outgoing connections: such a connection might have it when a daemon starts. */
async function freePort(): Promise<number | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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

/** No other machine reaches this address. */
export const LOOPBACK = "127.0.0.1";
const NAME = "http";
const BYTES = 32;
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const MAX_ATTEMPTS = 50;
const ADDRESS = /^(\d{1,5}) ([0-9a-f]{64})\n$/;
