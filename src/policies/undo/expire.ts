import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { UndoSettings } from "../../config/undo-settings.ts";
import { appendRegularFile, readRegularText } from "../../fs/regular-file.ts";
import { DRAFT, writePrivate } from "../../fs/write-atomic.ts";
import { releaseRefs } from "./held-refs.ts";
import { callsFolder, type KeptCall, objectsFolder, readKept, removeKept, writeKept } from "./kept-call.ts";
import { ObjectStore } from "./object-store.ts";

/**
 * Lets go of what is older or more than allowed, the oldest first. `grown` is by how much the store has just grown. All calls
 * are looked at only now and then, or when there may be too much.
 */
export function expire(folder: string, settings: UndoSettings, grown = 0, now = Date.now()): void {
  const ledger = join(folder, LEDGER);
  const { at, total: known } = readLedger(ledger);
  const isDue = Math.abs(now - at) > BETWEEN_MS;
  if (known + grown <= settings.max && !isDue) {
    if (grown > 0) appendRegularFile(ledger, `${grown}\n`);
    return;
  }
  const kept = readKept(folder);
  let total = kept.reduce((sum, call) => sum + (call.state === "expired" ? 0 : call.grown), 0);
  const ended: KeptCall[] = [];
  for (const call of kept) {
    const age = now - Date.parse(call.at);
    if (call.state === "expired") {
      if (age > settings.keepMs + NAMED_MS) removeKept(folder, call);
      continue;
    }
    if (total <= settings.max && age <= settings.keepMs) continue;
    total -= call.grown;
    ended.push(call);
    releaseRefs(call.refs);
    if (call.quiet) removeKept(folder, call);
    else writeKept(folder, { ...call, state: "expired", grown: 0 });
  }
  writePrivate(ledger, `${now} ${total}\n`);
  const gone = new Set(ended);
  const left = kept.filter((call) => call.state !== "expired" && !gone.has(call));
  const hashes = new Set(left.flatMap(hashesOf));
  const store = new ObjectStore(objectsFolder(folder));
  for (const call of ended)
    for (const hash of hashesOf(call)) if (!hashes.has(hash)) store.remove(hash, Date.parse(call.at));
  // What another process is keeping right now is named by no call yet.
  store.removeOthers(hashes, BEING_KEPT_MS);
  removeDrafts(callsFolder(folder), now);
}

/** The content that a call needs. */
function hashesOf({ files, refs }: KeptCall): string[] {
  return [...files.map(({ hash }) => hash), ...refs.map(({ index }) => index)].filter((hash) => hash !== undefined);
}

/** A process that was killed while it wrote has left a draft. */
function removeDrafts(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(DRAFT)) continue;
    const { mtimeMs = now } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > BEING_KEPT_MS) rmSync(join(folder, name), { force: true });
  }
}

/** When everything was looked at last, and how much was kept then and has come since. */
function readLedger(path: string): { readonly at: number; readonly total: number } {
  try {
    const [first = "", ...more] = readRegularText(path).split("\n");
    const [at = 0, total = 0] = first.split(" ").map(Number);
    return { at: at || 0, total: more.reduce((sum, line) => sum + (Number(line) || 0), total || 0) };
  } catch {
    return { at: 0, total: 0 };
  }
}

const LEDGER = "kept-bytes";
const BETWEEN_MS = 10 * 60_000;
const BEING_KEPT_MS = 60_000;
/** What has expired is named for so long. */
const NAMED_MS = 30 * 24 * 60 * 60_000;
