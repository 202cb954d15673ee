import { closeSync, fchmodSync, fstatSync, lstatSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makePrivateDir } from "../fs/state-dir.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { APPENDING, DAY, dayFile, type JournalLimits, makeRoom, rollOver, WHY_UNWRITABLE } from "./rotation.ts";

/** The folder of this user's decisions; a relative XDG_STATE_HOME is ignored. */
export function journalFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: stated, USERPROFILE: profile = "", HOME: home = profile } = env;
  if (place.stated !== stated || place.home !== home) {
    const state = stated !== undefined && isAbsolute(stated) ? stated : join(home, ".local", "state");
    place = { stated, home, folder: join(state, "sluice", "decisions") };
  }
  return place.folder;
}

/** Where the last record went; most go where the last one went. */
let place: { readonly stated: string | undefined; readonly home: string | undefined; readonly folder: string } = {
  stated: undefined,
  home: undefined,
  folder: "",
};

/** The file of that day. */
function fileOf(folder: string, now: Date): string {
  const day = Math.floor(now.getTime() / DAY);
  if (today.day !== day || today.folder !== folder) today = { day, folder, file: join(folder, dayFile(now)) };
  return today.file;
}

let today = { day: -1, folder: "", file: "" };

/** Appends one line with one write, so that several processes may do so at once. What went wrong comes back. */
export function append(
  folder: string,
  line: string,
  now = new Date(),
  limits?: JournalLimits | undefined,
): Problem | undefined {
  const file = fileOf(folder, now);
  if (!isAbsolute(folder)) return PROBLEMS.homeless({});
  try {
    const known = stillOpen(file, now.getTime());
    if (known !== undefined) return appendTo(known, line, now, limits);
    const opened = openOwn(folder, file);
    if (typeof opened === "string") return PROBLEMS.foreign({ path: opened });
    const { dev, ino, size } = fstatSync(opened);
    kept = { file, opened, dev, ino, seen: now.getTime(), size, left: -1 };
    return appendTo(kept, line, now, limits);
  } catch (cause) {
    forget();
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENXIO") return PROBLEMS.foreign({ path: file });
    return PROBLEMS.unwritable({ file, why: WHY_UNWRITABLE[code] ?? String(cause) }, { cause });
  }
}

/** The open file; or the path that is not a file or folder of our own. */
function openOwn(folder: string, file: string): number | string {
  for (const path of [dirname(folder), folder]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) makePrivateDir(path);
    else if (!found.isDirectory() || !isOurs(found)) return path;
  }
  const opened = openSync(file, APPENDING, 0o600);
  const found = fstatSync(opened);
  if (found.isFile() && found.nlink <= 1 && isOurs(found)) {
    if ((found.mode & 0o077) !== 0) fchmodSync(opened, 0o600);
    return opened;
  }
  closeSync(opened);
  return file;
}

/** A file of the journal that stays open for the next record. */
interface Kept {
  readonly file: string;
  readonly opened: number;
  readonly dev: number;
  readonly ino: number;
  /** When it was last seen at its place. */
  seen: number;
  /** How long it is. */
  size: number;
  /** How long it was when this process had written its last record. */
  left: number;
}

let kept: Kept | undefined;

/**
 * The file that was written last, if it is still there and belongs to this user. Its removal shows in itself; that it
 * was moved away is checked from time to time, and records from in between are in the moved one.
 */
function stillOpen(file: string, now: number): Kept | undefined {
  if (kept === undefined) return undefined;
  const found = kept.file === file ? fstatSync(kept.opened) : undefined;
  if (found === undefined || found.nlink !== 1 || !isOurs(found) || (found.mode & 0o077) !== 0) return forget();
  if (Math.abs(now - kept.seen) > UNSEEN_MS) {
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there?.ino !== kept.ino || there.dev !== kept.dev) return forget();
    kept.seen = now;
  }
  kept.size = found.size;
  return kept;
}

function forget(): undefined {
  if (kept !== undefined) closeSync(kept.opened);
  kept = undefined;
}

function appendTo(to: Kept, line: string, now: Date, limits: JournalLimits | undefined): Problem | undefined {
  const { opened, file, size } = to;
  const isWhole = size === to.left || !isTorn(opened, size);
  const text = `${isWhole ? "" : "\n"}${line}\n`;
  const written = writeSync(opened, text);
  to.left = size + written;
  if (written < Buffer.byteLength(text)) {
    to.left = -1;
    return PROBLEMS.unwritable({ file, why: "the disk is full" });
  }
  if (size === 0 || Math.floor(size / CHECKED_EVERY) !== Math.floor((size + written) / CHECKED_EVERY)) {
    rollOver(file, size + written, now);
    makeRoom(dirname(file), now, limits);
    to.seen = 0;
  }
  return undefined;
}

/** A write that was cut short leaves a line without its end; the next record begins on a line of its own. */
function isTorn(opened: number, size: number): boolean {
  const last = Buffer.allocUnsafe(1);
  return size > 0 && readSync(opened, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

function isOurs({ uid }: { readonly uid: number }): boolean {
  return uid === (OURSELVES ?? uid);
}

const OURSELVES = process.getuid?.();
const UNSEEN_MS = 100;
const NEWLINE = 10;
const CHECKED_EVERY = 1024 * 1024;
const PROBLEMS = problems("journal", {
  homeless: (_: object) => ({
    what: "The decision is not in the journal: neither XDG_STATE_HOME nor HOME names a folder.",
    fix: "Set HOME to your home folder.",
  }),
  foreign: ({ path }: { path: string }) => ({
    what: `The decision is not in the journal: ${path} is not a folder, is a symlink, or belongs to another user.`,
    fix: "Find out which program made it, and remove it; Sluice makes its own.",
  }),
  unwritable: ({ file, why }: { file: string; why: string }) => ({
    what: `The decision is not in the journal: ${file} cannot be written, ${why}.`,
    fix: "Make room or give yourself the right to write there; decisions themselves are not affected.",
  }),
});
