import semver, { type SemVer } from "semver";
import type { LockedPack } from "../config/pack-lock.ts";
import { attempt } from "../event/attempt.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import { candidateOf, integrityOf, isLocal, type PackCandidate, type PackSearch, repositoryOf } from "./candidate.ts";
import { PACK_LIMITS, packageFiles } from "./local-source.ts";
import { type NpmConfig, npmConfig, withoutCredentials } from "./npm-config.ts";
import { readProvenance } from "./provenance.ts";
import { registryGet } from "./registry-get.ts";

/** Fetches a pack from its registry: the newest version that is wanted and old enough, by the hash that the registry states. */
export async function registryCandidate(
  name: string,
  wanted: string | undefined,
  search: PackSearch,
  before: LockedPack | undefined,
): Promise<PackCandidate> {
  const config = npmConfig(search);
  const registry = config.registryFor(name);
  const metadata = await metadataOf(name, registry, config);
  const isNamed = wanted !== undefined && semver.valid(wanted) !== null;
  const { version, notes } = chosenVersion(metadata, wanted, search.now ?? Date.now());
  const { integrity, tarball } = distOf(metadata, version, registry);
  const packed = await tarballAt(tarball, integrity, config, `${name}@${version}`);
  const published = metadata.time[version];
  const provenance = await readProvenance({ name, version, integrity, registry, config, env: search.env });
  const candidate = candidateOf(packageFiles(packed), {
    integrity,
    resolved: withoutCredentials(tarball),
    wanted: isNamed ? undefined : wanted,
    published,
    provenance: provenance.provenance,
    notes: [...config.notes, ...notes, ...provenance.notes],
    expected: { name, version },
  });
  return judgeCandidate(candidate, before, isNamed);
}

/** What a registry says about a package, as far as it is read. */
interface Metadata {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, unknown>>;
  /** When each version was published. */
  readonly time: Readonly<Record<string, string>>;
}

async function metadataOf(name: string, registry: URL, config: NpmConfig): Promise<Metadata> {
  const url = new URL(name.replace("/", "%2f"), registry);
  const bytes = await registryGet(url, {
    config,
    accept: "application/json",
    most: MAX_METADATA,
    mayLeaveHost: false,
  });
  if (bytes === undefined) throw PROBLEMS.unknownPackage({ name, registry: withoutCredentials(registry) });
  const data = parsed(bytes);
  if (data === undefined || data.name !== name)
    throw PROBLEMS.badMetadata({ name, registry: withoutCredentials(registry) });
  return {
    name,
    tags: textsIn(data["dist-tags"]),
    versions: Object(data.versions) as Record<string, unknown>,
    time: textsIn(data.time),
  };
}

/**
 * The version that a range, a tag or nothing means. One that is younger than a week is left out: a stolen package is mostly
 * found within days. Named exactly, it is taken.
 */
function chosenVersion(
  { name, tags, versions, time }: Metadata,
  wanted: string | undefined,
  now: number,
): { readonly version: string; readonly notes: readonly string[] } {
  const all = Object.keys(versions).flatMap((text) => semver.parse(text) ?? []);
  const known = all.map(({ version }) => version);
  const exact = semver.valid(wanted);
  if (wanted !== undefined && exact !== null) {
    if (!known.includes(exact)) throw PROBLEMS.unknownVersion({ name, wanted, known });
    return { version: exact, notes: [] };
  }
  const fitting = fittingVersions(all, wanted ?? "latest", tags);
  if (fitting === undefined || fitting.length === 0)
    throw PROBLEMS.unknownVersion({ name, wanted: wanted ?? "latest", known });
  const sorted = semver.rsort([...fitting]).map(({ version }) => version);
  const [newest = ""] = sorted;
  const old = sorted.find((version) => oldEnough(time[version], now));
  if (old === undefined) throw PROBLEMS.tooYoung({ name, version: newest, published: time[newest] });
  const note = `${newest} is younger than seven days, so ${old} is taken; \`sluice add ${name}@${newest}\` takes it all the same.`;
  return { version: old, notes: newest === old ? [] : [note] };
}

/** A tag means its version and everything older; a range what fits. */
function fittingVersions(all: readonly SemVer[], wanted: string, tags: Metadata["tags"]): SemVer[] | undefined {
  const tagged = Object.hasOwn(tags, wanted) ? semver.parse(tags[wanted]) : null;
  if (tagged !== null) {
    const isRelease = tagged.prerelease.length === 0;
    const isOlder = (one: SemVer) => isRelease && one.prerelease.length === 0 && semver.lt(one, tagged);
    return all.filter((one) => one.version === tagged.version || isOlder(one));
  }
  if (semver.validRange(wanted) === null) return undefined;
  return all.filter((one) => semver.satisfies(one, wanted));
}

function distOf({ name, versions }: Metadata, version: string, registry: URL) {
  const { dist } = Object(versions[version]) as { dist?: unknown };
  const { integrity, tarball } = Object(dist) as Record<string, unknown>;
  const [sha512] = String(integrity)
    .split(/\s+/)
    .filter((hash) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(hash));
  if (sha512 === undefined) throw PROBLEMS.noIntegrity({ name, version });
  const url = typeof tarball === "string" && URL.canParse(tarball) ? new URL(tarball) : undefined;
  const isHttp = url?.protocol === "https:" || (url?.protocol === "http:" && registry.protocol === "http:");
  if (url === undefined || !isHttp) throw PROBLEMS.badTarball({ name, version, tarball: String(tarball) });
  return { integrity: sha512, tarball: url };
}

