import { lstatSync, readdirSync } from "node:fs";
import { type BytePath, bytePath, bytesOf } from "./byte-path.ts";
import { inodeOf, type LostPath } from "./snapshot.ts";

/**
 * With the other names, in the project, of files that are removed or moved by a call that writes too: `shred -u` writes over the
 * file first, and what is moved may be written at its new place, which changes what the other names lead to.
 */
export function withOtherNames(lost: readonly LostPath[], project: BytePath): readonly LostPath[] {
  if (!lost.some(({ loss }) => loss === "overwritten")) return lost;
  const wanted = new Set<string>();
  for (const { path, loss } of lost) {
    if (loss !== "removed") continue;
    const stats = lstatSync(bytesOf(path), { throwIfNoEntry: false });
    if (stats?.isFile() && stats.nlink > 1) wanted.add(inodeOf(stats));
  }
  return wanted.size === 0 ? lost : [...lost, ...namesOf(wanted, project)];
}

function namesOf(inodes: ReadonlySet<string>, project: BytePath): LostPath[] {
  const found: LostPath[] = [];
  const folders = [project];
  let looked = 0;
  for (let folder = folders.pop(); folder !== undefined && looked < MOST_LOOKED_AT; folder = folders.pop())
    for (const entry of readdirSync(bytesOf(folder), { withFileTypes: true, encoding: "buffer" })) {
      looked++;
      const path = `${folder}/${bytePath(entry.name)}`;
      if (entry.isDirectory()) {
        if (path !== `${project}/.git`) folders.push(path);
      } else if (entry.isFile() && inodes.has(inodeOf(lstatSync(bytesOf(path)))))
        found.push({ path, loss: "overwritten", isTree: false });
    }
  return found;
}

const MOST_LOOKED_AT = 20_000;
