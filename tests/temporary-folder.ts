import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Everything that tests put into the system's temporary folder lies in one of its own, and is gone afterwards. */
export default function setup(): () => void {
  // Every project of a run comes here; one folder inside the other would make names longer than a socket's may be.
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const folder = inMemory() ?? mkdtempSync(join(realpathSync(tmpdir()), PREFIX));
  process.env.TMPDIR = folder;
  return () => {
    // Behind the run, which need not wait for it; node takes ten times as long, where a system has no such program.
    const removing = spawn("rm", ["-rf", folder], { detached: true, stdio: "ignore" });
    removing.on("error", () => rmSync(folder, { recursive: true, force: true }));
    removing.unref();
  };
}

/** A folder in memory, where the system has room for one and runs programs from it: an eighth of a run goes into files on a disk. */
function inMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined) return undefined;
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    folder = mkdtempSync(join(SHARED_MEMORY, PREFIX));
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
  } catch {
    // Not every system has such a folder.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}

const SHARED_MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 2 ** 30;
/** Short: the names of sockets below it may not be long. */
const PREFIX = "sl-tests-";
