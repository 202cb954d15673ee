// Runs what needs a real browser: `npm run test:browser`. Without one it says how to get it, and ends with 2.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./find-browser.mjs";

const browser = findBrowser();
if (browser === undefined) {
  const { CHROMIUM } = process.env;
  console.error(CHROMIUM ? `CHROMIUM names ${CHROMIUM}, which cannot be run.` : "No Chromium was found on the path.");
  console.error("Install one (Debian and Ubuntu: apt-get install chromium), or name it: CHROMIUM=/path/of/chrome.");
  process.exitCode = 2;
} else {
  console.log(`browser  ${browser}`);
  const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
  const config = fileURLToPath(new URL("vitest.config.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [vitest, "run", "--config", config, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, CHROMIUM: browser },
  });
  process.exitCode = status ?? 1;
}
