import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Everything that tests put into the system's temporary folder lies in one of its own, and is gone afterwards. */
export default function setup(): () => void {
  // Every project of a run comes here; one folder inside the other would make names longer than a socket's may be.
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const folder = mkdtempSync(join(realpathSync(tmpdir()), PREFIX));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

const PREFIX = "sluice-tests-";
