import { type BigIntStats, lstatSync, readlinkSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { createHash } from "./late-builtins.ts";
import { readRegularFile } from "./regular-file.ts";
import { git, gitText } from "./run-git.ts";

/** Which files are compared, and how. */
export interface CompareOptions {
  /** Only these pathspecs; the whole folder if left out. */
  readonly where?: readonly string[];
  /**
   * Compares the bytes of files whose times differ from the index. A file with other line ends is unchanged if the repository
   * may convert them. Without this option, such files are changed, because git writes them again.
   */
  readonly byContent?: boolean;
  /** Includes submodules; if left out, only if the settings make git recurse into them. */
  readonly recurses?: boolean;
}

/**
 * The tracked files in a folder of a work tree that differ from the index: another type, another executable bit, deleted, or
 * written since. Paths are relative to the folder, one character for each byte. Git does not compare them, because it would
 * run the repository's filters. Undefined if git fails.
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
      // A submodule is a separate repository, which git leaves alone unless it recurses.
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
      (isAsNoted(noted, stats, writtenAt) ||
        (byContent && hasBlob(path, id, { isLink: stats.isSymbolicLink(), converts })));
    if (!isSame) changed.add(name);
  }
  return [...changed];
}

/** The id that git gives these bytes, by SHA-1 or SHA-256 depending on the length of ids. */
export function blobId(content: Buffer, length: number): string {
  return createHash(length === LENGTH_OF_SHA1 ? "sha1" : "sha256")
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest("hex");
}

/**
 * Whether a file exists with the content of this id, in any line ends. Git itself would run the repository's filters, so the
 * content is hashed here; a file that a filter converts never has it.
 */
export function hasBlob(path: string | Buffer, id: string, { isLink = false, converts = true } = {}): boolean {
  try {
    const content = isLink ? readlinkSync(path, "buffer") : readRegularFile(path);
    return blobId(content, id.length) === id || (converts && blobId(withoutReturns(content), id.length) === id);
  } catch {
    return false;
  }
}

/** The content with LF line ends, as git stores it if it converts CRLF. */
function withoutReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

function isOfMode(mode: string, stats: BigIntStats, hasModes: boolean): boolean {
  if (mode === SYMLINK) return stats.isSymbolicLink();
  return stats.isFile() && (!hasModes || ((stats.mode & 0o100n) !== 0n) === (mode === EXECUTABLE));
}

/** A file that was written at the same time as the index may have been written again, so its times prove nothing. */
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

/** The last value is the one that `runGit` sets. */
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
    // The folder is a file, or may not be searched.
    return undefined;
  }
}

/** One entry of `ls-files --stage --debug -z`: mode, id, stage, name, and the attributes in the index. */
const ENTRY = /(\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0((?: {2}[a-z]+: [^\n]*\n)*)/g;
const NOTED = /ctime: (\d+):(\d+)\s+mtime: (\d+):(\d+)\s+dev: \d+\s+ino: (\d+)\s[\s\S]*size: (\d+)/;
const SUBMODULE = "160000";
const SYMLINK = "120000";
const EXECUTABLE = "100755";
const LENGTH_OF_SHA1 = 40;
