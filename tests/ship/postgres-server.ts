import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { whileLocked } from "../../src/fs/lock.ts";
import { connectPostgres } from "../../src/stores/postgres-client.ts";

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
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })) : undefined;
  if (uid !== undefined) {
    chownSync(folder, uid, uid);
    for (let above = folder; above !== "/tmp" && above !== "/"; above = join(above, "..")) chmodSync(above, 0o755);
  }
  const as = uid === undefined ? {} : { uid, gid: uid };
  const make = (command: string, ...words: string[]) =>
    execFileSync(command, words, { ...as, cwd: folder, stdio: "ignore" });
  const kept = join(tmpdir(), "pg-data");
  const inTurn = () => {
    if (!existsSync(kept)) {
      make(join(bin, "initdb"), "-D", data, "-U", "sluice", "--auth=trust", "--no-sync", "--wal-segsize=1");
      try {
        renameSync(data, kept);
      } catch {
        // Another process has made one meanwhile; this one is as good.
        return true;
      }
    }
    make("cp", "-a", kept, data);
    return true;
  };
  // An empty database takes longer to make than all tests of it: there is one, which the processes of a test run copy.
  if (!whileLocked(`${kept}.lock`, inTurn, MADE_MS)) inTurn();
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

const MADE_MS = 20_000;

async function answers(url: string): Promise<boolean> {
  const client = await connectPostgres(url);
  const [isThere] = await Promise.allSettled([client.unsafe("select 1")]);
  await client.end({ timeout: 0 });
  return isThere.status === "fulfilled";
}
