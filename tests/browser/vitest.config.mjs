import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["tests/browser/*.browser.mjs"],
    reporters: ["verbose", "./tests/count-reporter.ts"],
    globalSetup: "./tests/temporary-folder.ts",
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
