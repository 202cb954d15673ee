import { createHash } from "../../fs/late-builtins.ts";
import { readRegularFile } from "../../fs/regular-file.ts";

/** A file as git's index holds it: where it lies, and the name of its content. */
export interface IndexedFile {
  readonly path: string;
  readonly hash: string;
}

/**
 * Whether a file is gone, or holds something else than what git keeps. Git itself would run the repository's own filters
 * to tell; here the content is named as git names it. Where a filter changes files on their way, they count as changed.
 */
export function isModified({ path, hash }: IndexedFile): boolean {
  let content: Buffer;
  try {
    content = readRegularFile(path);
  } catch {
    return true;
  }
  return hash !== nameOf(content, hash) && hash !== nameOf(withoutReturns(content), hash);
}

function nameOf(content: Buffer, like: string): string {
  const hash = createHash(like.length > LENGTH_OF_SHA1 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** Lines that end as on Windows are kept without the return. */
function withoutReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

const LENGTH_OF_SHA1 = 40;
