import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Loaded } from "../config/load.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { problems } from "../problem/problem.ts";
import { publishedName } from "./build.ts";
import { type BundleContent, contentOf, layersIn, writeFiles } from "./content.ts";
import { type OpenBundle, openBundle } from "./open-bundle.ts";

/** A bundle that is ready to be published, and the one that is published now. */
export interface Publication {
  readonly bundle: OpenBundle;
  readonly content: BundleContent;
  readonly before: { readonly bundle: OpenBundle; readonly content: BundleContent } | undefined;
  /** The files to write, in this order: the one that machines fetch comes last. */
  readonly files: readonly { readonly name: string; readonly content: Buffer | string }[];
}

/** The file that `managed.url` names. */
const PUBLISHED = "bundle.tar.gz";

/** Checks a bundle against what is published in a folder already; throws where machines would refuse it. */
export function planPublication(
  packed: Buffer,
  folder: string,
  keys: readonly string[],
  now = Date.now(),
): Publication {
  const bundle = openBundle(packed, keys);
  const content = readContent(bundle);
  const { manifest } = bundle;
  if (now >= Date.parse(manifest.expires)) throw PROBLEMS.alreadyExpired({ expires: manifest.expires });
  const published = readPublished(join(folder, PUBLISHED), keys);
  const before = published && { bundle: published, content: readContent(published) };
  if (before !== undefined && before.bundle.hash !== bundle.hash) {
    const was = before.bundle.manifest.version;
    if (manifest.version <= was) throw PROBLEMS.notAhead({ version: manifest.version, was });
    const gone = before.content.hooks.filter((name) => !content.hooks.includes(name));
    const isLess =
      content.hooks.length < before.content.hooks.length || content.settings.length < before.content.settings.length;
    if (isLess && !manifest.replaces.includes(before.bundle.hash)) throw PROBLEMS.lessThanBefore({ gone });
  }
  const { fallback } = manifest;
  if (fallback !== undefined && readPublished(join(folder, fallback.file), keys)?.hash !== fallback.hash)
    throw PROBLEMS.fallbackMissing({ file: fallback.file, folder });
  const summary = {
    version: manifest.version,
    hash: bundle.hash,
    expires: manifest.expires,
    ring: manifest.ring,
    hooks: content.hooks.length,
    file: publishedName(manifest.version),
  };
  return {
    bundle,
    content,
    before,
    files: [
      { name: publishedName(manifest.version), content: packed },
      { name: "bundle.json", content: `${JSON.stringify(summary, null, 2)}\n` },
      { name: PUBLISHED, content: packed },
    ],
  };
}

/** What the files of a verified bundle say, read from a folder that is gone afterwards. */
export function readContent(bundle: OpenBundle): BundleContent {
  return inFolder(bundle, contentOf);
}

/** Calls a function with the files of a bundle in a folder of their own. */
function inFolder<T>({ files }: OpenBundle, act: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bundle-"));
  try {
    writeFiles(folder, files);
    return act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The layers that a bundle alone would give; its files stay on the disk until `discard`. */
export function layersOf({ files }: OpenBundle): { readonly layers: Loaded; readonly discard: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bundle-"));
  writeFiles(folder, files);
  return { layers: layersIn(folder), discard: () => rmSync(folder, { recursive: true, force: true }) };
}

function readPublished(path: string, keys: readonly string[]): OpenBundle | undefined {
  try {
    return openBundle(readRegularFile(path), keys);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const PROBLEMS = problems("bundle", {
  alreadyExpired: ({ expires }: { expires: string }) => ({
    what: `This bundle expired on ${expires}; no machine would accept it.`,
    fix: "Build a new one.",
  }),
  notAhead: ({ version, was }: { version: number; was: number }) => ({
    what: `Version ${was} is published already, and this bundle has ${version}: no machine would accept it.`,
    fix: `Build it with --version ${was + 1}, or with --after and the published bundle.`,
  }),
  lessThanBefore: ({ gone }: { gone: readonly string[] }) => ({
    what: `This bundle has less than the published one${gone.length === 0 ? "" : `: ${gone.slice(0, 10).join(", ")} would go`}. Machines refuse it.`,
    fix: "If that is meant, build it with --replaces and the published bundle.",
  }),
  fallbackMissing: ({ file, folder }: { file: string; folder: string }) => ({
    what: `The bundle names ${file} for machines outside of its ring, and ${folder} does not hold that file as it was signed.`,
    fix: "Publish the fallback first.",
  }),
});
