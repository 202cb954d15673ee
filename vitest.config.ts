import { defineConfig } from "vitest/config";

// Node reads these certificates whenever it starts, and the tests start it some thousand times; those that need some name their own.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  test: {
    include: ["{src,tests}/**/*.test.ts"],
    reporters: ["default", "./tests/count-reporter.ts"],
    globalSetup: "./tests/temporary-folder.ts",
    // Files share a process, because reading everything anew for each of them takes minutes; what one changes is put back behind it.
    isolate: false,
    setupFiles: "./tests/same-process.ts",
    // Many tests wait for processes: four of them keep two cores busy.
    maxWorkers: 4,
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
