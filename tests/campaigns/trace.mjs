// The tests of the trace's integrity with large numbers: `npm run campaign trace`. Takes some minutes.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sluice-stress-"));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
const outfile = join(folder, "stress.mjs");
await build({
  stdin: {
    contents: 'export * from "./tests/trace/stress.ts"; export { verifyTrace } from "./src/trace/change/verify.ts";',
    resolveDir: root,
  },
  define: { "import.meta.dirname": JSON.stringify(join(root, "tests/trace")) },
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
});
const { diceFrom, ground, killedInBetween, unnoticed, verifyTrace, writtenAtOnce } = await import(
  pathToFileURL(outfile)
);

const failures = [];
await tried("8 processes x 10,000 records", async (at) => {
  const seen = await writtenAtOnce(at, 8, 10_000);
  const { records, broken } = verifyTrace(at.place);
  const isComplete = [...seen.values()].every((turns) => turns.every((turn, index) => turn === index));
  return records === 80_000 && broken === undefined && seen.size === 8 && isComplete;
});
await tried("1,000 kills", async (at) => {
  let outcomes = [];
  for (let part = 0; part < 10; part++) {
    const fresh = ground();
    outcomes = [...outcomes, ...(await killedInBetween(fresh, 100, diceFrom(part + 1)))];
    fresh.forget();
  }
  return at && outcomes.length === 1000 && outcomes.every(({ broken }) => broken === undefined);
});
await tried("10,000 corruptions", (at) => unnoticed(at, 10_000, diceFrom(3)).length === 0);
rmSync(folder, { recursive: true, force: true });
process.exitCode = failures.length === 0 ? 0 : 1;

async function tried(name, act) {
  const at = ground();
  const began = performance.now();
  const isFine = await act(at);
  at.forget();
  console.log(`${isFine ? "fine  " : "FAILED"}  ${name}, ${Math.round((performance.now() - began) / 1000)} s`);
  if (!isFine) failures.push(name);
}
