import {
  ageOf,
  type CurrentBundle,
  isBelowFloor,
  type ManagedSettings,
  managedFolder,
  readBundleFloor,
  readCurrentBundle,
} from "../config/managed-bundle.ts";
import { releaseLockFile, takeLockFile } from "../fs/lock.ts";
import { makePrivateDir, type StateHome } from "../fs/state-dir.ts";
import { proxiesIn } from "../http/proxy.ts";
import { Problem, problems } from "../problem/problem.ts";
import {
  allPackedBytes,
  type FetchStatus,
  fetchLock,
  isIntact,
  packedBytes,
  readStatus,
  switchTo,
  type UnpackedBundle,
  unpackBundle,
  writeStatus,
} from "./bundle-state.ts";
import { type Downloaded, download } from "./download.ts";
import { judgeBundle } from "./judge-bundle.ts";
import { type OpenBundle, openBundle } from "./open-bundle.ts";
import { machineName, ringOf } from "./ring.ts";

/** How a fetch is made; what is left out is taken from the system. */
export interface FetchOptions extends StateHome {
  readonly now?: number;
  readonly download?: (url: string, etag?: string) => Promise<Downloaded>;
}

/** What a fetch came to: the status that was kept, and the bundle that is in force from now on. */
export interface FetchResult {
  readonly status: FetchStatus;
  readonly current: CurrentBundle | undefined;
}

/**
 * Fetches the newest bundle and puts it into force if everything about it is right. Whatever is not changes nothing: the bundle
 * before still applies, and the status says why. Nothing when another process fetches at this moment.
 */
export async function fetchBundle(
  settings: ManagedSettings,
  options: FetchOptions = {},
): Promise<FetchResult | undefined> {
  makePrivateDir(managedFolder(options));
  const lock = fetchLock(options);
  if (!takeLockFile(lock, LONGEST_MS)) return undefined;
  try {
    return await fetchLocked(settings, options);
  } finally {
    releaseLockFile(lock);
  }
}

async function fetchLocked(settings: ManagedSettings, options: FetchOptions): Promise<FetchResult> {
  const { now = Date.now() } = options;
  const before = readStatus(options);
  const current = restored(settings, options);
  const base = { at: now, url: settings.url };
  try {
    const taken = await newest(
      settings,
      { ...options, now },
      current,
      before?.url === settings.url ? before : undefined,
    );
    const status: FetchStatus = { ...base, ...taken.status };
    writeStatus(status, options);
    return { status, current: taken.current };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message: what, fix } = error;
    const status: FetchStatus = {
      ...base,
      outcome: UNREACHABLE.has(code) ? "unreachable" : "refused",
      problem: { code, what, fix },
      failingSince: before?.failingSince ?? now,
    };
    writeStatus(status, options);
    return { status, current: readCurrentBundle(options) };
  }
}

function downloader({ download: given, env }: FetchOptions): NonNullable<FetchOptions["download"]> {
  return given ?? ((url, etag) => download(url, { etag, proxies: proxiesIn(env ?? process.env) }));
}

/** What the fetch found, where nothing was wrong. */
interface Found {
  readonly status: Pick<FetchStatus, "outcome" | "etag" | "etagHash">;
  readonly current: CurrentBundle;
}

async function newest(
  settings: ManagedSettings,
  options: FetchOptions & { readonly now: number },
  current: CurrentBundle | undefined,
  before: FetchStatus | undefined,
): Promise<Found> {
  const { now } = options;
  const get = downloader(options);
  // An ETag says that nothing has changed on the server; it is used only for the bundle that is in force here.
  const isKnown = current !== undefined && before?.etagHash === current.hash && settings.keys.includes(current.key);
  const got = await get(settings.url, isKnown ? before?.etag : undefined);
  if (got.kind === "same" && current !== undefined && isKnown) {
    if (now >= current.expires) throw nothingNewer(current, options, settings);
    return {
      status: { outcome: "same", etag: before?.etag, etagHash: current.hash },
      current: confirm(current, now, options),
    };
  }
  if (got.kind === "same") return newest(settings, options, current, undefined);
  const bundle = openBundle(got.bytes, settings.keys);
  const kept = { etag: got.etag, etagHash: bundle.hash };
  const tried = tryBundle(bundle, settings, options, current);
  if (tried.kind === "taken") return { status: { outcome: "taken", ...kept }, current: tried.current };
  if (tried.kind === "same")
    return { status: { outcome: "same", ...kept }, current: confirm(tried.current, now, options) };
  return { status: { outcome: "ring" }, current: await outsideRing(bundle, settings, options, current) };
}

type Tried = { readonly kind: "taken" | "same"; readonly current: CurrentBundle } | { readonly kind: "other-ring" };

/** Unpacks a verified bundle beside the current one, and puts it into force if its verdict is that. */
function tryBundle(
  bundle: OpenBundle,
  settings: ManagedSettings,
  options: FetchOptions & { readonly now: number },
  current: CurrentBundle | undefined,
): Tried {
  const unpacked = unpackBundle(bundle, options);
  const { now } = options;
  const ring = settings.ring ?? ringOf(machineName());
  const isCurrentTrusted = current !== undefined && settings.keys.includes(current.key);
  const verdict = judgeBundle({ bundle, content: unpacked.content, current, isCurrentTrusted, ring, now });
  if (verdict.kind !== "take") unpacked.discard();
  if (verdict.kind === "refuse") throw verdict.problem;
  if (verdict.kind === "other-ring") return verdict;
  if (verdict.kind === "same" && current !== undefined)
    return { kind: "same", current: { ...current, key: bundle.key } };
  return { kind: "taken", current: install(bundle, unpacked, options, current) };
}

