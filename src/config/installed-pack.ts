import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { attempt } from "../event/attempt.ts";
import { isInProject } from "../fs/project-bounds.ts";
import { sha256 } from "../fs/read-once.ts";
import { type Place, Problem, problems } from "../problem/problem.ts";
import type { OpenedPack, OpenPack, PackRequest } from "./layer-files.ts";
import { type PackContent, packContent } from "./pack-content.ts";
import {
  isPackName,
  type LockedPack,
  lockFile,
  PACK_FILE,
  packFolder,
  packsFolder,
  readPackLock,
} from "./pack-lock.ts";
import type { FileShape } from "./shape.ts";
import { askAtGates } from "./shut-gate.ts";
import type { ConfigTree } from "./tree.ts";

/**
 * Opens a pack that `sluice add` has unpacked beside the hooks that extend it. Every byte is compared with the lock. A pack
 * that is not there, is not as it was installed, or cannot be read brings no rules: the calls that it guards are asked about.
 */
export const openInstalledPack: OpenPack = (request) => {
  const { name, folder, root } = request;
  try {
    if (root !== undefined && !isInProject(root, lockFile(folder)))
      return shut(request, PROBLEMS.lockOutside(undefined, { place: { file: lockFile(folder) } }), undefined, []);
    const locked = isPackName(name) ? readPackLock(folder).packs[name] : undefined;
    if (locked === undefined) {
      if (!request.isPack) return undefined;
      const problem = isPackName(name) ? PROBLEMS.notInstalled({ name }) : PROBLEMS.hostileName({ name });
      return shut(request, problem.at(request.place), undefined, []);
    }
    return open(request, locked);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A package of node_modules is named by a string; whether the lock file names it cannot be known.
    return shut(request, error, undefined, []);
  }
};

/** The same with other contents in the place of some packs: as if a new version were installed. */
export function installedPackOpener(contents: ReadonlyMap<string, PackContent>): OpenPack {
  return (request) => {
    const content = contents.get(request.name);
    return content === undefined ? openInstalledPack(request) : opened(content, []);
  };
}

function opened({ shape, warnings }: PackContent, watched: readonly string[]): OpenedPack {
  const { document, pack } = shape;
  return { shape, file: document.path, version: pack?.version ?? "", errors: [], warnings, watched };
}

function open(request: PackRequest, locked: LockedPack): OpenedPack {
  const { name, folder, layer, given, place: usedAt } = request;
  const home = packFolder(folder, name, locked.version);
  if (request.root !== undefined && !isInProject(request.root, home))
    return shut(request, PROBLEMS.packOutside({ name }, { place: { file: home } }), locked, []);
  const tree = readTree(home);
  const change = changeIn(tree, locked);
  if (change !== undefined) {
    const problem = tree.folders.length === 0 ? PROBLEMS.notUnpacked({ name }) : PROBLEMS.changed({ name, change });
    return shut(request, problem.at({ file: join(home, PACK_FILE) }), locked, tree.watched);
  }
  const text = tree.files.get(PACK_FILE)?.toString("utf8") ?? "";
  const files = new Set(tree.files.keys());
  const content = packContent({ name, version: locked.version, folder: home, text, files, layer, given, usedAt });
  if (content instanceof Problem) return shut(request, content, locked, tree.watched);
  const [first] = content.problems;
  if (first !== undefined) return { ...shut(request, first, locked, tree.watched), errors: content.problems };
  return opened(content, [lockFile(folder), ...tree.watched]);
}

/** The files of a folder, and everything in it that is not a regular file. */
export interface PackTree {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: readonly string[];
  /** Links, pipes, files that are too large, by their paths. */
  readonly others: readonly string[];
  /** Every file and folder: one that changes, appears or goes changes one of them. */
  readonly watched: readonly string[];
}

/** Reads a folder with everything in it; no link is followed. */
export function readTree(home: string, isSkipped: (path: string) => boolean = () => false): PackTree {
  const files = new Map<string, Buffer>();
  const folders: string[] = [];
  const others: string[] = [];
  const waiting = [home];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const entries = entriesOf(folder);
    if (entries === undefined) continue;
    folders.push(folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const name = relative(home, path).replaceAll("\\", "/");
      if (isSkipped(name)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && sizeOf(path) <= LARGEST) files.set(name, readFileSync(path));
      else others.push(name);
      if (files.size + others.length + folders.length > MAX_FILES)
        throw PROBLEMS.manyFiles({ folder: home, most: MAX_FILES });
    }
  }
  return { files, folders, others, watched: [...folders, ...[...files.keys()].map((name) => join(home, name))] };
}

