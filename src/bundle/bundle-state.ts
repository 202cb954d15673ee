import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CurrentBundle,
  currentBundleFile,
  keepBundleFloor,
  type ManagedSettings,
  managedFolder,
  PACKED_BUNDLE,
} from "../config/managed-bundle.ts";
import { attempt } from "../event/attempt.ts";
import { readRegularFile, readRegularText } from "../fs/regular-file.ts";
import { makePrivateDir, type StateHome } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { type BundleContent, contentOf, writeFiles } from "./content.ts";
import type { OpenBundle } from "./open-bundle.ts";

/** How the last fetch went. */
export interface FetchStatus {
  readonly at: number;
  readonly url: string;
  /** `same` and `taken` confirm the bundle; `ring` keeps it because a newer one is for other machines first. */
  readonly outcome: "taken" | "same" | "ring" | "refused" | "unreachable";
  readonly problem?: { readonly code: string; readonly what: string; readonly fix?: string | undefined } | undefined;
  /** Since when every fetch has failed, in milliseconds. */
  readonly failingSince?: number | undefined;
  /** What the server said identifies its newest bundle, with the hash of that bundle. */
  readonly etag?: string | undefined;
  readonly etagHash?: string | undefined;
}

/** How the last fetch went; undefined if there was none. */
export function readStatus(where: StateHome): FetchStatus | undefined {
  return attempt(() => JSON.parse(readRegularText(statusFile(where))) as FetchStatus);
}

/** Keeps how a fetch went. */
export function writeStatus(status: FetchStatus, where: StateHome): void {
  makePrivateDir(managedFolder(where));
  writePrivate(statusFile(where), `${JSON.stringify(status, null, 1)}\n`);
}

/** The files of a bundle on the disk, which nothing points to yet. */
export interface UnpackedBundle {
  readonly folder: string;
  readonly content: BundleContent;
  discard(): void;
}

/** Writes a verified bundle into a folder of its own, and reads what it says from there. */
export function unpackBundle({ hash, files, packed }: OpenBundle, where: StateHome): UnpackedBundle {
  const name = `${hash.slice("sha256:".length, "sha256:".length + 16)}-${Math.random().toString(36).slice(2, 10)}`;
  const folder = join(managedFolder(where), name);
  const discard = () => rmSync(folder, { recursive: true, force: true });
  try {
    makePrivateDir(folder);
    writeFileSync(join(folder, PACKED_BUNDLE), packed, { mode: 0o600 });
    writeFiles(join(folder, FILES), files);
    return { folder: name, content: contentOf(join(folder, FILES)), discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Puts a bundle into force: one file is replaced in one step. The bundle before stays for calls that just read it. */
export function switchTo(next: CurrentBundle, where: StateHome, before?: CurrentBundle): void {
  writePrivate(currentBundleFile(where), `${JSON.stringify(next, null, 1)}\n`);
  keepBundleFloor(next, where);
  const kept = new Set([next.folder, before?.folder]);
  const folder = managedFolder(where);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory() && !kept.has(entry.name))
      rmSync(join(folder, entry.name), { recursive: true, force: true });
}

/** The packed bytes of the bundle in force; undefined if they are gone. */
export function packedBytes({ folder }: Pick<CurrentBundle, "folder">, where: StateHome): Buffer | undefined {
  return attempt(() => readRegularFile(join(managedFolder(where), folder, PACKED_BUNDLE)));
}

/** The packed bytes of all bundles on the disk: the current one, and the one before it. */
export function allPackedBytes(where: StateHome): readonly Buffer[] {
  const folders = readdirSync(managedFolder(where), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => packedBytes({ folder: name }, where) ?? []);
}

/** Whether the files on the disk are those of the bundle, byte for byte. */
export function isIntact({ files }: OpenBundle, { folder }: CurrentBundle, where: StateHome): boolean {
  const root = join(managedFolder(where), folder, FILES);
  return attempt(() => files.every(({ path, content }) => readRegularFile(join(root, path)).equals(content))) ?? false;
}

function statusFile(where: StateHome): string {
  return join(managedFolder(where), "status.json");
}

/** The lock that a fetch holds. */
export function fetchLock(where: StateHome): string {
  return join(managedFolder(where), "lock");
}

/** When the next fetch is due, in milliseconds; `spread` from 0 to 1 keeps machines from fetching all at once. */
export function nextFetch(
  { everyMs, url }: ManagedSettings,
  last: FetchStatus | undefined,
  spread: number,
  now: number,
): number {
  // Another address, or a clock that was set back: the note is not used.
  if (last === undefined || last.url !== url || last.at > now) return now;
  return last.at + everyMs * (0.9 + 0.2 * spread);
}

const FILES = "files";
