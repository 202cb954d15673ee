import { lstatSync, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type CallEffects, type Effect, GAP, isAtOrUnder, isPathEffect, type PathEffect } from "../../effects/index.ts";
import { entryAt, realPath, statsAt } from "../../fs/resolve-path.ts";
import { type BytePath, bytePath, bytesOf } from "./byte-path.ts";
import { inodeOf, type LostPath } from "./snapshot.ts";

/**
 * An effect at every place where it may happen: `cd` into a folder that is not there leaves the line where it was, and
 * `rm -r link/` removes the target of the link.
 */
export function placesOf(effect: Effect, call: CallEffects, cwd: string): readonly Effect[] {
  if (!isPathEffect(effect) || effect.does === "read") return [effect];
  const behind = behindLink(effect, call, cwd);
  return [effect, ...startsOf(effect, call, cwd), ...(behind === undefined ? [] : [behind])];
}

/** The effect as seen from the folders in which the line may have stayed. */
function startsOf(effect: PathEffect, { commands, effects }: CallEffects, cwd: string): readonly PathEffect[] {
  const folder = commands[effect.command]?.folder ?? ".";
  const { text } = effect.path;
  if (folder.includes(GAP) || !text.startsWith(`${folder}/`)) return [];
  if (statsAt(resolve(cwd, folder))?.isDirectory()) return [];
  const isMade = effects.some(
    (one) =>
      one.does === "write" &&
      one.command < effect.command &&
      commands[one.command]?.folder !== folder &&
      (isAtOrUnder(folder, one.path.text) || isAtOrUnder(one.path.text, folder)),
  );
  if (isMade) return [];
  const rest = text.slice(folder.length + 1);
  const from = folder.startsWith("/") ? [] : foldersAbove(folder);
  return ["", ...from].map((start) => ({ ...effect, path: { ...effect.path, text: start + rest } }));
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === "." || above === ".." ? [] : [`${above}/`, ...foldersAbove(above)];
}

function behindLink(effect: PathEffect, { commands }: CallEffects, cwd: string): PathEffect | undefined {
  if (effect.does !== "delete" || !effect.isTree || effect.path.isGlob || effect.path.text.startsWith("~")) return;
  if (!commands[effect.command]?.args.some(({ text }) => text.endsWith("/"))) return;
  const path = resolve(cwd, effect.path.text);
  if (entryAt(path)?.isSymbolicLink() !== true) return;
  return { ...effect, path: { ...effect.path, text: realPath(path) } };
}

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

/** The names in the project of files with these numbers. */
export function namesOf(inodes: ReadonlySet<string>, project: BytePath): LostPath[] {
  const found: LostPath[] = [];
  const folders = [project];
  let looked = 0;
  for (let folder = folders.pop(); folder !== undefined && looked < MAX_LOOKED_AT; folder = folders.pop())
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

const MAX_LOOKED_AT = 20_000;
