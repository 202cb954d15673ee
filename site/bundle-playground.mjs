// The reader of `sluice/effects` for the browser, as the playground of the site loads it.
import { build } from "esbuild";

export function bundlePlayground(root, outfile) {
  return build({
    absWorkingDir: root,
    entryPoints: ["src/effects.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    mainFields: ["module", "main"],
    legalComments: "none",
  });
}
