import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import semver from "semver";
import type { LockedPack } from "../config/pack-lock.ts";
import { problems } from "../problem/problem.ts";
import { isLocal, type PackCandidate, type PackSearch, readReference, SHIPPED } from "./candidate.ts";
import { localCandidate } from "./local-source.ts";

/** Finds the pack that a user names. `before` is what is installed under its name. */
export async function findCandidate(
  word: string,
  search: PackSearch,
  before: (name: string) => LockedPack | undefined,
): Promise<PackCandidate> {
  const reference = readReference(word, search.cwd);
  if (reference.kind === "local") return localCandidate(reference.path, search.root);
  const { name, wanted } = reference;
  const shipped = shippedCandidate(name, search);
  if (shipped !== undefined && fits(shipped.version, wanted)) return { ...shipped, wanted };
  if (search.isOffline) throw PROBLEMS.offline({ name });
  const { registryCandidate } = await import("./registry-source.ts");
  return registryCandidate(name, wanted, search, before(name));
}

/** Finds exactly the bytes that the lock pins; other bytes under the same version are refused. */
export async function findLocked(name: string, locked: LockedPack, search: PackSearch): Promise<PackCandidate> {
  const candidate = isLocal(locked)
    ? localSource(name, locked, search)
    : await findCandidate(`${name}@${locked.version}`, search, () => locked);
  if (candidate.name !== name || candidate.version !== locked.version || candidate.integrity !== locked.integrity)
    throw PROBLEMS.otherBytes({ name, version: locked.version, resolved: locked.resolved });
  return candidate;
}

/** A newer version of an installed pack, or other bytes in the folder or archive that it came from; undefined if there are none. */
export async function findUpdate(
  name: string,
  locked: LockedPack,
  search: PackSearch,
): Promise<PackCandidate | undefined> {
  const word = locked.wanted === undefined ? name : `${name}@${locked.wanted}`;
  const candidate = isLocal(locked)
    ? localSource(name, locked, search)
    : await findCandidate(word, search, () => locked);
  if (candidate.name !== name) throw PROBLEMS.otherName({ name, found: candidate.name, resolved: locked.resolved });
  if (isLocal(locked)) return candidate.integrity === locked.integrity ? undefined : candidate;
  const then = semver.valid(locked.version);
  return then !== null && semver.gt(candidate.version, then) ? candidate : undefined;
}

/** The packs that come with Sluice itself, by their names. */
export function shippedPacks({ shipped }: Pick<PackSearch, "shipped">): readonly string[] {
  if (shipped === undefined || !existsSync(shipped)) return [];
  return readdirSync(shipped).map((folder) => `${OWN_SCOPE}${folder}`);
}

function shippedCandidate(name: string, search: PackSearch): PackCandidate | undefined {
  if (!shippedPacks(search).includes(name)) return undefined;
  const folder = name.slice(OWN_SCOPE.length);
  return { ...localCandidate(join(search.shipped ?? "", folder), search.root), resolved: `${SHIPPED}${folder}` };
}

function localSource(name: string, { resolved }: LockedPack, search: PackSearch): PackCandidate {
  if (resolved.startsWith("file:"))
    return localCandidate(resolve(search.root, resolved.slice("file:".length)), search.root);
  const shipped = shippedCandidate(name, search);
  if (shipped === undefined) throw PROBLEMS.notShipped({ name });
  return shipped;
}

function fits(version: string, wanted: string | undefined): boolean {
  return wanted === undefined || wanted === "latest" || semver.satisfies(version, wanted);
}

const OWN_SCOPE = "@sluice/";

const PROBLEMS = problems("pack", {
  notShipped: ({ name }: { name: string }) => ({
    what: `${name} came with another version of Sluice, and does not come with this one.`,
    fix: `Install that version again, or run \`sluice remove ${name}\`.`,
  }),
  otherName: ({ name, found, resolved }: { name: string; found: string; resolved: string }) => ({
    what: `${resolved} holds the pack ${found} now, and ${name} was installed from there.`,
    fix: `Run \`sluice remove ${name}\`, then \`sluice add\` for the other one, if it is meant.`,
  }),
  offline: ({ name }: { name: string }) => ({
    what: `${name} would have to be fetched, and --offline forbids that.`,
    fix: "Leave --offline out, or name a folder or a .tgz: `npm pack` makes one elsewhere.",
  }),
  otherBytes: ({ name, version, resolved }: { name: string; version: string; resolved: string }) => ({
    what: `${resolved} does not give the bytes that the lock pins for ${name}@${version}. Nothing was changed.`,
    fix: "A published version never changes: ask its authors. If you changed a folder of your own, `sluice update` shows the difference.",
  }),
});
