import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connectPostgres } from "../../src/ship/postgres-client.ts";

/** The folder of Postgres' programs, where it is installed. */
export const POSTGRES = ["/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin"].find(
  existsSync,
);

/** A running database, and what ends it. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A database of its own. Its programs refuse to run as root, so root runs them as the user `postgres`. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })) : undefined;
  if (uid !== undefined) {
    chownSync(data, uid, uid);
    chownSync(folder, uid, uid);
    for (let above = folder; above !== "/tmp" && above !== "/"; above = join(above, "..")) chmodSync(above, 0o755);
    chmodSync(data, 0o700);
  }
  const as = uid === undefined ? {} : { uid, gid: uid };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "sluice", "--auth=trust", "--no-sync"], {
    ...as,
    cwd: folder,
    stdio: "ignore",
  });
  const port = await freePort();
  const options = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const server: ChildProcess = spawn(join(bin, "postgres"), options, { ...as, cwd: folder, stdio: "ignore" });
  const url = `postgres://sluice@127.0.0.1:${port}/postgres`;
  for (let tries = 0; tries < 100 && !(await answers(url)); tries++) await setTimeout(100);
  return {
    url,
    stop: async () => {
      const gone = new Promise((resolve) => server.on("exit", resolve));
      server.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = await connectPostgres(url);
  const [isThere] = await Promise.allSettled([client.unsafe("select 1")]);
  await client.end({ timeout: 0 });
  return isThere.status === "fulfilled";
}
