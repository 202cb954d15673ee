import type { FoundFile } from "../config/layer-files.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { type FileStamp, isUnchanged } from "../fs/stat-cache.ts";

/** Tells of every file of a configuration once for each change since it was read. */
export class ChangedFiles {
  readonly #stamps = new Map<string, FileStamp>();

  constructor(files: readonly FoundFile[]) {
    for (const { path } of files) this.#stamps.set(path, statsAt(path));
  }

  /** The files that changed or went away since they were last looked at. */
  since(): string[] {
    const changed: string[] = [];
    for (const [path, before] of this.#stamps) {
      const now = statsAt(path);
      if (isUnchanged(before, now)) continue;
      this.#stamps.set(path, now);
      changed.push(path);
    }
    return changed;
  }
}
