import { defineConfig } from "vitest/config";

/** Tests that leave nothing behind in their process. */
const TIDY = "tests/{adapters,guards,readers,request,rules,shell,testing}/**/*.test.ts";

export default defineConfig({
  test: {
    reporters: ["default", "./tests/count-reporter.ts"],
    globalSetup: "./tests/temporary-folder.ts",
    // Many tests wait for processes: a third one uses what the others leave.
    maxWorkers: 3,
    testTimeout: 20_000,
    projects: [
      // Tests beside their files share one process: nothing of them outlives a test, and reading everything anew for each file takes a minute.
      { extends: true, test: { name: "rooms", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "tables", include: [TIDY], isolate: false } },
      { extends: true, test: { name: "house", include: ["tests/**/*.test.ts"], exclude: [TIDY] } },
    ],
  },
});
