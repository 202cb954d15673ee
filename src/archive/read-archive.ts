import { gunzipSync } from "node:zlib";
import { problems } from "../problem/problem.ts";
import { BLOCK, decodeHeader, MEMBER_TYPES, type ReadHeader, type TarHeader, utf8 } from "./tar-header.ts";

/** One regular file of an archive. */
export interface ArchiveFile {
  /** Its path, with `/` between the parts, never absolute and without `..`. */
  readonly path: string;
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

/** How much an archive may hold. */
export interface ArchiveLimits {
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly files: number;
}

/** Enough for every bundle and every pack of hooks. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  packedBytes: 8 * 1024 * 1024,
  unpackedBytes: 32 * 1024 * 1024,
  files: 2000,
};

/**
 * Reads a `.tar.gz` in memory: its regular files, in the order of the archive. Throws a problem for everything else: links,
 * devices, names that leave the folder or meet another name, half an archive, more than the limits, bytes after the end.
 */
export function readArchive(packed: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): readonly ArchiveFile[] {
  if (packed.length > limits.packedBytes) throw PROBLEMS.tooLarge({ most: limits.packedBytes, what: "packed" });
  return readTar(unpack(packed, limits), limits);
}

function unpack(packed: Uint8Array, { unpackedBytes }: ArchiveLimits): Buffer {
  // Headers and padding come on top of the content.
  const maxOutputLength = unpackedBytes + 4 * 1024 * 1024;
  try {
    const { buffer, engine } = gunzipSync(packed, { maxOutputLength, info: true }) as unknown as Unpacked;
    if (engine.bytesWritten !== packed.length) throw PROBLEMS.trailing(undefined);
    return buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw PROBLEMS.tooLarge({ most: unpackedBytes, what: "unpacked" });
    if (code?.startsWith("Z_")) throw PROBLEMS.noGzip(undefined, { cause: error });
    throw error;
  }
}

/** What Node gives with `info`, which its types leave out. */
interface Unpacked {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function readTar(tar: Buffer, limits: ArchiveLimits): ArchiveFile[] {
  const names = new NameSet();
  const files: ArchiveFile[] = [];
  let [at, bytes, members] = [0, 0, 0];
  let longName: string | undefined;
  for (;;) {
    const block = tar.subarray(at, at + BLOCK);
    if (block.length < BLOCK) throw PROBLEMS.truncated(undefined);
    if (isZero(block)) break;
    const header = decodeHeader(block);
    if (header === undefined) throw PROBLEMS.badHeader({ at });
    const content = tar.subarray(at + BLOCK, at + BLOCK + header.size);
    if (content.length < header.size) throw PROBLEMS.truncated(undefined);
    at += BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
    members++;
    bytes += header.size;
    if (members > limits.files) throw PROBLEMS.tooMany({ most: limits.files });
    if (bytes > limits.unpackedBytes) throw PROBLEMS.tooLarge({ most: limits.unpackedBytes, what: "unpacked" });
    if (header.type === MEMBER_TYPES.pax || header.type === MEMBER_TYPES.paxForAll) {
      const path = paxPath(content, header);
      if (header.type === MEMBER_TYPES.pax) longName = path;
      continue;
    }
    const name = longName ?? header.name;
    if (name === undefined) throw PROBLEMS.badHeader({ at });
    const file = memberOf({ ...header, name }, content, names);
    longName = undefined;
    if (file !== undefined) files.push(file);
  }
  if (!isZero(tar.subarray(at))) throw PROBLEMS.trailing(undefined);
  return files;
}

function memberOf({ name, type, isExecutable }: TarHeader, content: Buffer, names: NameSet): ArchiveFile | undefined {
  const isFolder = type === MEMBER_TYPES.folder;
  const path = name.replace(/^\.\/(?=.)/, "").replace(isFolder ? /\/$/ : /$^/, "");
  if (isFolder && path === ".") return undefined;
  const why = whyUnsafeName(path);
  if (why !== undefined) throw PROBLEMS.unsafeName({ name, why });
  if (!isFolder && type !== MEMBER_TYPES.file && type !== MEMBER_TYPES.oldFile)
    throw PROBLEMS.noRegularFile({ name, is: OTHER_TYPES[type] ?? "of an unknown kind" });
  if (!names.add(path, isFolder ? "folder" : "file")) throw PROBLEMS.sameName({ name });
  return isFolder ? undefined : { path, content: Buffer.from(content), isExecutable };
}

/** The names of an archive; each file once, also where case and composition are ignored, and no folder that is a file. */
class NameSet {
  readonly #known = new Map<string, "file" | "folder">();

