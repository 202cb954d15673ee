import type { Reporter, TestModule } from "vitest/node";

/** Closes a test run with plain lines: how many claims of `tests/assurance` were tried, and how many tests passed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const assurance = { claims: 0, worlds: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") count[state]++;
        if (!module.moduleId.includes("/tests/assurance/")) continue;
        if (test.name === "is reported when it is true") assurance.claims++;
        else if (test.name.startsWith("is not reported when ")) assurance.worlds++;
      }
      if (module.state() === "failed" && module.errors().length > 0) count.failed++;
    }
    if (assurance.claims > 0)
      process.stdout.write(
        `\nassurance: ${assurance.claims} claims, ${assurance.worlds} worlds in which they are false\n`,
      );
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
