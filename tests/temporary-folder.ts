import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Everything that tests put into the system's temporary folder lies in one of its own, and is gone afterwards. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "sluice-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
