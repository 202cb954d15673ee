import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The program that runs commands for tests. */
    commandServer: string;
  }
}

/** Bundles the program that runs commands for tests, beside the packages that it loads; every test run has its own, until it ends. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const root = resolve(import.meta.dirname, "../..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, "sluice-command-server-"));
  await build({
    absWorkingDir: root,
    entryPoints: ["tests/command-server/server.ts"],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    define: { SLUICE_VERSION: JSON.stringify(version) },
  });
  provide("commandServer", join(outdir, "server.mjs"));
  return () => rmSync(outdir, { recursive: true, force: true });
}
