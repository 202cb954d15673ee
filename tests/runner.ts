import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject, TestRunner } from "vitest";
import "./remove-again.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the compiled tests, in a whole run. */
    compiled?: { readonly root: string; readonly outdir: string };
  }
}

/** Every file of tests leaves its process as it found it: the next one is in the same. In a whole run it is loaded compiled. */
export default class extends TestRunner {
  readonly #env = { ...process.env };
  readonly #folder = process.cwd();

  override importFile(...[file, source]: Parameters<TestRunner["importFile"]>): unknown {
    const compiled = inject("compiled");
    if (compiled === undefined || source !== "collect") return super.importFile(file, source);
    const path = file.slice(compiled.root.length).replace(/\.ts$/, ".mjs");
    return import(/* @vite-ignore */ pathToFileURL(join(compiled.outdir, path)).href);
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles();
    const { env } = process;
    for (const name of Object.keys(env)) if (!(name in this.#env)) delete env[name];
    for (const [name, value] of Object.entries(this.#env)) if (env[name] !== value) env[name] = value;
    process.chdir(this.#folder);
  }
}
