import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { homeDir } from "../fs/home-dir.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { LAYERS, type Layer } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";

/** Where the layers begin; what is left out is taken from the system. */
export interface Whereabouts {
  readonly managedDir?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** A file that may contain a layer's hooks. */
export interface Candidate {
  readonly layer: Layer;
  readonly path: string;
  /** The project whose files are read only inside of it. */
  readonly root?: string | undefined;
}

/** The files of each layer, in reading order, as seen from the folder where the layer begins. */
export const LAYER_FILES = {
  managed: ["hooks.yaml", "hooks.json"],
  user: ["sluice/hooks.yaml", "sluice/hooks.json", "forge/hooks.json", "opencode/hooks.json"],
  project: [
    ".sluice/hooks.yaml",
    ".sluice/hooks.json",
    ".src/opencode/hooks.json",
    ".src/forge/hooks.json",
    ".opencode/hooks.json",
    ".forge/hooks.json",
  ],
  local: [".sluice/hooks.local.yaml", ".sluice/hooks.local.json"],
} as const satisfies Record<Layer, readonly string[]>;

/** Where scripts are hooks by their name, as seen from the folder where the layer begins. */
const SCRIPT_FOLDERS = {
  managed: undefined,
  user: "sluice/hooks",
  project: ".sluice/hooks",
  local: undefined,
} as const satisfies Record<Layer, string | undefined>;

/** The folder of each layer that only Sluice uses, as seen from the folder where the layer begins. */
const OWN_FOLDERS = {
  managed: ".",
  user: "sluice",
  project: ".sluice",
  local: undefined,
} as const satisfies Record<Layer, string | undefined>;

/** Every file that may hold hooks for this project, in reading order. */
export function locate(root: string | undefined, layers: readonly Layer[], where: Whereabouts = {}): Candidate[] {
  return LAYERS.filter((layer) => layers.includes(layer)).flatMap((layer) => {
    const folder = folderOf(layer, root, where);
    if (folder === undefined) return [];
    return LAYER_FILES[layer].map((file) => ({ layer, path: join(folder, file), root: boundsOf(layer, root) }));
  });
}

/** Every folder whose scripts are hooks by their name. */
export function scriptFolders(
  root: string | undefined,
  layers: readonly Layer[],
  where: Whereabouts = {},
): Candidate[] {
  return LAYERS.filter((layer) => layers.includes(layer)).flatMap((layer) => {
    const [folder, scripts] = [folderOf(layer, root, where), SCRIPT_FOLDERS[layer]];
    if (folder === undefined || scripts === undefined) return [];
    return [{ layer, path: join(folder, scripts), root: boundsOf(layer, root) }];
  });
}

/** A cloned project must not make Sluice read files elsewhere; the files of a user may be anywhere. */
function boundsOf(layer: Layer, root: string | undefined): string | undefined {
  return isOfProject(layer) ? root : undefined;
}

/** Something at the place of a layer's own folder that is not a folder: every hook of it is lost. */
export function noFolders(
  root: string | undefined,
  layers: readonly Layer[],
  where: Whereabouts,
  hasFiles: (folder: string) => boolean,
): { readonly found: Candidate; readonly problem: Problem }[] {
  return layers.flatMap((layer) => {
    const [folder, own] = [folderOf(layer, root, where), OWN_FOLDERS[layer]];
    const path = folder === undefined || own === undefined ? undefined : join(folder, own);
    if (path === undefined || hasFiles(path)) return [];
    const entry = entryAt(path);
    if (entry === undefined || entry.isDirectory() || statsAt(path)?.isDirectory()) return [];
    const is = entry.isSymbolicLink() ? "a link that leads to no folder" : "no folder";
    return [{ found: { layer, path }, problem: PROBLEMS.noFolder({ is }, { place: { file: path } }) }];
  });
}

/** Files that look as if they were read and are not. */
export function lookalikes(
  root: string | undefined,
  layers: readonly Layer[],
  where: Whereabouts = {},
  isPresent: (path: string) => boolean = isThere,
): Problem[] {
  return LAYERS.filter((layer) => layers.includes(layer)).flatMap((layer) => {
    const folder = folderOf(layer, root, where);
    if (folder === undefined) return [];
    return LOOKALIKES[layer].flatMap(([file, name, whose = "ours"]) => {
      const [path, right] = [join(folder, file), join(folder, name)];
      if (!isPresent(path)) return [];
      return [PROBLEMS.lookalike({ right, isTaken: isPresent(right), whose }, { place: { file: path } })];
    });
  });
}

/** The user's folder for configuration: a relative XDG_CONFIG_HOME is ignored. */
export function configHome({ env = process.env, home }: Whereabouts = {}): string {
  const stated = env.XDG_CONFIG_HOME;
  return stated !== undefined && isAbsolute(stated) ? stated : join(home ?? homeDir(env), ".config");
}

/**
 * Tells which files exist, for as long as one reading takes: a folder is listed once, and a missing one not at all. The
 * project's own folder may hold thousands of files, so the few names that matter there are looked up one by one.
 */
export function presence(root: string | undefined): (path: string) => boolean {
  const folders = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const folder = dirname(path);
    if (folder === root) return isThere(path);
    const known = folders.get(folder) ?? namesIn(folder);
    if (known === undefined) return isThere(path);
    folders.set(folder, known);
    return known.has(basename(path));
  };
}

