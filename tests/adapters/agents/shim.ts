import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Adapter } from "../../../src/adapters/adapter.ts";
import type { Wanted } from "../../../src/adapters/recipe.ts";
import type { Ended } from "./agent.ts";

/** The plugin that `sluice install` writes for an agent, loaded as the agent loads it, beside a Sluice that ends as told. */
export interface Shim {
  readonly module: Readonly<Record<string, unknown>>;
  /** How Sluice ends from here on. */
  readonly ends: (ended: Ended) => void;
}

/** Loads the plugin of this agent. */
export async function shimOf({ recipe, hookEvents, seconds }: Adapter): Promise<Shim> {
  if (recipe?.kind !== "files") throw new Error("this agent gets no files");
  const folder = mkdtempSync(join(tmpdir(), "sluice-shim-"));
  const sluice = join(folder, "sluice.sh");
  const wanted = Object.entries(hookEvents).map(
    ([hookEvent, { can }]): Wanted => ({ hookEvent, command: "", seconds, gate: can.includes("deny") }),
  );
  const [file] = recipe.files("project", wanted, ["/bin/sh", sluice]);
  const path = join(folder, "sluice.mjs");
  writeFileSync(path, file?.text ?? "");
  return {
    module: await import(/* @vite-ignore */ pathToFileURL(path).href),
    // Only words of the shell itself, because this runs some hundred times.
    ends: ({ stdout, stderr, exitCode }) => {
      const says = `printf %b ${quoted(stderr)} >&2; printf %b ${quoted(stdout)}`;
      writeFileSync(sluice, `while read -r _; do :; done; ${says}; exit ${exitCode}\n`);
    },
  };
}

/** A word of the shell for its printf, which can say what no word can hold. */
function quoted(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\0", "\\0000");
  return `'${escaped.replaceAll("'", "'\\''")}'`;
}
