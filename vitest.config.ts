import { statSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { builtPackage } from "./tests/built-package.ts";
import { testPrograms } from "./tests/command-server/build.ts";
import { compiledSource } from "./tests/compiled-source.ts";

// Node reads these certificates whenever it starts, and the tests start it some thousand times; those that need some name their own.
delete process.env.NODE_EXTRA_CA_CERTS;
// The bundler makes a few bundles and ends: collecting its memory on the way costs a quarter of its time.
process.env.GOGC ??= "off";

const isWholeRun = process.argv.includes("run") && process.argv.slice(3).every((word) => word.startsWith("-"));

/** `npx vitest run` of single files takes the package as it was built last. */
const isNpmTest = process.env.npm_lifecycle_event === "test";

/**
 * What starts most processes comes first, and what takes a moment last: no single long file is left for the end, and starting a
 * process costs more the more memory this one has.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = files.map((file) => {
      const rank = STARTS_MOST.test(file.moduleId) ? 0 : STARTS_SOME.test(file.moduleId) ? 1 : 2;
      return { file, rank, size: statSync(file.moduleId).size };
    });
    const sorted = ranked.sort((one, other) => one.rank - other.rank || other.size - one.size);
    const waiting = sorted.filter(({ file }) => WAITS.test(file.moduleId));
    const busy = sorted.filter((one) => !waiting.includes(one));
    const apart = Math.floor((busy.length * SPREAD) / (waiting.length + 1));
    for (const [at, one] of waiting.entries()) busy.splice(at * (apart + 1), 0, one);
    return busy.map(({ file }) => file);
  }
}

/** Each of these starts some hundred, or ends the process for commands of its worker, which then begins anew. */
const STARTS_MOST =
  /\/tests\/(?:undo\/(?:kept|unclear)|daemon\/(?:once|faults|same)|trust\/templates|protect\/same|guards\/remedies|adapters\/conformance|command-server)|\/src\/(?:policies\/(?:undo\/(?:git-)?losses|undo\/restore-refs|protect\/git-)|templates|engine\/executor|hosts\/tool)/;
/** These mostly wait, and lie apart from each other: together they would leave the processors idle. */
const WAITS =
  /\/tests\/(?:daemon\/(?:once|faults|node-client|http-listener|judges|pipe|servers)|protect\/person|faults\/(?:doors|faults)|plugins|ui\/store|programs\/async-exit|llm\/trouble)|\/src\/(?:hosts\/tool|runners\/(?:subprocess|combine)\.|server\/daemon\.|adapters\/(?:amp|opencode))/;
/** The last files are short: one that waits among them would end alone. */
const SPREAD = 0.6;
const STARTS_SOME = /\/tests\/|\/src\/(?:runners|hosts|server|policies\/undo)/;

export default defineConfig({
  // A run of single files shows the lines of the source in every trace.
  plugins: [
    testPrograms(),
    ...(isNpmTest || isWholeRun ? [builtPackage()] : []),
    ...(isWholeRun ? [compiledSource()] : []),
  ],
  test: {
    include: ["{src,tests}/**/*.test.ts"],
    reporters: ["default", "./tests/count-reporter.ts"],
    globalSetup: ["./tests/real-python.ts", "./tests/temporary-folder.ts"],
    // Files share a process, because reading everything anew for each of them takes minutes; what one changes is put back behind it.
    isolate: false,
    // Packages are imported as node imports them; what is read through a proxy takes longer.
    deps: { interopDefault: false },
    runner: "./tests/runner.ts",
    // Many tests wait for processes: three workers for each core keep it busy.
    maxWorkers: 6,
    // Most code runs too briefly to be worth optimising, and WebAssembly as well: a fifth of the processor time went into that.
    // Later versions of Node do not have both options, and do not start with one that they do not know.
    execArgv: process.version.startsWith("v20.") ? ["--interrupt-budget=1000000", "--no-wasm-tier-up"] : [],
    sequence: { sequencer: LongFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
