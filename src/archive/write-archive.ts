import { gzipSync } from "node:zlib";
import { problems } from "../problem/problem.ts";
import { type ArchiveFile, foldedName, whyUnsafeName } from "./read-archive.ts";
import { BLOCK, encodeHeader, MEMBER_TYPES } from "./tar-header.ts";

/** Packs files into a `.tar.gz`. The same files give the same bytes on every system and at every time: sorted, without owners and dates. */
export function writeArchive(files: readonly ArchiveFile[]): Buffer {
  const sorted = [...files].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
  const names = new Set<string>();
  const blocks = sorted.flatMap(({ path, content, isExecutable }) => {
    const why = whyUnsafeName(path) ?? (names.has(foldedName(path)) ? "is there twice" : undefined);
    if (why !== undefined) throw PROBLEMS.cannotPack({ path, why });
    names.add(foldedName(path));
    const header = encodeHeader({ name: path, size: content.length, type: MEMBER_TYPES.file, isExecutable });
    if (header === undefined) throw PROBLEMS.cannotPack({ path, why: "has a path that is too long for a tar" });
    return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The ninth byte names the system that packed it; "unknown" is the same on all of them.
  packed[9] = 255;
  return packed;
}

const PROBLEMS = problems("archive", {
  cannotPack: ({ path, why }: { path: string; why: string }) => ({
    what: `${JSON.stringify(path)} ${why}.`,
    fix: "Rename the file, or leave it out.",
  }),
});
