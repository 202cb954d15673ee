import { resolve } from "node:path";
import type { LockedPack } from "../config/pack-lock.ts";
import { problems } from "../problem/problem.ts";
import type { PackCandidate } from "./candidate.ts";
import { localCandidate } from "./local-source.ts";
import { readReference } from "./source.ts";

/** Where packs are looked for, and with what. */
export interface PackSearch {
  /** The folder that relative paths of the lock are seen from. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isOffline: boolean;
}

/** Finds the pack that a user names. `before` is what is installed under its name. */
export async function findCandidate(
  word: string,
  search: PackSearch,
  before: (name: string) => LockedPack | undefined,
): Promise<PackCandidate> {
  const reference = readReference(word, search.cwd);
  if (reference.kind === "local") return localCandidate(reference.path, search.root);
  const { name } = reference;
  throw PROBLEMS.offline({ name, known: before(name)?.version });
}

/** Finds exactly the bytes that the lock pins; other bytes under the same version are refused. */
export async function findLocked(name: string, locked: LockedPack, search: PackSearch): Promise<PackCandidate> {
  const candidate = locked.resolved.startsWith("file:")
    ? localCandidate(resolve(search.root, locked.resolved.slice("file:".length)), search.root)
    : await findCandidate(`${name}@${locked.version}`, search, () => locked);
  if (candidate.name !== name || candidate.version !== locked.version || candidate.integrity !== locked.integrity)
    throw PROBLEMS.otherBytes({ name, version: locked.version, resolved: locked.resolved });
  return candidate;
}

const PROBLEMS = problems("pack", {
  offline: ({ name, known }: { name: string; known: string | undefined }) => ({
    what: `${name}${known === undefined ? "" : ` ${known}`} would have to be fetched from a registry.`,
    fix: "Name a folder or a .tgz: `npm pack` makes one.",
  }),
  otherBytes: ({ name, version, resolved }: { name: string; version: string; resolved: string }) => ({
    what: `${resolved} does not give the bytes that the lock pins for ${name}@${version}. Nothing was changed.`,
    fix: "A published version never changes: ask its authors. If you changed a folder of your own, `sluice update` shows the difference.",
  }),
});
