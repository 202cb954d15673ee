import { type BigIntStats, lstatSync, readlinkSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { createHash } from "./late-builtins.ts";
import { readRegularFile } from "./regular-file.ts";
import { git, gitText } from "./run-git.ts";

/** Which files are compared, and how. */
export interface CompareOptions {
  /** Only these paths, as git reads them; the whole folder if left out. */
  readonly where?: readonly string[];
  /**
   * Files that have other times than the index has noted are compared by their bytes. A file in which only line ends differ
   * is unchanged where the repository may convert them. Otherwise such files are changed, because git writes them anew.
   */
  readonly byContent?: boolean;
  /** Files in submodules too; if left out, where the settings make git go into them. */
  readonly recurses?: boolean;
}

/**
 * The tracked files in a folder of a work tree that are not what the index has noted: another kind, another executable bit,
 * gone, or written since. Paths are relative to the folder, with one character for each byte. Git is not asked to compare,
 * because it would run the filters that the repository configures. Undefined if git fails.
 */
export function changedFiles(
  folder: string,
  { where = [], byContent = false, recurses = false }: CompareOptions = {},
): string[] | undefined {
  const listed = git(folder, ["ls-files", "--stage", "--debug", "-z", "--", ...where])?.toString("latin1");
  const index = gitText(folder, ["rev-parse", "--git-path", "index"]);
  if (listed === undefined || index === undefined) return undefined;
  const base = Buffer.from(`${folder}/`).toString("latin1");
  const writtenAt = statsOf(Buffer.from(isAbsolute(index) ? index : resolve(folder, index)))?.mtimeNs ?? 0n;
  const hasModes = gitText(folder, ["config", "--type=bool", "--get", "core.fileMode"]) !== "false";
  const converts = byContent && mayConvertLineEnds(folder, listed);
  const changed = new Set<string>();
  for (const [, mode = "", id = "", stage, name = "", noted = ""] of listed.matchAll(ENTRY)) {
    if (mode === SUBMODULE) {
      // A submodule is a repository of its own, in which git changes nothing unless it is told to.
      if (byContent || !(recurses || goesIntoSubmodules(folder))) continue;
      const module = Buffer.from(base + name, "latin1").toString();
      if (statsOf(Buffer.from(`${module}/.git`)) === undefined) continue;
      for (const path of changedFiles(module, { recurses: true }) ?? []) changed.add(`${name}/${path}`);
      continue;
    }
    const path = Buffer.from(base + name, "latin1");
    const stats = stage === "0" ? statsOf(path) : undefined;
    const isSame =
      stats !== undefined &&
      isOfMode(mode, stats, hasModes) &&
      (isAsNoted(noted, stats, writtenAt) || (byContent && holds(path, stats, id, converts)));
    if (!isSame) changed.add(name);
  }
  return [...changed];
}

/** The id that git gives these bytes; repositories name them by SHA-1 or SHA-256. */
export function blobId(content: Buffer, length: number): string {
  return createHash(length === LENGTH_OF_SHA1 ? "sha1" : "sha256")
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest("hex");
}

/** Content with the line ends that git stores where it converts those of Windows. */
export function withoutReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

function holds(path: Buffer, stats: BigIntStats, id: string, converts: boolean): boolean {
  try {
    const content = stats.isSymbolicLink() ? readlinkSync(path, "buffer") : readRegularFile(path);
    return blobId(content, id.length) === id || (converts && blobId(withoutReturns(content), id.length) === id);
  } catch {
    return false;
  }
}

function isOfMode(mode: string, stats: BigIntStats, hasModes: boolean): boolean {
  if (mode === SYMLINK) return stats.isSymbolicLink();
  return stats.isFile() && (!hasModes || ((stats.mode & 0o100n) !== 0n) === (mode === EXECUTABLE));
}

/** A file that was written while the index was may have been written once more, so its times prove nothing. */
function isAsNoted(noted: string, stats: BigIntStats, writtenAt: bigint): boolean {
  const [, changedSeconds, changedNs, seconds, ns, inode, size] = NOTED.exec(noted) ?? [];
  if (size === undefined || ns === "0" || stats.mtimeNs >= writtenAt) return false;
  const isTime = (whole = "", part = "", time: bigint) => BigInt(whole) * 1_000_000_000n + BigInt(part) === time;
  return (
    isTime(seconds, ns, stats.mtimeNs) &&
    isTime(changedSeconds, changedNs, stats.ctimeNs) &&
    BigInt(size) === stats.size &&
    BigInt(inode ?? "") === BigInt.asUintN(32, stats.ino)
  );
}

/** The last value is the one with which git is started here. */
function goesIntoSubmodules(folder: string): boolean {
  const values = gitText(folder, ["config", "--type=bool", "--get-all", "submodule.recurse"])?.split("\n") ?? [];
  return values.at(-2) === "true";
}

function mayConvertLineEnds(folder: string, listed: string): boolean {
  return listed.includes(".gitattributes\0") || gitText(folder, ["config", "--get", "core.autocrlf"]) !== undefined;
}

function statsOf(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    // A file is in the place of its folder, or the folder may not be searched.
    return undefined;
  }
}

/** One entry of `ls-files --stage --debug -z`: mode, id, stage, name, and what the index has noted about the file. */
const ENTRY = /(\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0((?: {2}[a-z]+: [^\n]*\n)*)/g;
const NOTED = /ctime: (\d+):(\d+)\s+mtime: (\d+):(\d+)\s+dev: \d+\s+ino: (\d+)\s[\s\S]*size: (\d+)/;
const SUBMODULE = "160000";
const SYMLINK = "120000";
const EXECUTABLE = "100755";
const LENGTH_OF_SHA1 = 40;