/** A file that is too large for a pack is not read at all. */
function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function entriesOf(folder: string) {
  return attempt(() => readdirSync(folder, { withFileTypes: true }));
}

/** A short description of what in a folder differs from the lock file. */
export function changeIn({ files, others }: PackTree, locked: LockedPack): string | undefined {
  const gone = Object.keys(locked.files).find((path) => !files.has(path));
  if (gone !== undefined) return `${gone} is missing`;
  if (others[0] !== undefined) return `${others[0]} is not a regular file, or is too large`;
  for (const [path, content] of files) {
    if (!Object.hasOwn(locked.files, path)) return `${path} does not belong to it`;
    if (hashOf(content) !== locked.files[path]) return `${path} has other bytes`;
  }
  return undefined;
}

/** The hash of a file as the lock writes it. */
export function hashOf(content: Uint8Array): string {
  return `sha256-${sha256(content)}`;
}

/** A pack that cannot be used: one hook asks about every call that it guards, or about all where that is unknown. */
function shut(
  { name, folder, layer }: PackRequest,
  problem: Problem,
  locked: LockedPack | undefined,
  watched: readonly string[],
): OpenedPack {
  const reason = `The pack ${name} guards this call and cannot be used: ${problem.message} Until that is mended, the user has to decide.`;
  const event = locked === undefined ? "*" : locked.gates.join(",");
  const file = lockFile(folder);
  const spec = { name: `${name}/unusable`, event, rules: askAtGates(reason, event) };
  const shape: FileShape = {
    document: { path: file, format: "json", text: "", mark: "", tree: NOTHING, place: (): Place => ({ file }) },
    layer,
    pack: { name, version: locked?.version ?? "" },
    list: { path: undefined, entries: event === "" ? [] : [{ tree: treeOf(spec), index: 0, flaws: [] }] },
    disabled: [],
    timeout: undefined,
    extends: [],
    statements: [],
    errors: [],
    warnings: [],
  };
  const all = [file, packsFolder(folder), ...watched];
  return { shape, file: undefined, version: locked?.version ?? "", errors: [problem], warnings: [], watched: all };
}

function treeOf(spec: Readonly<Record<string, string>>): ConfigTree {
  const members = Object.entries(spec).map(([key, value]) => ({
    key,
    at: 0,
    value: { kind: "scalar", at: 0, value } as const,
  }));
  return { kind: "map", at: 0, members };
}

const NOTHING: ConfigTree = { kind: "scalar", at: 0, value: null };
const LARGEST = 8 * 1024 * 1024;
/** Enough for every pack; a folder with more is none. */
const MAX_FILES = 1000;

const PROBLEMS = problems("pack", {
  lockOutside: () => ({
    what: "The lock of packs is outside of the project after its symlinks are followed, so it is not read. No pack is used.",
    fix: "Put the file itself into the project.",
  }),
  packOutside: ({ name }: { name: string }) => ({
    what: `The folder of the pack "${name}" is outside of the project after its symlinks are followed, so it is not read.`,
    fix: "Remove the link, and run `sluice add` without a name: it puts the files into the project.",
  }),
  notInstalled: ({ name }: { name: string }) => ({
    what: `\`extends\` names the pack "${name}", which the lock beside this file does not have. Its rules are missing.`,
    fix: `Run \`sluice add ${name}\`, or take the entry out.`,
  }),
  hostileName: ({ name }: { name: string }) => ({
    what: `\`extends\` names a pack ${JSON.stringify(name.slice(0, 80))}, which is not the name of a package.`,
    fix: "A pack is called like `git-safety` or `@acme/git-safety`. Take the entry out.",
  }),
  notUnpacked: ({ name }: { name: string }) => ({
    what: `The pack "${name}" is in the lock, and its files are not there. Its rules are missing.`,
    fix: "Run `sluice add` without a name: it fetches again what the lock pins. Commit .sluice/packs to spare others that.",
  }),
  changed: ({ name, change }: { name: string; change: string }) => ({
    what: `The pack "${name}" is not as it was installed: ${change}. None of its rules apply until it is.`,
    fix: "Run `sluice add` without a name to put its files back; rules of your own belong into hooks.yaml.",
  }),
  manyFiles: ({ folder, most }: { folder: string; most: number }) => ({
    what: `${folder} has more than ${most} files and folders; a pack has fewer.`,
    fix: "Name the folder of the pack itself; leave out what hooks do not need.",
  }),
});
