// Bundles modules of the source in memory and runs the bundle. What a command loads only when it runs stays outside.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { build } from "esbuild";

export async function loadSource(root, modules) {
  const lazy = {
    name: "lazy",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /.*/ }, ({ kind }) =>
        kind === "dynamic-import" ? { path: "lazy", external: true } : undefined,
      );
      // In one bundle each file keeps its own folder.
      onLoad({ filter: /\/tests\/.*\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, "utf8").replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
        loader: "ts",
      }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: modules.map((file) => `export * from "./src/${file}";`).join("\n"), resolveDir: root },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
    plugins: [lazy],
    logLevel: "error",
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports;
}
