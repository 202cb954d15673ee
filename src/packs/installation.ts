import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ArchiveFile } from "../archive/read-archive.ts";
import { changeFile } from "../config/change-file.ts";
import { parseDocument, readDocument } from "../config/document.ts";
import { extendedPacks, withExtendedPack, withoutExtendedPack } from "../config/edit.ts";
import { changeIn, readTree } from "../config/installed-pack.ts";
import { type PackContent, packContent } from "../config/pack-content.ts";
import {
  type LockedPack,
  lockFile,
  PACK_FILE,
  type PackLock,
  packFolder,
  packLockText,
  packsFolder,
  readPackLock,
} from "../config/pack-lock.ts";
import { makeDir } from "../fs/make-dir.ts";
import { moveIntoPlace, writeAtomic } from "../fs/write-atomic.ts";
import { Problem, problems } from "../problem/problem.ts";
import { lockedFrom, type PackCandidate } from "./candidate.ts";

/** Where packs are installed: the folder of hooks of a project, or of the user. */
export interface PackHome {
  /** The folder that holds hooks.yaml, lock.json and packs/. */
  readonly folder: string;
  /** The file that extends the packs. */
  readonly hooksFile: string;
  readonly layer: "user" | "project";
}

/** Finds where the packs of a folder of hooks are extended: the file that is there, else hooks.yaml. */
export function packHome(folder: string, layer: PackHome["layer"]): PackHome {
  const files = ["hooks.yaml", "hooks.json"].map((name) => join(folder, name));
  return { folder, layer, hooksFile: files.find((file) => existsSync(file)) ?? join(folder, "hooks.yaml") };
}

/**
 * Unpacks a candidate, pins it in the lock, and extends it. A reader sees the pack before or the pack after: the new folder
 * is whole before the lock names it, and the old one goes last.
 */
export function installPack(
  home: PackHome,
  candidate: PackCandidate,
  { gates, given }: { readonly gates: readonly string[]; readonly given: unknown },
): LockedPack {
  const { folder } = home;
  const { name, version } = candidate;
  const locked = lockedFrom(candidate, gates);
  unpack(folder, candidate, locked);
  changeLock(folder, ({ packs }) => ({ packs: { ...packs, [name]: locked } }));
  changeHooks(home, (document) => withExtendedPack(document, name, given));
  tidy(folder, name, version);
  return locked;
}

/** Takes a pack out: from the file that extends it, from the lock, from the disk. False when it was nowhere. */
export function removePack(home: PackHome, name: string): boolean {
  const { folder } = home;
  const { packs } = readPackLock(folder);
  const isExtended = packsExtendedIn(home).some((one) => one.name === name);
  if (packs[name] === undefined && !isExtended) return false;
  if (isExtended) changeHooks(home, (document) => withoutExtendedPack(document, name));
  changeLock(folder, (lock) => {
    const { [name]: _, ...others } = lock.packs;
    return { packs: others };
  });
  tidy(folder, name, undefined);
  return true;
}

/** The packs that the file of hooks extends, with the values that it gives them. */
export function packsExtendedIn({
  hooksFile,
}: PackHome): readonly { readonly name: string; readonly given: unknown }[] {
  const read = readDocument(hooksFile);
  return read.state === "read" ? extendedPacks(read.document) : [];
}

/** What of an installed pack is not as in the lock; undefined if it is whole. */
export function damageOf({ folder }: PackHome, name: string, locked: LockedPack): string | undefined {
  return changeIn(readTree(packFolder(folder, name, locked.version)), locked);
}

/** What an installed pack has now; undefined if it cannot be used. */
export function installedContent(
  { folder, layer }: PackHome,
  name: string,
  { version }: LockedPack,
  given: unknown,
): PackContent | undefined {
  const home = packFolder(folder, name, version);
  const { files } = readTree(home);
  const text = files.get(PACK_FILE)?.toString("utf8") ?? "";
  const content = packContent({ name, version, folder: home, text, files: new Set(files.keys()), layer, given });
  return content instanceof Problem ? undefined : content;
}

