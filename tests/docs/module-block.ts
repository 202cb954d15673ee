import { rmSync } from "node:fs";
import { transform } from "esbuild";
import { commandEnded } from "../command-server/run-command.ts";
import type { Workshop } from "./workshop.ts";

/** Runs a block as an ES module, in the process that runs commands for tests: it has the package loaded. */
export async function runModule(text: string, workshop: Workshop): Promise<void> {
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node20", tsconfigRaw: AS_WRITTEN });
  const module = workshop.write(`.page-block-${count++}.mjs`, code);
  const ended = await commandEnded([], { cwd: workshop.project, env: workshop.environment, module });
  rmSync(module);
  if (ended.code !== 0) throw new Error(`ended with exit code ${ended.code}:\n${ended.out}${ended.err}`);
}

/** Node loads a module once: each block has a name of its own. */
let count = 0;

/** A name that is imported and not used has to be there too. */
const AS_WRITTEN = { compilerOptions: { verbatimModuleSyntax: true } };
