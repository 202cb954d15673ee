// Runs the tests that make up their cases, with many more of them than a test run has.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = ["src", "tests"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name))
    .filter((name) => /from "(?:\.\.?\/)+(?:tests\/)?cases\.ts"/.test(readFileSync(join(root, name), "utf8"))),
);
const words = process.argv.slice(2);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
spawn(process.execPath, [vitest, "run", "--testTimeout=3600000", ...(words.length > 0 ? words : files)], {
  cwd: root,
  env: { ...process.env, FUZZ: "1" },
  stdio: "inherit",
}).on("close", (code) => {
  process.exitCode = code ?? 1;
});
