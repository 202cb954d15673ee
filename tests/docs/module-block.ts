import { rmSync } from "node:fs";
import { transform } from "esbuild";
import type { Workshop } from "./workshop.ts";

/** Runs a block as an ES module. An assertion that does not hold ends it, as nobody reads what it would print. */
export async function runModule(text: string, workshop: Workshop): Promise<void> {
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node20", tsconfigRaw: AS_WRITTEN });
  const module = workshop.write(".page-block.mjs", code);
  const { exitCode, output } = await workshop.run(process.execPath, ["--import", STRICT, module]);
  rmSync(module);
  if (exitCode !== 0) throw new Error(`ended with exit code ${exitCode}:\n${output}`);
}

const STRICT = `data:text/javascript,${encodeURIComponent(`
  console.assert = (holds, ...words) => {
    if (!holds) throw new Error(["an assertion does not hold", ...words].join(": "));
  };
`)}`;

/** A name that is imported and not used has to be there too. */
const AS_WRITTEN = { compilerOptions: { verbatimModuleSyntax: true } };