async function tarballAt(url: URL, integrity: string, config: NpmConfig, name: string): Promise<Buffer> {
  const most = PACK_LIMITS.packedBytes;
  const bytes = await registryGet(url, { config, accept: "application/octet-stream, */*", most, mayLeaveHost: true });
  if (bytes === undefined) throw PROBLEMS.noTarball({ name, url: withoutCredentials(url) });
  if (integrityOf(bytes) !== integrity) throw PROBLEMS.wrongBytes({ name, url: withoutCredentials(url) });
  return bytes;
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  return attempt(() => Object(JSON.parse(bytes.toString("utf8"))) as Record<string, unknown>);
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

/**
 * Compares a candidate with what is installed. Other bytes under the same version are always refused. A build that can be
 * traced less well than before, and another repository, are refused unless the user has named the version exactly.
 */
function judgeCandidate(candidate: PackCandidate, before: LockedPack | undefined, isNamed: boolean): PackCandidate {
  if (before === undefined || isLocal(before)) return candidate;
  const { name, version, integrity, provenance, repository } = candidate;
  if (before.version === version && before.integrity !== integrity) throw PROBLEMS.swapped({ name, version });
  const had = before.provenance?.state ?? "none";
  const told: string[] = [];
  const refuse = (problem: Error, note: string) => {
    if (!isNamed) throw problem;
    told.push(note);
  };
  if (had !== "none" && provenance.state === "none")
    refuse(
      PROBLEMS.lostProvenance({ name, version, before: before.version }),
      `${before.version} had provenance, and ${version} has none.`,
    );
  const [from, to] = [before.provenance?.repository, provenance.repository].map(repositoryOf);
  if (from !== undefined && to !== undefined && from !== to)
    refuse(
      PROBLEMS.otherRepository({ name, version, from, to }),
      `It is built from ${to}; ${before.version} was built from ${from}.`,
    );
  else if (before.repository !== undefined && repository !== before.repository)
    refuse(
      PROBLEMS.otherRepository({ name, version, from: before.repository, to: repository ?? "none" }),
      `It names the repository ${repository ?? "none"}; ${before.version} named ${before.repository}.`,
    );
  return { ...candidate, notes: [...candidate.notes, ...told] };
}

/** Whether a version has been public long enough for others to have looked at it; an unknown age is none. */
function oldEnough(published: string | undefined, now: number): boolean {
  const at = Date.parse(published ?? "");
  return Number.isFinite(at) && now - at >= YOUNGEST_MS;
}

const YOUNGEST_MS = 7 * 24 * 3_600_000;

const MAX_METADATA = 16 * 1024 * 1024;

const PROBLEMS = problems("pack", {
  unknownPackage: ({ name, registry }: { name: string; registry: string }) => ({
    what: `${registry} knows no package "${name}".`,
    fix: "Check the name; a private registry is named in .npmrc. A folder begins with ./",
  }),
  badMetadata: ({ name, registry }: { name: string; registry: string }) => ({
    what: `${registry} answered with something else than the package "${name}". Nothing was changed.`,
    fix: "Check `registry` in .npmrc; ask the operators of the registry.",
  }),
  unknownVersion: ({ name, wanted, known }: { name: string; wanted: string; known: readonly string[] }) => ({
    what: `No version of ${name} is ${wanted}.`,
    fix: `${didYouMean(wanted, known)} ${known.length === 0 ? "There are none." : `There are: ${known.slice(-8).join(", ")}.`}`.trim(),
  }),
  tooYoung: ({ name, version, published }: { name: string; version: string; published: string | undefined }) => ({
    what: `${name} ${version} was published ${published ?? "at an unknown time"}; no version that fits is seven days old. A stolen package is mostly found within days.`,
    fix: `Wait, or look at it and name it exactly: \`sluice add ${name}@${version}\`.`,
  }),
  noIntegrity: ({ name, version }: { name: string; version: string }) => ({
    what: `The registry states no sha512 for ${name}@${version}, so its bytes cannot be verified.`,
    fix: "Ask its authors to publish it again, with a recent npm.",
  }),
  badTarball: ({ name, version, tarball }: { name: string; version: string; tarball: string }) => ({
    what: `The registry names ${JSON.stringify(tarball.slice(0, 100))} as the archive of ${name}@${version}. It was not fetched.`,
    fix: "An archive has to come over https, as the registry does; ask its operators.",
  }),
  noTarball: ({ name, url }: { name: string; url: string }) => ({
    what: `The archive of ${name} is not at ${url}.`,
    fix: "Ask the operators of the registry, or take another version.",
  }),
  wrongBytes: ({ name, url }: { name: string; url: string }) => ({
    what: `${url} gave other bytes than the registry states for ${name}. Nothing was changed.`,
    fix: "Try again; if it stays, do not use this version, and tell the operators of the registry.",
  }),
  swapped: ({ name, version }: { name: string; version: string }) => ({
    what: `The registry now gives other bytes for ${name}@${version} than the lock pins. Nothing was changed.`,
    fix: "A published version never changes: ask its authors and the operators of the registry.",
  }),
  lostProvenance: ({ name, version, before }: { name: string; version: string; before: string }) => ({
    what: `${name} ${before} was published with provenance, and ${version} is not: it may have been published with a stolen token. Nothing was changed.`,
    fix: `Ask its authors. If they say why, name it exactly: \`sluice add ${name}@${version}\`.`,
  }),
  otherRepository: ({ name, version, from, to }: { name: string; version: string; from: string; to: string }) => ({
    what: `${name} ${version} comes from ${to}; the installed version comes from ${from}. Nothing was changed.`,
    fix: `Ask its authors. If they moved, name it exactly: \`sluice add ${name}@${version}\`.`,
  }),
});
