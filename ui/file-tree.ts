import type { WrittenFile, WrittenFiles } from "../src/ui-server/wire.ts";

/** A folder or a file of the project, with what is known about everything in it. */
export interface TreeNode {
  readonly path: string;
  readonly name: string;
  /** Counted from 1. */
  readonly level: number;
  /** The content of a folder; undefined for a file. */
  readonly children?: Map<string, TreeNode>;
  /** What agents did to a file. */
  written?: WrittenFile;
  files: number;
  /** How many files each intent covers. */
  readonly covered: Map<string, number>;
  changed: number;
  /** Files that changed after the last recorded call. */
  since: number;
  /** Files that differ from the last commit, and no recorded call touched them. */
  unexplained: number;
  /** Writes that were denied because the file had changed since its session read it. */
  stale: number;
}

/** What a file may have to be put in the tree. */
export type FileFilter = (path: string, written: WrittenFile | undefined) => boolean;

/** Puts files into their folders; the numbers of a file count for every folder around it. */
export function fileTree(
  { tree, files }: WrittenFiles,
  staleWrites: ReadonlyMap<string, number>,
  holds: FileFilter,
): TreeNode {
  const root = folder("", "", 0);
  const written = new Map(files.map((file) => [file.path, file]));
  const known = new Set(tree.paths);
  const add = (path: string, owners: readonly string[]) => {
    const own = written.get(path);
    if (!holds(path, own)) return;
    const around = foldersOf(root, path);
    const file = empty(path, path.slice(path.lastIndexOf("/") + 1), around.length);
    if (own !== undefined) file.written = own;
    around.at(-1)?.children?.set(file.name, file);
    for (const node of [...around, file]) {
      node.files++;
      for (const id of owners) node.covered.set(id, (node.covered.get(id) ?? 0) + 1);
      node.stale += staleWrites.get(path) ?? 0;
      if (own !== undefined && own.changes > 0) node.changed++;
      if (own?.unexplained === undefined) continue;
      if (own.changes > 0) node.since++;
      else node.unexplained++;
    }
  };
  for (const [at, path] of tree.paths.entries()) add(path, tree.ownerSets[tree.owners[at] ?? -1] ?? []);
  for (const file of files) if (!known.has(file.path)) add(file.path, file.owners);
  return root;
}

/** The rows that are seen: the content of open folders, folders first. */
export function treeRows(root: TreeNode, isOpen: (node: TreeNode) => boolean): TreeNode[] {
  const rows: TreeNode[] = [];
  const walk = (node: TreeNode) => {
    const inside = [...(node.children?.values() ?? [])].sort(
      (one, other) =>
        Number(other.children !== undefined) - Number(one.children !== undefined) || (one.name < other.name ? -1 : 1),
    );
    for (const child of inside) {
      rows.push(child);
      if (child.children !== undefined && isOpen(child)) walk(child);
    }
  };
  walk(root);
  return rows;
}

function foldersOf(root: TreeNode, path: string): TreeNode[] {
  const found = [root];
  let at = root;
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    const name = path.slice(at.path === "" ? 0 : at.path.length + 1, slash);
    const next = at.children?.get(name) ?? folder(path.slice(0, slash), name, found.length);
    at.children?.set(name, next);
    found.push(next);
    at = next;
  }
  return found;
}

function folder(path: string, name: string, level: number): TreeNode {
  return { ...empty(path, name, level), children: new Map() };
}

function empty(path: string, name: string, level: number): TreeNode {
  return { path, name, level, files: 0, covered: new Map(), changed: 0, since: 0, unexplained: 0, stale: 0 };
}
