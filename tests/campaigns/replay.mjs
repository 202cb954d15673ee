// Replays some ten thousand made-up calls by thirty changed policies, and decides each of them again for real:
// `npm run campaign replay [calls] [seed]`. Ends with 1 at any wrong verdict.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [calls = "50000", seed = "1"] = process.argv.slice(2);
delete process.env.NODE_EXTRA_CA_CERTS;
const folder = mkdtempSync(join(tmpdir(), "sluice-campaign-"));
process.env.TMPDIR = folder;
try {
  await build({
    entryPoints: ["tests/replay/compare-replay.ts", "tests/replay/policy-changes.ts"],
    outdir: join(folder, "built"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    nodePaths: ["node_modules"],
    logLevel: "error",
    banner: {
      js: `import { createRequire as __make } from "node:module"; const require = __make("${pathToFileURL(join(process.cwd(), "package.json"))}");`,
    },
  });
  const { symlinkSync } = await import("node:fs");
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  const load = (name) => import(pathToFileURL(join(folder, "built", `${name}.mjs`)).href);
  const { compareReplay, recordedCalls } = await load("compare-replay");
  const { CHANGES } = await load("policy-changes");
  const names = Object.keys(CHANGES);
  const each = Math.max(1, Math.ceil(Number(calls) / names.length));
  let [wrong, untold, cannotTell, total] = [0, 0, 0, 0];
  for (const [index, name] of names.entries()) {
    const recorded = await recordedCalls(each, Number(seed) * 1000 + index);
    const found = await compareReplay(recorded, CHANGES[name]);
    recorded.remove();
    total += each;
    cannotTell += found.cannotTell;
    untold += found.untold.length;
    const isMiscounted = found.counted !== found.differing || found.drift > 0;
    wrong += found.wrong.length + (isMiscounted ? 1 : 0);
    console.log(
      `${name}: ${each} calls, ${found.differing} differ, ${found.cannotTell} cannot be told, ${found.wrong.length} wrong`,
    );
    for (const one of found.wrong.slice(0, 3)) console.log(JSON.stringify(one).slice(0, 2000));
    if (isMiscounted) console.log(`  the report counts ${found.counted} and ${found.drift} of drift`);
  }
  console.log(`${total} calls, ${cannotTell} cannot be told, ${untold} of them without reason, ${wrong} wrong`);
  process.exitCode = wrong + untold === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
