import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin as BundlerPlugin } from "esbuild";
import type { Plugin } from "vitest/config";

/**
 * Has a whole run import the source and the tests as they are, file by file, but compiled before they begin: node loads that by
 * itself, where Vitest would read and wrap every file of tests in its main process, and some hundred others anew in each worker.
 */
export function compiledSource(): Plugin {
  const root = resolve(import.meta.dirname, "..");
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, "sluice-source-"));
  process.on("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const files = ["src", "tests"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .map((file) => join(folder, file)),
  );
  const common: BuildOptions = {
    absWorkingDir: root,
    outbase: root,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
  };
  const compiling = Promise.all([
    build({ ...common, entryPoints: files.filter(isSource).map((file) => join(root, file)), plugins: [fileByFile] }),
    build({
      ...common,
      entryPoints: files.filter((file) => !isSource(file)).map((file) => join(root, file)),
      define: { "import.meta.url": "__url", "import.meta.filename": "__file", "import.meta.dirname": "__folder" },
      plugins: [fileByFile, ownPlaces],
      // Where a test fails, Vitest shows the line of the file that it comes from.
      sourcemap: "linked",
      sourcesContent: false,
    }),
  ]);
  return {
    name: "compiled-source",
    config: () => ({ test: { provide: { compiled: { root, outdir } } } }),
    async configureServer() {
      await compiling;
    },
  };
}

/** A test that asks for its own place is told the one of its source: its fixtures lie there. */
const ownPlaces: BundlerPlugin = {
  name: "own-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes("import.meta.")) return undefined;
      const places = Object.entries({ __url: pathToFileURL(path).href, __file: path, __folder: dirname(path) });
      const named = places.map(([name, place]) => `const ${name}=${JSON.stringify(place)};`);
      return { contents: named.join("") + text, loader: "ts" };
    }),
};

const fileByFile: BundlerPlugin = {
  name: "file-by-file",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => ({
      path: path.endsWith(".ts") ? compiled(path) : join(resolveDir, path),
      external: true,
    })),
};

function isSource(file: string): boolean {
  return file.startsWith(`src${sep}`) && !file.endsWith(".test.ts");
}

function compiled(path: string): string {
  return path.replace(/\.ts$/, ".mjs");
}
