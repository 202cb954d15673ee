import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ArchiveFile } from "../archive/read-archive.ts";
import { parseText } from "../config/document.ts";
import { readLayerFiles } from "../config/layer-files.ts";
import { type Loaded, loadLayers } from "../config/load.ts";
import { LAYER_FILES } from "../config/locate.ts";
import { merge } from "../config/merge.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import { type Problem, problems } from "../problem/problem.ts";

/** What the files of a bundle say. */
export interface BundleContent {
  /** The names of its hooks. */
  readonly hooks: readonly string[];
  /** The settings that it states. */
  readonly settings: readonly string[];
  /** What costs a hook or a setting: such a bundle is neither built nor taken. */
  readonly problems: readonly Problem[];
}

/** Reads the hooks of a bundle whose files are in this folder, as reading the layers would. */
export function contentOf(folder: string): BundleContent {
  const candidates = LAYER_FILES.managed.map((name) => ({ layer: "managed" as const, path: join(folder, name) }));
  const read = readLayerFiles(candidates, parseText, "any");
  const merged = merge(read.shapes);
  const statements = read.shapes.flatMap(({ statements: stated }) => stated);
  const outside = read.shapes.flatMap(({ extends: extended }) =>
    extended.filter(({ text }) => !isInside(text)).map(({ text, place }) => PROBLEMS.leaves({ text }, { place })),
  );
  const own = statements.filter(({ setting }) => setting === "managed");
  const nothing = read.files.length === 0 ? [PROBLEMS.noHooksFile({ names: LAYER_FILES.managed })] : [];
  return {
    hooks: merged.hooks.filter(({ enabled }) => enabled).map(({ name }) => name),
    settings: [...new Set(statements.map(({ setting }) => setting))].filter((setting) => setting !== "managed"),
    problems: [
      ...nothing,
      ...outside,
      ...own.map(({ place }) => PROBLEMS.ownSource(undefined, { place })),
      ...read.errors,
      ...merged.errors,
    ],
  };
}

/** The layers that a bundle alone would give, with the guards that it asks for. */
export function layersIn(folder: string): Loaded {
  return withGuards(loadLayers(undefined, { layers: ["managed"], managedDir: folder, managedOwner: "any" }));
}

/** Writes the files of a bundle into a new folder, for their owner alone. */
export function writeFiles(folder: string, files: readonly ArchiveFile[]): void {
  makePrivateDir(folder);
  for (const { path, content, isExecutable } of files) {
    const target = join(folder, path);
    makePrivateDir(dirname(target));
    writeFileSync(target, content, { mode: 0o600 });
    if (isExecutable) chmodSync(target, 0o700);
  }
}

function isInside(text: string): boolean {
  return text.startsWith("./") && !text.split("/").includes("..") && !text.includes("\\");
}

const PROBLEMS = problems("bundle", {
  noHooksFile: ({ names }: { names: readonly string[] }) => ({
    what: `A bundle needs a file ${names.join(" or ")} at its top.`,
    fix: "Put it there; other files are named in its `extends`, or run by its hooks.",
  }),
  leaves: ({ text }: { text: string }) => ({
    what: `\`extends\` names ${JSON.stringify(text)}, which is not a file of the bundle.`,
    fix: "Put the file into the bundle, and write its path with ./ in front.",
  }),
  ownSource: () => ({
    what: "A bundle cannot say where bundles come from: `managed` applies only outside of it.",
    fix: "Write it into /etc/sluice/hooks.yaml, or into the user's configuration.",
  }),
});
