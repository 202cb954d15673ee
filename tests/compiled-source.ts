import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";
import type { Plugin } from "vitest/config";

/**
 * Has a whole run import the source, the pages and the tests as they are, file by file, but compiled before they begin: node loads that by
 * itself, where Vitest would read and wrap every file of tests in its main process, and some hundred others anew in each worker.
 */
export function compiledSource(): Plugin {
  const root = resolve(import.meta.dirname, "..");
  const outdir = folderOfRun(root, "sluice-source-");
  const files = ["src", "tests", "ui"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .map((file) => join(folder, file)),
  );
  const compiling = Promise.all([
    compile(root, outdir, files.filter(isSource), { define: OWN_PLACE }),
    // Where a test fails, Vitest shows the line of the file that it comes from.
    compile(
      root,
      outdir,
      files.filter((file) => !isSource(file)),
      { define: OWN_PLACE, sourcemap: "linked", sourcesContent: false },
    ),
  ]);
  return {
    name: "compiled-source",
    config: () => ({ test: { provide: { compiled: { root, outdir } } } }),
    async configureServer() {
      await compiling;
    },
  };
}

/** A folder beside the packages that is there until this process ends. */
export function folderOfRun(root: string, prefix: string): string {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, prefix));
  process.on("exit", () => {
    // Another process removes it: the run does not wait for some thousand files. Not every system has this program.
    const { pid } = spawn("rm", ["-rf", folder], { detached: true, stdio: "ignore" }).on("error", () => {});
    if (pid === undefined) rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Compiles each file for itself. The bundler would ask about every import, which takes longer than all the rest. */
async function compile(root: string, outdir: string, files: readonly string[], more: BuildOptions): Promise<void> {
  const { outputFiles = [] } = await build({
    ...more,
    absWorkingDir: root,
    outbase: root,
    outdir,
    entryPoints: [...files],
    outExtension: { ".js": ".mjs" },
    supported: { "import-attributes": true },
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
  });
  const folders = new Set<string>();
  for (const { path, contents } of outputFiles) {
    const folder = dirname(path);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    const source = join(root, relative(outdir, path).replace(/\.mjs$/, ".ts"));
    writeFileSync(path, path.endsWith(".mjs") ? inItsPlace(Buffer.from(contents).toString(), source) : contents);
  }
}

/** Imports lead to the compiled files, and a file that asks for its own place is told the one of its source: its fixtures lie there. */
function inItsPlace(text: string, source: string): string {
  const places = { __url: pathToFileURL(source).href, __file: source, __folder: dirname(source) };
  const asked = Object.entries(places).filter(([name]) => text.includes(name));
  const led = text.replaceAll(IMPORTED, (whole, before: string, path: string) => {
    const target = join(dirname(source), path);
    // Text that a test writes into a file may look the same.
    if (!existsSync(target)) return whole;
    return `${before}${JSON.stringify(path.endsWith(".ts") ? path.replace(/ts$/, "mjs") : target)}`;
  });
  return asked.map(([name, place]) => `const ${name}=${JSON.stringify(place)};`).join("") + led;
}

const IMPORTED = /\b((?:from|import)\s*\(?)"(\.{1,2}\/[^"\n]+)"/g;
const OWN_PLACE = { "import.meta.url": "__url", "import.meta.filename": "__file", "import.meta.dirname": "__folder" };

function isSource(file: string): boolean {
  return file.startsWith(`src${sep}`) && !file.endsWith(".test.ts");
}
