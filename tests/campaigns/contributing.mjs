// Follows the pages of docs/contributing in a copy of the repository: every block that begins with "text run" is run by sh, in order.
// A page that does not keep its word fails. `--only program` follows one. Takes a few minutes.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = join(root, "docs/contributing");
const at = process.argv.indexOf("--only");
const only = at < 0 ? undefined : process.argv[at + 1];
let failed = 0;
for (const page of readdirSync(pages)) {
  if (only !== undefined && page !== `${only}.md`) continue;
  const blocks = [...readFileSync(join(pages, page), "utf8").matchAll(/^```text run\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text,
  );
  if (blocks.length === 0) continue;
  const why = followed(blocks);
  if (why !== undefined) failed++;
  console.log(`${page}: ${why ?? `${blocks.length} blocks followed`}`);
}
process.exitCode = failed > 0 ? 1 : 0;

function followed(blocks) {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "sluice-page-")));
  try {
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${root}`, copy]);
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    for (const [number, text] of blocks.entries()) {
      const options = { cwd: copy, input: `set -e\n${text}`, encoding: "utf8", timeout: 300_000 };
      const { status, stdout, stderr } = spawnSync("sh", ["-s"], options);
      if (status !== 0) return `FAILED in block ${number + 1} with ${status}: ${(stdout + stderr).trim().slice(-600)}`;
    }
    return undefined;
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
}
