import { join } from "node:path";
import * as v from "valibot";
import { attempt } from "../event/attempt.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { type StateHome, stateDir } from "../fs/state-dir.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { keepInBoth, readKept } from "../trust/inventory.ts";

/** Where the bundle of an organisation comes from, and who may have signed it. */
export interface ManagedSettings {
  readonly url: string;
  /** Public keys, `ed25519:…`; two while one takes the place of the other. */
  readonly keys: readonly string[];
  /** Milliseconds between two fetches. */
  readonly everyMs: number;
  /** Milliseconds without a confirmation after which approvals end. */
  readonly maxAgeMs: number;
  /** Every call that can be stopped is denied until a bundle was fetched and verified. */
  readonly required: boolean;
  /** The share of machines, in percent, that get a bundle before this one; from the machine's id when left out. */
  readonly ring: number | undefined;
}

/** The state of the bundle in force; `bundle/` writes it in one step, and it is read with the layers. */
export interface CurrentBundle {
  readonly version: number;
  /** `sha256:…` of the packed bundle. */
  readonly hash: string;
  /** The public key whose signature was verified. */
  readonly key: string;
  /** The folder with its files, below the managed folder. */
  readonly folder: string;
  /** When the bundle ends, in milliseconds. */
  readonly expires: number;
  /** When a fetch last confirmed that it is the newest for this machine, in milliseconds. */
  readonly confirmed: number;
  /** The number of its hooks and settings. */
  readonly hooks: number;
  readonly settings: number;
  /** The highest version that was seen of each key. */
  readonly seen: Readonly<Record<string, number>>;
}

/** The folder of everything that is kept of bundles. */
export function managedFolder(where: StateHome = {}): string {
  return join(stateDir(where), "managed");
}

/** The name of the packed bundle, beside the folder of its files. */
export const PACKED_BUNDLE = "bundle.tar.gz";

/** The file that names the bundle in force. */
export function currentBundleFile(where: StateHome = {}): string {
  return join(managedFolder(where), "current.json");
}

/** The bundle in force; undefined if none was fetched yet. */
export function readCurrentBundle(where: StateHome = {}): CurrentBundle | undefined {
  return attempt(() => wholeBundle(JSON.parse(readRegularText(currentBundleFile(where)))));
}

/** The newest bundle that was ever taken here, which outlives the folder of bundles: no older one is used again. */
export function readBundleFloor(where: StateHome = {}): CurrentBundle | undefined {
  return wholeBundle(readKept(FLOOR, where));
}

/** Keeps a bundle as the newest that was taken; `undefined` forgets that there was one. */
export function keepBundleFloor(bundle: CurrentBundle | undefined, where: StateHome = {}): void {
  keepInBoth(FLOOR, bundle, where);
}

/** Whether a bundle is older than one that was taken before. */
export function isBelowFloor({ version, key, hash }: CurrentBundle, floor: CurrentBundle | undefined): boolean {
  if (floor === undefined || hash === floor.hash) return false;
  return version <= (floor.seen[key] ?? 0) || (key === floor.key && version <= floor.version);
}

function wholeBundle(given: unknown): CurrentBundle | undefined {
  const read = Object(given) as CurrentBundle;
  const isWhole = NUMBERS.every((name) => Number.isFinite(read[name])) && NAME.test(read.folder);
  return isWhole && typeof read.key === "string" && typeof read.seen === "object" ? read : undefined;
}

const FLOOR = "managed.json";

const NUMBERS = ["version", "expires", "confirmed", "hooks", "settings"] as const;
const NAME = /^[\w-]+$/;

/** Why the approvals of a bundle have ended, and when they do while they have not. */
export interface BundleAge {
  readonly why: string | undefined;
  readonly until: number;
}

/** A bundle that no fetch has confirmed for too long, that has expired, or whose key is no longer configured: its denials stay. */
export function ageOf(bundle: CurrentBundle, { keys, maxAgeMs }: ManagedSettings, now = Date.now()): BundleAge {
  const until = Math.min(bundle.confirmed + maxAgeMs, bundle.expires);
  if (!keys.includes(bundle.key)) return { why: "it is signed with a key that is not configured any more", until };
  if (now >= bundle.expires) return { why: `it has expired on ${new Date(bundle.expires).toISOString()}`, until };
  if (now >= until || now < bundle.confirmed - CLOCK_SKEW_MS)
    return { why: `no fetch has confirmed it since ${new Date(bundle.confirmed).toISOString()}`, until };
  return { why: undefined, until };
}

/** The message of gates while the approvals of a bundle have ended. */
export function agedNotice(why: string): string {
  return `Only the denials of the managed bundle apply: ${why}. \`sluice doctor\` shows more.`;
}

/** Why a bundle that should be there cannot be used. */
export type LostBundle = "never" | "required" | "damaged" | "gone" | "older";

