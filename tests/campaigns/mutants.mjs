// Changes the code that decides, one place at a time, and counts the changes that no test notices:
// `npm run campaign mutants [files] [least score]`. It works on a copy of the last commit and brings Stryker there from npm.
// Half an hour for the files below on two idle cores. Ends with 1 below the least score.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FILES = "src/decision/*.ts,src/engine/chain.ts,src/engine/judge.ts,src/adapters/fit.ts";
const TESTS = [
  "src/decision/*.test.ts",
  "src/engine/chain.test.ts",
  "src/engine/judge.test.ts",
  "src/adapters/fit.test.ts",
  "tests/decide/differential.test.ts",
];
const STRYKER = ["@stryker-mutator/core@9.6.1", "@stryker-mutator/vitest-runner@9.6.1"];

const [files = FILES, least = "85"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "sluice-mutants-"));
const report = join(folder, "report.json");
const run = (program, ...words) =>
  execFileSync(program, words, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
try {
  run("git", "clone", "--quiet", process.cwd(), ".");
  cpSync("node_modules", join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
  run("npm", "install", "--no-save", "--no-audit", "--no-fund", ...STRYKER);
  writeFileSync(
    join(folder, "stryker.json"),
    JSON.stringify({
      testRunner: "vitest",
      plugins: ["@stryker-mutator/vitest-runner"],
      mutate: [...files.split(","), "!src/**/*.test.ts"],
      reporters: ["clear-text", "progress-append-only", "json"],
      jsonReporter: { fileName: report },
      vitest: { configFile: "vitest.mutants.mjs", related: false },
      ignorePatterns: ["dist", "fixtures", "docs", "ui", "bench", "packs"],
      // The compiler in use here has no interface for JavaScript.
      tsconfigFile: "none.json",
      ignoreStatic: true,
      concurrency: 2,
    }),
  );
  writeFileSync(
    join(folder, "vitest.mutants.mjs"),
    `export default { test: { include: ${JSON.stringify(TESTS)}, testTimeout: 60000, pool: "threads" } };`,
  );
  process.env.CASES = "60";
  run("node_modules/.bin/stryker", "run", "stryker.json");
  const mutants = Object.values(JSON.parse(readFileSync(report, "utf8")).files).flatMap((file) => file.mutants);
  const counted = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
  const [noticed, missed] = [counted("Killed", "Timeout"), counted("Survived", "NoCoverage")];
  const score = (100 * noticed) / Math.max(1, noticed + missed);
  console.log(`${noticed} of ${noticed + missed} changes are noticed: ${score.toFixed(1)} %`);
  process.exitCode = score >= Number(least) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
