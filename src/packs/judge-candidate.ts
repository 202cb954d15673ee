import type { LockedPack } from "../config/pack-lock.ts";
import { problems } from "../problem/problem.ts";
import { isLocal, type PackCandidate, repositoryOf } from "./candidate.ts";

/**
 * Compares a candidate with what is installed. Other bytes under the same version are always refused. A build that can be
 * traced less well than before, and another repository, are refused unless the user has named the version exactly.
 */
export function judgeCandidate(
  candidate: PackCandidate,
  before: LockedPack | undefined,
  isNamed: boolean,
): PackCandidate {
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
export function oldEnough(published: string | undefined, now: number): boolean {
  const at = Date.parse(published ?? "");
  return Number.isFinite(at) && now - at >= YOUNGEST_MS;
}

const YOUNGEST_MS = 7 * 24 * 3_600_000;

const PROBLEMS = problems("pack", {
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