/** Writes the files of a candidate into its folder, unless exactly these lie there. */
export function unpack(folder: string, { name, version, files }: PackCandidate, locked: LockedPack): void {
  const target = packFolder(folder, name, version);
  if (existsSync(target) && changeIn(readTree(target), locked) === undefined) return;
  const packs = packsFolder(folder);
  makeDir(packs);
  keepLineEndings(packs);
  const draft = join(packs, `.${basename(target)}.${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeTree(draft, files);
    const damage = changeIn(readTree(draft), locked);
    if (damage !== undefined) throw PROBLEMS.notUnpackable({ name, damage });
    rmSync(target, { recursive: true, force: true });
    moveIntoPlace(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function writeTree(folder: string, files: readonly ArchiveFile[]): void {
  mkdirSync(folder);
  for (const { path, content, isExecutable } of files) {
    const target = join(folder, path);
    makeDir(dirname(target));
    writeFileSync(target, content);
    if (isExecutable) chmodSync(target, 0o755);
  }
}

/** Git may change the ends of lines on its way, and with them the bytes that the lock pins. */
function keepLineEndings(packs: string): void {
  const file = join(packs, ".gitattributes");
  if (!existsSync(file)) writeFileSync(file, "* -text\n");
}

function changeLock(folder: string, change: (lock: PackLock) => PackLock): void {
  const file = lockFile(folder);
  changeFile(file, () => {
    const next = change(readPackLock(folder));
    if (Object.keys(next.packs).length === 0) rmSync(file, { force: true });
    else writeAtomic(file, packLockText(next), "replace");
  });
}

function changeHooks(home: PackHome, change: (document: Parameters<typeof withExtendedPack>[0]) => string): void {
  const { hooksFile, layer } = home;
  changeFile(hooksFile, () => {
    const read = readDocument(hooksFile);
    if (read.state === "corrupt" || read.state === "ignored")
      throw PROBLEMS.hooksUnreadable({ file: hooksFile }, { place: { file: hooksFile } });
    const fresh = read.state === "missing" ? parseDocument(hooksFile, FIRST_TEXT[layer]) : read;
    if (fresh.state !== "read") throw PROBLEMS.hooksUnreadable({ file: hooksFile }, { place: { file: hooksFile } });
    const text = change(fresh.document);
    if (read.state === "missing" || text !== fresh.document.text) writeAtomic(hooksFile, fresh.document.mark + text);
  });
}

/** Removes the folders of other versions of a pack, and the folder of packs when nothing is left in it. */
function tidy(folder: string, name: string, kept: string | undefined): void {
  const packs = packsFolder(folder);
  if (!existsSync(packs)) return;
  const start = `${name.replace("/", "+")}@`;
  for (const entry of readdirSync(packs))
    if (entry.startsWith(start) && entry !== `${start}${kept}`)
      rmSync(join(packs, entry), { recursive: true, force: true });
  if (readdirSync(packs).every((entry) => entry === ".gitattributes")) rmSync(packs, { recursive: true, force: true });
}

const FIRST_TEXT = {
  project: "# The hooks of this project. `sluice check` reads this file, `sluice list` shows what is active.\n",
  user: "# Your own hooks: they hold in all your projects. `sluice check` reads this file, `sluice list` shows what is active.\n",
} as const;

const PROBLEMS = problems("pack", {
  notUnpackable: ({ name, damage }: { name: string; damage: string }) => ({
    what: `The files of ${name} could not be written as they are: ${damage}. The version that was installed before still applies.`,
    fix: "Check the disk, and try again.",
  }),
  hooksUnreadable: ({ file }: { file: string }) => ({
    what: `${file} cannot be read, so no pack can be extended there.`,
    fix: "`sluice check` says what is wrong with it.",
  }),
});
