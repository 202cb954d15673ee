import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import { type KeptCall, objectsFolder, readKept, writeKept } from "./kept-call.ts";
import { ObjectStore } from "./object-store.ts";
import type { UndoSettings } from "../../config/undo-settings.ts";

/** Lets go of what is older or more than allowed, the oldest first. Looks at most once a minute while there is room. */
export function expire(folder: string, settings: UndoSettings, now = Date.now()): void {
  const stamp = join(folder, STAMP);
  const kept = readKept(folder);
  let total = kept.reduce((sum, { grown, state }) => sum + (state === "expired" ? 0 : grown), 0);
  const isDue = now - (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0) > BETWEEN_MS;
  if (total <= settings.max && !isDue) return;
  touch(stamp, now);
  const ended: KeptCall[] = [];
  for (const call of kept) {
    if (call.state === "expired") continue;
    if (total <= settings.max && now - Date.parse(call.at) <= settings.keepMs) continue;
    total -= call.grown;
    ended.push(call);
    release(call);
    writeKept(folder, { ...call, state: "expired", grown: 0 });
  }
  if (ended.length === 0 && !isDue) return;
  const gone = new Set(ended.map(({ id }) => id));
  const hashes = new Set<string>();
  for (const { id, state, files, refs } of kept) {
    if (state === "expired" || gone.has(id)) continue;
    for (const { hash } of files) if (hash !== undefined) hashes.add(hash);
    for (const { index } of refs) if (index !== undefined) hashes.add(index);
  }
  // What another process is keeping right now is named by no call yet.
  new ObjectStore(objectsFolder(folder)).removeOthers(hashes, ended.length > 0 ? BEING_KEPT_MS : BETWEEN_MS);
}

/** Git may collect what the call had thrown away. */
function release({ refs }: KeptCall): void {
  for (const { folder, heldBy } of refs) git(folder, ["update-ref", "-d", heldBy]);
}

function touch(stamp: string, now: number): void {
  writeFileSync(stamp, "", { mode: 0o600 });
  utimesSync(stamp, now / 1000, now / 1000);
}

const STAMP = "looked";
const BETWEEN_MS = 60_000;
const BEING_KEPT_MS = 10_000;
