import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withSystemTools } from "../fs/system-tools.ts";
import type { BoxChange, BoxLayer } from "../policies/contain/box-store.ts";
import { type BytePath, bytePath, bytesOf, pathText } from "../policies/undo/byte-path.ts";

/** One difference between what a program has left in its box and what is on the disk. */
export interface LayerChange {
  /** Where it comes to be when it is kept. */
  readonly path: BytePath;
  /** Where the box has it; undefined if it was deleted. */
  readonly upper?: BytePath | undefined;
  readonly change: BoxChange["change"];
  readonly kind: BoxChange["kind"];
  readonly now?: Stats | undefined;
  readonly before?: Stats | undefined;
}

/** Everything that a program has changed in the judged layers of its box, each folder before what is in it. */
export function readChanges(place: string, layers: readonly BoxLayer[]): LayerChange[] {
  return layers.flatMap((layer, at) => {
    if (layer.fate !== "judged") return [];
    const found: LayerChange[] = [];
    const upper = bytePath(join(place, layer.upper));
    const merged: BytePath[] = [];
    const root = changeOfRoot(upper, bytePath(layer.path));
    if (root !== undefined) found.push(root);
    walk(upper, bytePath(layer.path), { found, merged, isNew: false });
    if (merged.length > 0) addReplaced({ place, layer, at, upper, merged, found });
    return found;
  });
}

/** Folders that are in the box and on the disk, what is deepest first, with their times in the box. */
export function folderTimes(place: string, layers: readonly BoxLayer[]): { path: Buffer; upper: Stats }[] {
  const found: { path: Buffer; upper: Stats }[] = [];
  const visit = (upper: BytePath, path: BytePath) => {
    if (!entryOf(path)?.isDirectory()) return;
    for (const entry of readdirSync(bytesOf(upper), { withFileTypes: true, encoding: "buffer" })) {
      const name = bytePath(entry.name);
      if (entry.isDirectory()) visit(`${upper}/${name}`, `${path}/${name}`);
    }
    found.push({ path: bytesOf(path), upper: lstatSync(bytesOf(upper)) });
  };
  for (const { fate, upper, path } of layers)
    if (fate === "judged" && existsSync(path)) visit(bytePath(join(place, upper)), bytePath(path));
  return found;
}

/** The folder of the layer itself has the mode of the folder below when the box is made, and its owner where root makes it. */
function changeOfRoot(upper: BytePath, path: BytePath): LayerChange | undefined {
  const [now, before] = [entryOf(upper), entryOf(path)];
  if (now === undefined || before === undefined) return undefined;
  const hasOtherOwner = process.geteuid?.() === 0 && (now.uid !== before.uid || now.gid !== before.gid);
  return now.mode === before.mode && !hasOtherOwner
    ? undefined
    : { path, upper, change: "mode", kind: "folder", now, before };
}

interface Walk {
  readonly found: LayerChange[];
  /** Folders that are in the box and on the disk, as seen from the layer. */
  readonly merged: BytePath[];
  /** Nothing on the disk has these names. */
  readonly isNew: boolean;
  readonly inner?: BytePath;
}

function walk(upper: BytePath, target: BytePath, { found, merged, isNew, inner = "." }: Walk): void {
  for (const entry of readdirSync(bytesOf(upper), "buffer")) {
    const name = bytePath(entry);
    const [from, path, below] = [`${upper}/${name}`, `${target}/${name}`, `${inner}/${name}`];
    const now = lstatSync(bytesOf(from));
    const before = isNew ? undefined : entryOf(path);
    if (now.isCharacterDevice() && now.rdev === 0) {
      if (before !== undefined) found.push(deleted(path, before));
      continue;
    }
    const kind = kindOf(now);
    if (before !== undefined && kindOf(before) !== kind) {
      found.push(deleted(path, before));
      found.push({ path, upper: from, change: created(kind), kind, now });
      if (kind === "folder") walk(from, path, { found, merged, isNew: true, inner: below });
      continue;
    }
    const change = before === undefined ? created(kind) : changeOf(from, path, now, before, kind);
    if (change !== undefined) found.push({ path, upper: from, change, kind, now, before });
    if (kind !== "folder") continue;
    if (before !== undefined) merged.push(below);
    walk(from, path, { found, merged, isNew: before === undefined, inner: below });
  }
}

