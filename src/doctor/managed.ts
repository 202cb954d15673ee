import { isIntact, packedBytes, readStatus } from "../bundle/bundle-state.ts";
import { shortKey } from "../bundle/keys.ts";
import { openBundle } from "../bundle/open-bundle.ts";
import {
  ageOf,
  type CurrentBundle,
  isBelowFloor,
  type ManagedSettings,
  readBundleFloor,
  readCurrentBundle,
} from "../config/managed-bundle.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { Problem } from "../problem/problem.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** How the organisation's bundle is: whether there is one, whether it is still confirmed, and how the last fetch went. */
export function examineBundle(settings: ManagedSettings, where: StateHome, now = Date.now()): Finding[] {
  const current = readCurrentBundle(where);
  const last = readStatus(where);
  const found: Finding[] = [];
  const floor = readBundleFloor(where);
  const cost =
    settings.required || floor !== undefined ? "every call that can be stopped is denied" : "its hooks are missing";
  if (current === undefined)
    found.push(
      wrong(
        floor === undefined
          ? `no bundle was fetched from ${settings.url} yet: ${cost}.`
          : `version ${floor.version} was enforced here and is gone: ${cost}.`,
        FETCH,
      ),
    );
  else if (isBelowFloor(current, floor))
    found.push(
      wrong(
        `version ${current.version} is older than version ${floor?.version}, which was enforced here: ${cost}.`,
        FETCH,
      ),
    );
  else found.push(...aboutCurrent(current, settings, where, now));
  if (last === undefined)
    found.push(note("no fetch was tried yet; the daemon does it, and starts with the first call.", FETCH));
  else if (last.problem !== undefined) {
    const since = last.failingSince === undefined ? "" : ` (since ${ago(now - last.failingSince)})`;
    found.push(
      wrong(
        `the last fetch, ${ago(now - last.at)} ago, changed nothing${since}: ${last.problem.what}`,
        last.problem.fix,
      ),
    );
  } else if (last.outcome === "ring") found.push(note("a newer bundle is published, and is for other machines first."));
  if (/^http:/i.test(settings.url) && !LOOPBACK.test(settings.url))
    found.push(note("the bundle comes over http: its signature protects it, but the network can hold a new one back."));
  return found;
}

function aboutCurrent(current: CurrentBundle, settings: ManagedSettings, where: StateHome, now: number): Finding[] {
  const { version, hooks, key, confirmed } = current;
  const { why } = ageOf(current, settings, now);
  const what = `version ${version}: ${hooks === 1 ? "1 hook" : `${hooks} hooks`}, signed by ${shortKey(key)}`;
  const damage = whyDamaged(current, where);
  return [
    why === undefined
      ? fine(`${what}, confirmed ${ago(now - confirmed)} ago`)
      : wrong(`${what}: only its denials count, its approvals have ended: ${why}.`, FETCH),
    ...(damage === undefined ? [] : [wrong(`its files on the disk are not those that were signed${damage}.`, FETCH)]),
  ];
}

function whyDamaged(current: CurrentBundle, where: StateHome): string | undefined {
  const packed = packedBytes(current, where);
  if (packed === undefined) return ": the bundle itself is gone";
  try {
    const bundle = openBundle(packed, [current.key]);
    return bundle.hash === current.hash && isIntact(bundle, current, where) ? undefined : "";
  } catch (error) {
    if (error instanceof Problem) return `: ${error.message.replace(/\.$/, "")}`;
    throw error;
  }
}

function ago(ms: number): string {
  const [amount, unit] = UNITS.find(([least]) => ms >= least * 2) ?? [1000, "seconds"];
  return `${Math.max(0, Math.round(ms / amount))} ${unit}`;
}

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "days"],
  [3_600_000, "hours"],
  [60_000, "minutes"],
];
const FETCH = "`sluice bundle fetch` fetches it now, and reports what is in the way.";
const LOOPBACK = /^http:\/\/(?:localhost|127\.|\[::1\])/i;
