import { readFileSync, statSync } from "node:fs";
import { relative } from "node:path";
import { type ArchiveFile, type ArchiveLimits, readArchive } from "../archive/read-archive.ts";
import { readTree } from "../config/installed-pack.ts";
import { problems } from "../problem/problem.ts";
import { candidateOf, integrityOf, integrityOfFiles, type PackCandidate } from "./candidate.ts";

/** How large a pack may be. */
export const PACK_LIMITS: ArchiveLimits = {
  packedBytes: 2 * 1024 * 1024,
  unpackedBytes: 8 * 1024 * 1024,
  files: 500,
};

/** Reads a pack from a folder or from an archive on the disk. `root` is what the lock's path is seen from. */
export function localCandidate(path: string, root: string): PackCandidate {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw PROBLEMS.noSource({ path });
  const from = relative(root, path).replaceAll("\\", "/");
  const resolved = `file:${from === "" ? "." : from}`;
  if (stats.isDirectory()) {
    const files = folderFiles(path);
    return candidateOf(files, { integrity: integrityOfFiles(files), resolved });
  }
  if (stats.size > PACK_LIMITS.packedBytes) throw PROBLEMS.sourceTooLarge({ path, most: PACK_LIMITS.packedBytes });
  const bytes = readFileSync(path);
  return candidateOf(packageFiles(bytes), { integrity: integrityOf(bytes), resolved });
}

/** The files of a package's archive, without the folder that contains all of them. */
export function packageFiles(packed: Uint8Array): readonly ArchiveFile[] {
  const files = readArchive(packed, PACK_LIMITS);
  const top = files[0]?.path.split("/")[0] ?? "";
  const strange = files.find(({ path }) => !path.startsWith(`${top}/`));
  if (strange !== undefined) throw PROBLEMS.noPackage({ path: strange.path });
  return files.map((file) => ({ ...file, path: file.path.slice(top.length + 1) }));
}

/** The files of a folder that are part of its package: those that `files` of package.json names, else all that are the pack's own. */
function folderFiles(folder: string): ArchiveFile[] {
  const tree = readTree(folder, isNeverPacked);
  const [link] = tree.others;
  if (link !== undefined) throw PROBLEMS.noPlainFile({ path: link });
  const stated = statedFiles(tree.files.get("package.json"));
  const isPart = (path: string) => stated === undefined || ALWAYS.test(path) || stated.some((one) => isIn(path, one));
  const files = [...tree.files]
    .filter(([path]) => isPart(path))
    .map(([path, content]) => ({ path, content, isExecutable: isExecutable(`${folder}/${path}`) }));
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  if (files.length > PACK_LIMITS.files || bytes > PACK_LIMITS.unpackedBytes)
    throw PROBLEMS.sourceTooLarge({ path: folder, most: PACK_LIMITS.unpackedBytes });
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function isNeverPacked(path: string): boolean {
  return /(?:^|\/)(?:node_modules|\.[^/]*)$|\.tgz$/.test(path);
}

function statedFiles(manifest: Buffer | undefined): readonly string[] | undefined {
  try {
    const { files } = Object(JSON.parse(manifest?.toString("utf8") ?? "{}")) as { files?: unknown };
    return Array.isArray(files) && files.every((one) => typeof one === "string") ? files : undefined;
  } catch {
    return undefined;
  }
}

function isIn(path: string, stated: string): boolean {
  const name = stated.replace(/^\.?\//, "").replace(/\/?(?:\*\*?\/?\*?)?$/, "");
  return name === "" || path === name || path.startsWith(`${name}/`);
}

function isExecutable(path: string): boolean {
  return (statSync(path).mode & 0o111) !== 0;
}

const ALWAYS = /^(?:package\.json|sluice\.yaml|readme(?:\.\w+)?|licen[cs]e(?:\.\w+)?)$/i;

const PROBLEMS = problems("pack", {
  noSource: ({ path }: { path: string }) => ({
    what: `${path} is not there.`,
    fix: "Name the folder or the .tgz of a pack; a name without ./ is looked for in the registry.",
  }),
  sourceTooLarge: ({ path, most }: { path: string; most: number }) => ({
    what: `${path} is larger than a pack may be: ${most} bytes, ${PACK_LIMITS.files} files.`,
    fix: "Name in `files` of its package.json what hooks need, and leave out the rest.",
  }),
  noPackage: ({ path }: { path: string }) => ({
    what: `The archive contains ${JSON.stringify(path)} outside of its folder: it is not a package. Nothing was unpacked.`,
    fix: "Make it with `npm pack`.",
  }),
  noPlainFile: ({ path }: { path: string }) => ({
    what: `${JSON.stringify(path)} in the folder of the pack is a link or no regular file.`,
    fix: "Put the file itself there: a pack holds files and folders alone.",
  }),
});
