import { readRegularFile } from "../../fs/regular-file.ts";
import { blobId, withoutReturns } from "../../fs/work-tree.ts";

/** A file in git's index: its path and the id of its content. */
export interface IndexedFile {
  readonly path: string;
  readonly hash: string;
}

/**
 * Whether a file is missing or differs from its content in git's index. Git itself would run the repository's filters, so the
 * content is hashed here. A file that a filter converts is always modified.
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
