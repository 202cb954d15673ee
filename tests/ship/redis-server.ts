import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connectRedis } from "../../src/stores/redis-client.ts";
import { freePort, type PostgresServer } from "./postgres-server.ts";

/** The server of Redis, where it is installed. */
export const REDIS = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/usr/bin/valkey-server"].find(
  existsSync,
);

/** A Redis of its own, which asks for a password. */
export async function startRedis(program: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "redis-"));
  const port = await freePort();
  const words = ["--port", String(port), "--dir", folder, "--save", "", "--requirepass", "word", "--bind", "127.0.0.1"];
  const server = spawn(program, words, { stdio: "ignore" });
  const gone = new Promise((resolve) => server.on("exit", resolve));
  const url = `redis://:word@127.0.0.1:${port}`;
  for (let tries = 0; tries < 100 && !(await answers(url)); tries++) await setTimeout(50);
  return {
    url,
    stop: async () => {
      server.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = await connectRedis(url).catch(() => undefined);
  client?.close();
  return client !== undefined;
}
