import { readRegularFile } from "../../fs/regular-file.ts";
import { blobId, withoutReturns } from "../../fs/work-tree.ts";

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
  return hash !== blobId(content, hash.length) && hash !== blobId(withoutReturns(content), hash.length);
}
