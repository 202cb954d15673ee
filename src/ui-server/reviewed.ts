import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, type StateHome, stateDir, whyUnsafe } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";

/** The groups of objections that a person has found right, by their keys, and when. */
export function readReviewed(where: StateHome): Readonly<Record<string, number>> {
  const path = fileIn(where);
  try {
    if (whyUnsafe(path, "file") !== undefined) return {};
    const read: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Object.fromEntries(
      Object.entries(Object(read)).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    );
  } catch {
    return {};
  }
}

/** Keeps that a group is right up to now. */
export function rememberReviewed(key: string, where: StateHome, now = Date.now()): void {
  write({ ...readReviewed(where), [key]: now }, where);
}

/** Takes it back. */
export function forgetReviewed(key: string, where: StateHome): void {
  const { [key]: _, ...rest } = readReviewed(where);
  write(rest, where);
}

function write(all: Readonly<Record<string, number>>, where: StateHome): void {
  const newest = Object.entries(all)
    .sort((one, other) => other[1] - one[1])
    .slice(0, MOST);
  if (ensurePrivateDir(stateDir(where))) writePrivate(fileIn(where), `${JSON.stringify(Object.fromEntries(newest))}\n`);
}

function fileIn(where: StateHome): string {
  return join(stateDir(where), "reviewed.json");
}

const MOST = 2000;
