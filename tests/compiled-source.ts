import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "vitest/config";

/**
 * Has tests import the source as it is, file by file, but compiled before they begin: node loads that by itself, where
 * Vitest would read and wrap some hundred files anew in each of its processes.
 */
export function compiledSource(): Plugin {
  const root = resolve(import.meta.dirname, "..");
  const source = join(root, "src");
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, "sluice-source-"));
  process.on("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  const compiling = build({
    absWorkingDir: root,
    entryPoints: files.filter(isSource).map((file) => join(source, file)),
    outbase: source,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [
      {
        name: "file-by-file",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\.?\// }, ({ path }) => ({ path: compiled(path), external: true })),
      },
    ],
  });
  return {
    name: "compiled-source",
    enforce: "pre",
    async configureServer() {
      await compiling;
    },
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith(".") || !isSource(id)) return undefined;
      const path = relative(source, resolve(dirname(importer), id));
      return path.startsWith("..") ? undefined : { id: join(outdir, compiled(path)), external: true };
    },
  };
}

function isSource(file: string): boolean {
  return file.endsWith(".ts") && !file.endsWith(".test.ts");
}

function compiled(path: string): string {
  return path.replace(/\.ts$/, ".mjs");
}
