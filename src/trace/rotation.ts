import { constants, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** The name of one day's file. */
export function dayFile(now: Date): string {
  return `${now.toISOString().slice(0, 10)}.jsonl`;
}

/**
 * The journal's files, newest first. A day that outgrew its file has older parts, named by when each was closed. Closed files
 * are compressed; one that exists in both forms is being compressed, and the plain form is used.
 */
export function journalFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => NAME.test(name));
  const plain = new Set(names.filter((name) => !isCompressed(name)));
  const once = names.filter((name) => !isCompressed(name) || !plain.has(plainName(name)));
  return once.sort((one, other) => (isNewer(other, one) ? 1 : -1));
}

/** Whether a file of the journal is compressed. */
export function isCompressed(name: string): boolean {
  return name.endsWith(GZ);
}

/** Whether nothing is written any more into a file of the journal. */
export function isClosed(name: string, now: Date): boolean {
  return (
    isCompressed(name) || name.length > DATE + ".jsonl".length || name.slice(0, DATE) < dayFile(now).slice(0, DATE)
  );
}

/** Sets a file aside that has grown large; the next record begins a new one. No two processes choose the same name. */
export function rollOver(file: string, size: number, now: Date, most = LIMITS.fileBytes): void {
  if (size < most) return;
  const closed = now.toISOString().slice(11, 23).replaceAll(/\D/g, "");
  attempt(() => renameSync(file, file.replace(/\.jsonl$/, `.${closed}-${process.pid}.jsonl`)));
}

/** How many days of the journal are kept, and how many bytes of all files together. */
export interface JournalLimits {
  readonly days?: number;
  readonly bytes?: number;
}

/** Forgets days that are too old, then the oldest files until the rest is small enough. Others may do the same. */
export function makeRoom(folder: string, now: Date, limits: JournalLimits = {}): void {
  const { days, bytes } = { ...LIMITS, ...limits };
  const oldest = dayFile(new Date(now.getTime() - days * DAY));
  let total = 0;
  attempt(() => {
    for (const [index, name] of journalFiles(folder).entries()) {
      const path = join(folder, name);
      total += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const isOld = name.slice(0, DATE) < oldest.slice(0, DATE);
      if (!isOld && (index === 0 || total <= bytes)) continue;
      attempt(() => rmSync(path, { force: true }));
      attempt(() => rmSync(sumsFile(path), { force: true }));
    }
  });
}

/** The file beside a file of the journal that keeps its sums. */
export function sumsFile(path: string): string {
  return path.replace(/\.jsonl(?:\.gz)?$/, ".sums.json");
}

/** Housekeeping that fails is done by the next process. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {}
}

/** Whether a file of the journal was begun after another one. */
export function isNewer(file: string, than: string): boolean {
  return sortKey(file) > sortKey(than);
}

/** The name of a file of the journal before it was compressed. */
export function plainName(file: string): string {
  return isCompressed(file) ? file.slice(0, -GZ.length) : file;
}

function sortKey(file: string): string {
  const name = plainName(file);
  return name.length === DATE + ".jsonl".length ? `${name.slice(0, DATE)}~` : name;
}

const LIMITS = { days: 30, bytes: 512 * 1024 * 1024, fileBytes: 16 * 1024 * 1024 };
const GZ = ".gz";
const NAME = /^\d{4}-\d\d-\d\d(?:\.\d+-\d+)?\.jsonl(?:\.gz)?$/;
const DATE = "2000-01-01".length;
/** In milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** How a file of our own is opened to append: a link is not followed, and a pipe is not waited for. */
export const APPENDING =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Why the system does not let it be written, by its code. */
export const WHY_UNWRITABLE: Readonly<Record<string, string>> = {
  EACCES: "its permissions forbid it",
  ENOENT: "its folder cannot be made",
  EPERM: "its permissions forbid it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "it may not grow any more",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a part of the path is a file",
  EISDIR: "it is a folder",
};