  /** False when the name is taken. */
  add(path: string, kind: "file" | "folder"): boolean {
    const name = foldedName(path);
    const before = this.#known.get(name);
    if (before !== undefined && (before === "file" || kind === "file")) return false;
    for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
      const above = name.slice(0, slash);
      if (this.#known.get(above) === "file") return false;
      this.#known.set(above, "folder");
    }
    this.#known.set(name, kind);
    return true;
  }
}

/** The long name that a pax member gives the next one. Sizes and links in it would contradict the header: they are refused. */
function paxPath(content: Buffer, { type }: ReadHeader): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at);
    const length = Number(content.toString("latin1", at, blank === -1 ? at : blank));
    const record = content.subarray(blank + 1, at + length);
    const equals = record.indexOf(0x3d);
    if (!Number.isInteger(length) || length < 5 || at + length > content.length || equals < 1 || record.at(-1) !== 0x0a)
      throw PROBLEMS.badPax(undefined);
    const key = record.toString("latin1", 0, equals);
    const value = utf8(record.subarray(equals + 1, -1));
    if (key === "size" || key === "linkpath" || (key === "path" && type === MEMBER_TYPES.paxForAll))
      throw PROBLEMS.badPax(undefined);
    if (key === "path") path = value;
    if (value === undefined && key === "path") throw PROBLEMS.badPax(undefined);
    at += length;
  }
  return path;
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(Buffer.alloc(bytes.length));
}

/** Why a member of an archive cannot get the name that it asks for; nothing for a name that is safe on every system. */
export function whyUnsafeName(name: string): string | undefined {
  if (name === "") return "does not have a name";
  if (Buffer.byteLength(name) > LONGEST_NAME) return "has a name of more than 1,024 bytes";
  if (name.startsWith("/")) return "has an absolute path";
  if (UNSAFE_SIGNS.test(name)) return "has a backslash, a colon or a control character in its name";
  const parts = name.split("/");
  if (parts.length > DEEPEST) return `is more than ${DEEPEST} folders deep`;
  return parts.map(whyUnsafePart).find((why) => why !== undefined);
}

function whyUnsafePart(part: string): string | undefined {
  if (part === "..") return "leaves its folder with `..`";
  if (part === "" || part === ".") return "has an empty part in its name";
  if (Buffer.byteLength(part) > LONGEST_PART) return "has a part of more than 255 bytes in its name";
  if (/[. ]$/.test(part)) return "has a part that ends in a dot or a blank, which Windows leaves out";
  return DEVICES.test(part) ? "is called like a device of Windows" : undefined;
}

/** What two names have in common when a file system that ignores case and composition takes them for one. */
export function foldedName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

const LONGEST_NAME = 1024;
const LONGEST_PART = 255;
const DEEPEST = 32;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name with one of them is refused.
const UNSAFE_SIGNS = /[\\:\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const OTHER_TYPES: Readonly<Record<string, string>> = {
  "1": "a hard link",
  "2": "a symbolic link",
  "3": "a device",
  "4": "a device",
  "6": "a named pipe",
  L: "a long name of GNU tar",
  K: "a long link of GNU tar",
  S: "a sparse file",
};

const PROBLEMS = problems("archive", {
  tooLarge: ({ most, what }: { most: number; what: string }) => ({
    what: `The archive contains more than ${most} bytes ${what}.`,
    fix: "Leave out of it what hooks do not need.",
  }),
  tooMany: ({ most }: { most: number }) => ({
    what: `The archive contains more than ${most} files and folders.`,
    fix: "Leave out of it what hooks do not need.",
  }),
  noGzip: () => ({ what: "The archive is not a complete gzip file.", fix: "Download or build it again." }),
  truncated: () => ({ what: "The archive ends in the middle of a file.", fix: "Download or build it again." }),
  trailing: () => ({ what: "There are bytes after the end of the archive.", fix: "Download or build it again." }),
  badHeader: ({ at }: { at: number }) => ({
    what: `The archive is not a tar file: the header at byte ${at} is damaged.`,
    fix: "Download or build it again.",
  }),
  badPax: () => ({
    what: "The archive has an extended header that is damaged, or contains more than a name.",
    fix: "Build it with `sluice` or with `npm pack`.",
  }),
  unsafeName: ({ name, why }: { name: string; why: string }) => ({
    what: `A member of the archive, ${JSON.stringify(name)}, ${why}. Nothing was unpacked.`,
    fix: "Do not use this archive; report this to its authors.",
  }),
  noRegularFile: ({ name, is }: { name: string; is: string }) => ({
    what: `A member of the archive, ${JSON.stringify(name)}, is ${is}. Nothing was unpacked.`,
    fix: "Only files and folders may be in it; report this to its authors.",
  }),
  sameName: ({ name }: { name: string }) => ({
    what: `The archive contains ${JSON.stringify(name)} twice, or under two spellings that some file systems take for one.`,
    fix: "Do not use this archive; report this to its authors.",
  }),
});
