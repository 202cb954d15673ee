import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "vitest/config";
import { folderOfRun } from "../compiled-source.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the programs that tests run in processes of their own. */
    programs: string;
  }
}

/** Sources that tests run in processes of their own, by the names that they have there. */
const PROGRAMS = {
  "command-server": "tests/command-server/server.ts",
  "pipe-daemon": "tests/daemon/pipe-daemon.ts",
  lock: "src/fs/lock.ts",
  subprocess: "src/runners/subprocess.ts",
  "command-runner": "src/runners/command.ts",
  "ask-model": "tests/llm/ask-in-another-process.ts",
  "journal-writer": "tests/journal/journal-writer.ts",
};

/** Bundles those programs beside the packages that they load, while Vitest gets ready; every test run has its own. */
export function testPrograms(): Plugin {
  let building: Promise<unknown> | undefined;
  return {
    name: "test-programs",
    // Not earlier: other tools read the configuration without running tests.
    config: () => {
      const root = resolve(import.meta.dirname, "../..");
      const outdir = folderOfRun(root, "sluice-tests-");
      building = bundled(root, outdir);
      return { test: { provide: { programs: outdir } } };
    },
    async configureServer() {
      await building;
    },
  };
}

function bundled(root: string, outdir: string): Promise<unknown> {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return build({
    absWorkingDir: root,
    entryPoints: PROGRAMS,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // One file each, packages included: to find and read some hundred modules takes longer than the command itself.
    external: ["ai", "@ai-sdk/*", "jiti"],
    mainFields: ["module", "main"],
    banner: {
      js: 'import { createRequire as _requires } from "node:module"; const require = _requires(import.meta.url);',
    },
    format: "esm",
    platform: "node",
    target: "node20",
    define: {
      SLUICE_VERSION: JSON.stringify(version),
      // What is looked for beside the source is not beside these programs.
      "import.meta.url": JSON.stringify(pathToFileURL(join(root, "src/runners/program.ts")).href),
    },
  });
}
