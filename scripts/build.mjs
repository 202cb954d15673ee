// Builds the ESM library with its types and the one CJS bundle behind the command.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const flags = new Set(process.argv.slice(2));
const commandOnly = flags.has("--command-only");
const began = performance.now();

rmSync(join(root, "dist"), { recursive: true, force: true });
await Promise.all([library(), command()]);
if (!commandOnly) types();
if (!flags.has("--quiet")) console.log(`built dist/ in ${Math.round(performance.now() - began)} ms`);

function library() {
  return build({
    absWorkingDir: root,
    entryPoints: ["src/index.ts"],
    outdir: "dist",
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    packages: "external",
    format: "esm",
    keepNames: true,
    platform: "node",
    target: "node20",
  });
}

async function command() {
  if (!existsSync(join(root, "src/cli/main.ts"))) return;
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/sluice.cjs",
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    keepNames: false,
    legalComments: "none",
    banner: { js: "#!/usr/bin/env node" },
    define: { "import.meta.url": "__sluice_url" },
  });
  chmodSync(join(root, "dist/sluice.cjs"), 0o755);
}

function types() {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--emitDeclarationOnly"], {
    cwd: root,
    stdio: "inherit",
  });
}