/** The problem of a bundle that should be there and cannot be used. */
export function lostBundle(url: string, kind: LostBundle, file: string): Problem {
  return PROBLEMS[LOST[kind]]({ url }, { place: { file } });
}

/** The problem of a bundle that was enforced and that no configuration names any more. */
export function unnamedBundle({ version }: CurrentBundle, where: StateHome): Problem {
  return PROBLEMS.bundleUnnamed({ version }, { place: { file: currentBundleFile(where) } });
}

const LOST = {
  never: "notFetched",
  required: "bundleRequired",
  damaged: "bundleDamaged",
  gone: "bundleGone",
  older: "bundleOlder",
} as const satisfies Record<LostBundle, string>;

/** Problems after which every call that can be stopped is denied: no person confirms a managed bundle away in an agent. */
export const BUNDLE_LOSSES: ReadonlySet<string> = new Set([
  "config/bundle-required",
  "config/bundle-damaged",
  "config/bundle-gone",
  "config/bundle-older",
  "config/bundle-unnamed",
]);

/** `5m`, `24h`, `30d` in milliseconds; undefined for anything else. */
export function durationMs(text: unknown): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6})\s*(s|m|h|d)$/.exec(String(text).trim()) ?? [];
  const found = Number(amount) * (UNITS[unit] ?? Number.NaN);
  return found > 0 ? found : undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What `managed` has to look like; made when it is asked for, which is seldom. */
export function managedSchema() {
  const age = v.pipe(
    v.string(),
    v.check((text) => durationMs(text) !== undefined, "a time such as 5m, 24h or 30d"),
  );
  const key = v.pipe(
    v.string(),
    v.regex(PUBLIC_KEY, "a public key: `ed25519:` and 44 characters, as `sluice bundle keygen` prints it"),
  );
  return v.looseObject({
    url: v.pipe(
      v.string(),
      v.regex(/^(?:https?|file):\/\//i, "an address that begins with https://, http:// or file://"),
    ),
    keys: v.pipe(v.array(key), v.minLength(1, "at least one public key")),
    every: v.optional(age),
    max_age: v.optional(age),
    required: v.optional(v.boolean()),
    ring: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  });
}

/** Reads a setting that fits the schema. */
export function readManagedSettings(value: unknown): ManagedSettings {
  const { url, keys, every, max_age, ring, required } = Object(value) as Readonly<Record<string, unknown>>;
  return {
    url: String(url),
    keys: (Array.isArray(keys) ? keys : []).map(String),
    everyMs: durationMs(every) ?? EVERY_MS,
    maxAgeMs: durationMs(max_age) ?? MAX_AGE_MS,
    required: required === true,
    ring: typeof ring === "number" ? ring : undefined,
  };
}

/** How a public key is written: the name of the algorithm, and 32 bytes in base64. */
export const PUBLIC_KEY = /^ed25519:[A-Za-z0-9+/]{43}=$/;
const EVERY_MS = 5 * 60_000;
const MAX_AGE_MS = 24 * 3_600_000;
/** A clock may have been set back by so much without anything being wrong. */
const CLOCK_SKEW_MS = 24 * 3_600_000;

const PROBLEMS = problems("config", {
  notFetched: ({ url }: { url: string }) => ({
    what: `\`managed\` names ${url}, and no bundle was fetched from there yet. Its hooks are missing.`,
    fix: "`sluice bundle fetch` fetches it now, and reports what is in the way.",
  }),
  bundleRequired: ({ url }: { url: string }) => ({
    what: `\`managed.required\` is true, and no bundle was fetched from ${url} yet. Every call that can be stopped is denied.`,
    fix: "`sluice bundle fetch` fetches it now, and reports what is in the way.",
  }),
  bundleDamaged: ({ url }: { url: string }) => ({
    what: `The files of the managed bundle from ${url} are missing, or are not those that were signed. Every call that can be stopped is denied.`,
    fix: "`sluice bundle fetch` puts them back.",
  }),
  bundleGone: ({ url }: { url: string }) => ({
    what: `A managed bundle from ${url} was enforced here, and it is gone. Every call that can be stopped is denied.`,
    fix: "`sluice bundle fetch` fetches it again.",
  }),
  bundleOlder: ({ url }: { url: string }) => ({
    what: `The managed bundle from ${url} is older than one that was enforced here. Every call that can be stopped is denied.`,
    fix: "`sluice bundle fetch` fetches the newest one.",
  }),
  bundleUnnamed: ({ version }: { version: number }) => ({
    what: `A managed bundle (version ${version}) was enforced here, and no configuration has \`managed\` any more. Every call that can be stopped is denied.`,
    fix: "Put `managed` back. If you have left the organisation, run `sluice trust` in a terminal.",
  }),
});