function install(
  bundle: OpenBundle,
  unpacked: UnpackedBundle,
  options: FetchOptions & { readonly now: number },
  current: CurrentBundle | undefined,
): CurrentBundle {
  const next = currentOf(bundle, unpacked, options.now, current?.seen ?? {});
  switchTo(next, options, current);
  return next;
}

function currentOf(
  { manifest, hash, key }: OpenBundle,
  { folder, content }: Pick<UnpackedBundle, "folder" | "content">,
  confirmed: number,
  seen: CurrentBundle["seen"],
): CurrentBundle {
  return {
    version: manifest.version,
    hash,
    key,
    folder,
    expires: Date.parse(manifest.expires),
    confirmed,
    hooks: content.hooks.length,
    settings: content.settings.length,
    seen: { ...seen, [key]: Math.max(seen[key] ?? 0, manifest.version) },
  };
}

/** A newer bundle is for other machines first. This one keeps what it has; one that has nothing, or less, gets the fallback. */
async function outsideRing(
  { manifest: { fallback } }: OpenBundle,
  settings: ManagedSettings,
  options: FetchOptions & { readonly now: number },
  current: CurrentBundle | undefined,
): Promise<CurrentBundle> {
  if (current !== undefined && (fallback === undefined || current.version >= fallback.version))
    return confirm(current, options.now, options);
  const got = await downloader(options)(new URL(fallback?.file ?? "", settings.url).href);
  const bundle = openBundle(got.kind === "bytes" ? got.bytes : Buffer.alloc(0), settings.keys);
  const tried = tryBundle(bundle, settings, options, current);
  if (tried.kind !== "other-ring") return tried.current;
  throw nothingNewer(current, options, settings);
}

function confirm(current: CurrentBundle, now: number, options: FetchOptions): CurrentBundle {
  const confirmed = { ...current, confirmed: now };
  switchTo(confirmed, options, current);
  return confirmed;
}

/** The current bundle; when its files on the disk were changed, they are written again from its verified bytes. */
function restored(settings: ManagedSettings, options: FetchOptions): CurrentBundle | undefined {
  const floor = readBundleFloor(options);
  const found = readCurrentBundle(options) ?? newestOnDisk(settings, options, floor);
  const current = found === undefined || isBelowFloor(found, floor) ? floor && lost(floor) : found;
  if (current === undefined || current.hash === "") return current;
  const packed = packedBytes(current, options);
  try {
    const bundle = packed && openBundle(packed, [current.key, ...settings.keys]);
    if (bundle === undefined || bundle.hash !== current.hash) return lost(current);
    if (isIntact(bundle, current, options)) return current;
    const { folder } = unpackBundle(bundle, options);
    const again = { ...current, folder };
    switchTo(again, options);
    return again;
  } catch (error) {
    if (error instanceof Problem) return lost(current);
    throw error;
  }
}

/** The newest of the bundles on the disk, where the file that names the current one is gone or torn: none that is older follows it. */
function newestOnDisk(
  { keys, url }: ManagedSettings,
  options: FetchOptions,
  floor: CurrentBundle | undefined,
): CurrentBundle | undefined {
  const verified = allPackedBytes(options).flatMap((packed) => {
    try {
      return [openBundle(packed, keys)];
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  });
  const [bundle] = verified.toSorted((one, other) => other.manifest.version - one.manifest.version);
  if (bundle === undefined) return undefined;
  const last = readStatus(options);
  const confirmed = last?.url === url && last.problem === undefined ? last.at : 0;
  const current = currentOf(bundle, unpackBundle(bundle, options), confirmed, floor?.seen ?? {});
  if (isBelowFloor(current, floor)) return undefined;
  switchTo(current, options);
  return current;
}

/** Its bytes are gone: the same bundle is taken again when it comes, and no older one. */
function lost(current: CurrentBundle): CurrentBundle {
  return {
    ...current,
    hash: "",
    version: current.version - 1,
    seen: { ...current.seen, [current.key]: current.version - 1 },
  };
}

/** The server holds nothing newer than a bundle that has ended. */
function nothingNewer(current: CurrentBundle | undefined, options: FetchOptions, settings: ManagedSettings): Error {
  const why = current === undefined ? undefined : ageOf(current, settings, options.now).why;
  return PROBLEMS.nothingNewer({ why });
}

const UNREACHABLE: ReadonlySet<string> = new Set(["bundle/unreachable", "bundle/not-there", "bundle/half"]);
const LONGEST_MS = 120_000;

const PROBLEMS = problems("bundle", {
  nothingNewer: ({ why }: { why: string | undefined }) => ({
    what: `There is no valid bundle for this machine${why === undefined ? "" : `: ${why}`}.`,
    fix: "Publish a new one.",
  }),
});
