import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    reporters: ["default", "./tests/count-reporter.ts"],
    globalSetup: "./tests/temporary-folder.ts",
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