function created(kind: LayerChange["kind"]): BoxChange["change"] {
  return kind === "symlink" ? "symlink" : "created";
}

function deleted(path: BytePath, before: Stats): LayerChange {
  return { path, change: "deleted", kind: kindOf(before), before };
}

/** What differs; undefined if nothing does: a file that was only opened for writing is in the box too. */
function changeOf(
  from: BytePath,
  path: BytePath,
  now: Stats,
  before: Stats,
  kind: LayerChange["kind"],
): BoxChange["change"] | undefined {
  const hasOtherAccess = now.mode !== before.mode || now.uid !== before.uid || now.gid !== before.gid;
  switch (kind) {
    case "folder":
      return hasOtherAccess ? "mode" : undefined;
    case "symlink": {
      const [is, was] = [from, path].map((one) => readlinkSync(bytesOf(one), "latin1"));
      return is === was ? undefined : "symlink";
    }
    case "file": {
      if (now.size !== before.size || now.mtimeMs !== before.mtimeMs) return "changed";
      if (!readFileSync(bytesOf(from)).equals(readFileSync(bytesOf(path)))) return "changed";
      return hasOtherAccess ? "mode" : undefined;
    }
    case "other":
      return "changed";
  }
}

interface Replaced {
  readonly place: string;
  readonly layer: BoxLayer;
  readonly at: number;
  readonly upper: BytePath;
  readonly merged: readonly BytePath[];
  readonly found: LayerChange[];
}

/**
 * A folder that was removed and made again hides everything that was in it before. The overlay notes that where node cannot read
 * it, so both layers are mounted once more, and what is no longer visible was deleted.
 */
function addReplaced({ place, layer, upper, merged, found }: Replaced): void {
  const listed = namesInBox(place, layer, merged);
  for (const folder of merged) {
    const inner = folder.slice(1);
    const target = `${bytePath(layer.path)}${inner}`;
    const visible = listed.get(folder) ?? new Set();
    for (const entry of readdirSync(bytesOf(target), "buffer")) {
      const name = bytePath(entry);
      const path = `${target}/${name}`;
      // What the box has under this name was compared already.
      if (visible.has(name) || entryOf(`${upper}${inner}/${name}`) !== undefined) continue;
      const before = entryOf(path);
      if (before !== undefined) found.push(deleted(path, before));
    }
  }
}

function namesInBox(place: string, layer: BoxLayer, folders: readonly BytePath[]): Map<BytePath, Set<BytePath>> {
  const list = join(place, "folders");
  writeFileSync(list, Buffer.concat(folders.flatMap((folder) => [bytesOf(folder), ZERO])), { mode: 0o600 });
  const script = [
    "set -e",
    'cd "$1"',
    'mkdir -p x; rm -f lx; ln -s "$2" lx',
    `mount -t overlay -o lowerdir=${layer.upper}:lx,userxattr overlay x`,
    "cd x",
    `xargs -0 sh -c 'find "$@" -mindepth 1 -maxdepth 1 -print0' sh < ../folders`,
  ].join("\n");
  const owned = process.geteuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const args = [...owned, "--mount", "sh", "-c", script, "sh", place, layer.path];
  const { status, stdout, stderr, error } = spawnSync("unshare", args, {
    env: withSystemTools(process.env),
    maxBuffer: MAX_LISTED,
  });
  if (status !== 0)
    throw new Error(`what the box has in its folders cannot be listed: ${error?.message ?? stderr.toString().trim()}`);
  const found = new Map<BytePath, Set<BytePath>>();
  for (const path of bytePath(stdout).split("\0")) {
    const at = path.lastIndexOf("/");
    const [folder, name] = [path.slice(0, at), path.slice(at + 1)];
    found.set(folder, (found.get(folder) ?? new Set()).add(name));
  }
  return found;
}

/** What is at a path; undefined also if a file is in the place of its folder. */
export function entryOf(path: BytePath): Stats | undefined {
  try {
    return lstatSync(bytesOf(path), { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function kindOf(stats: Stats): LayerChange["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

/** Where a symlink leads, for people and rules. */
export function targetOf({ upper, kind }: LayerChange): string | undefined {
  return kind === "symlink" && upper !== undefined ? pathText(readlinkSync(bytesOf(upper), "latin1")) : undefined;
}

const ZERO = Buffer.alloc(1);
const MAX_LISTED = 256 * 1024 ** 2;
