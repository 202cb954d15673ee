import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { installedPackOpener, openInstalledPack, readTree } from "../config/installed-pack.ts";
import type { OpenPack } from "../config/layer-files.ts";
import { LAYER_FILES } from "../config/locate.ts";
import { packContent } from "../config/pack-content.ts";
import { isPackName, PACK_FILE, packFolder, packsFolder, readPackLock } from "../config/pack-lock.ts";
import { layersWithDrafts } from "../decide/layers.ts";
import type { Layers } from "../decide/project.ts";
import { Problem } from "../problem/problem.ts";

/** Whether a folder is a pack. */
export function isPack(folder: string): boolean {
  return existsSync(join(folder, PACK_FILE));
}

/** The folder of a pack that is installed in a project, by its name or `name@version`; undefined if it is not installed. */
export function installedPackFolder(root: string, text: string): string | undefined {
  const hooks = join(root, dirname(LAYER_FILES.project[0] ?? ""));
  const [, name = "", stated] = /^(@?[^@]+)(?:@(.+))?$/.exec(text) ?? [];
  if (!isPackName(name)) return undefined;
  const version = stated ?? readPackLock(hooks).packs[name]?.version;
  const folder = version === undefined ? undefined : resolve(packFolder(hooks, name, version));
  const isInside = folder !== undefined && dirname(folder) === resolve(packsFolder(hooks));
  return isInside && isPack(folder) ? folder : undefined;
}

/** A pack that a policy is tried with; what it would run may be outside of its folder. */
export interface PolicyPack {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The pack in a folder, installed or not. */
export function packInFolder(folder: string): PolicyPack {
  const { files } = readTree(folder, (path) => path.split("/").includes("node_modules"));
  return { ...nameOf(folder), folder, files };
}

/** What holds in a project, were a pack added to it, or put in the place of the version that it has. */
export function layersWithPack(root: string, { name, version, folder, files }: PolicyPack): Layers {
  const text = files.get(PACK_FILE)?.toString("utf8") ?? "";
  const openPack: OpenPack = (request) => {
    if (request.name !== name) return openInstalledPack(request);
    const { layer, given } = request;
    const content = packContent({ name, version, folder, text, files: new Set(files.keys()), layer, given });
    const problem = content instanceof Problem ? content : content.problems[0];
    if (content instanceof Problem || problem !== undefined) throw problem;
    return installedPackOpener(new Map([[name, content]]))(request);
  };
  // Where the hooks beside it extend the pack already, they come first, with the values that they give.
  const free = LAYER_FILES.project.map((file) => join(root, file)).find((path) => !existsSync(path));
  const added = JSON.stringify({ extends: [{ pack: name }], hooks: [] });
  return layersWithDrafts(root, new Map(free === undefined ? [] : [[free, added]]), { openPack });
}

/** A pack that is not published may have no name yet. */
function nameOf(folder: string): { readonly name: string; readonly version: string } {
  const stated = manifestIn(folder);
  const name = typeof stated.name === "string" && isPackName(stated.name) ? stated.name : plainName(folder);
  return { name, version: typeof stated.version === "string" ? stated.version : "0.0.0" };
}

function manifestIn(folder: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  } catch {
    return {};
  }
}

function plainName(folder: string): string {
  const name = basename(folder).toLowerCase();
  return isPackName(name) ? name : "pack";
}