/** Nothing is known about a folder that cannot be listed. */
function namesIn(folder: string): ReadonlySet<string> | undefined {
  if (!isThere(folder)) return NOTHING;
  return attempt(() => new Set(readdirSync(folder)));
}

const NOTHING: ReadonlySet<string> = new Set();

/** Whether there is anything under this name. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // There is nothing below a file; a file that may not be inspected may exist, and reading it will show that.
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}

function folderOf(layer: Layer, root: string | undefined, where: Whereabouts): string | undefined {
  switch (layer) {
    case "managed":
      return where.managedDir ?? "/etc/sluice";
    case "user":
      return configHome(where);
    case "project":
    case "local":
      return root;
  }
}

/** Whether a layer is in the project, where the project's authors wrote it. */
export function isOfProject(layer: Layer): boolean {
  return layer === "project" || layer === "local";
}

/** A file, the name it should have, and whether another program may have one of its name. */
type Lookalike = readonly [file: string, right: string, whose?: Whose];
type Whose = "ours" | "any program's";

/** The folder of a scope's configuration. */
export function configFolder(
  scope: "user" | "project",
  root: string,
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
): string {
  return scope === "user" ? join(configHome({ env }), "sluice") : join(root, ".sluice");
}

/** The configuration of a scope that is there already. */
export function presentConfig(folder: string): string | undefined {
  return FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
}

const FILES = ["hooks.yaml", "hooks.json"];

const LOOKALIKES: Readonly<Record<Layer, readonly Lookalike[]>> = {
  managed: [
    ["hooks.yml", "hooks.yaml"],
    ["hooks.jsonc", "hooks.json"],
  ],
  user: [
    ["sluice/hooks.yml", "sluice/hooks.yaml"],
    ["sluice/hooks.jsonc", "sluice/hooks.json"],
    ["sluice/hook.yaml", "sluice/hooks.yaml"],
    ["sluice/hook.yml", "sluice/hooks.yaml"],
    ["sluice/hook.json", "sluice/hooks.json"],
  ],
  project: [
    [".sluice/hooks.yml", ".sluice/hooks.yaml"],
    [".sluice/hooks.jsonc", ".sluice/hooks.json"],
    [".sluice/hook.yaml", ".sluice/hooks.yaml"],
    [".sluice/hook.yml", ".sluice/hooks.yaml"],
    [".sluice/hook.json", ".sluice/hooks.json"],
    [".sluice.yaml", ".sluice/hooks.yaml"],
    ["hooks.yaml", ".sluice/hooks.yaml", "any program's"],
    ["hooks.yml", ".sluice/hooks.yaml", "any program's"],
    ["hooks.json", ".sluice/hooks.json", "any program's"],
  ],
  local: [
    [".sluice/hooks.local.yml", ".sluice/hooks.local.yaml"],
    [".sluice/hooks.local.jsonc", ".sluice/hooks.local.json"],
  ],
};

const PROBLEMS = problems("config", {
  noFolder: ({ is }: { is: string }) => ({
    what: `This is ${is}, where a folder with hooks is looked for. None of its hooks are active.`,
    fix: "Put the folder in its place, or remove it.",
  }),
  lookalike: ({ right, isTaken, whose }: { right: string; isTaken: boolean; whose: Whose }) => {
    const step = isTaken ? `Move what is in it into ${right}, and remove it.` : `Rename it to ${right}.`;
    const doubt = whose === "ours" ? "" : " Leave it if it is another program's.";
    return { what: "This file is not read; its hooks never fire.", fix: step + doubt };
  },
});
