import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../fs/resolve-path.ts";
import type { Problem } from "../problem/problem.ts";
import type { Fingerprint, Hash } from "./fingerprint.ts";
import { sha256 } from "../fs/read-once.ts";
import { makePrivateDir, type StateHome } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { trustFolder, unsafeFolderProblem, unsafeStateProblem } from "./private-approvals.ts";

/** What this user said about a project, with the bytes it was said about. */
export interface TrustRecord {
  readonly root: string;
  readonly said: "trusted" | "denied";
  readonly hash: Hash;
  /** When, in ISO 8601. */
  readonly at: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly text?: string | undefined }[];
}

/** What is written down about one project. */
export interface TrustEntry {
  readonly record: TrustRecord | undefined;
  /** Why what is written there is not believed. */
  readonly problem: Problem | undefined;
}

/** How a project stands with this user. */
export type Standing = "trusted" | "modified" | "untrusted" | "denied";

/** Looks up what this user said about a project. What others could have written is not believed. */
export function lookUp(root: string, where: StateHome = {}): TrustEntry {
  const folder = trustFolder(where);
  const path = fileFor(folder, root);
  const problem = unsafeFolderProblem(folder, root) ?? unsafeStateProblem(path, "file");
  if (problem !== undefined) return { record: undefined, problem };
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as TrustRecord;
    const isOurs = record.root === realPath(root) && ["trusted", "denied"].includes(record.said);
    return { record: isOurs ? record : undefined, problem: undefined };
  } catch {
    return { record: undefined, problem: undefined };
  }
}

/** A denial stands whatever the bytes are; an approval stands for the bytes it was given for. */
export function standing({ record }: TrustEntry, hash: Hash): Standing {
  if (record === undefined) return "untrusted";
  if (record.said === "denied") return "denied";
  return record.hash === hash ? "trusted" : "modified";
}

/** Writes down what this user says about exactly these bytes. */
export function writeDown(
  said: TrustRecord["said"],
  print: Fingerprint,
  where: StateHome = {},
  now = new Date(),
): void {
  const folder = trustFolder(where);
  const problem = unsafeFolderProblem(folder, print.root) ?? unsafeStateProblem(fileFor(folder, print.root), "file");
  if (problem !== undefined) throw problem;
  makePrivateDir(folder);
  const files = print.files.map(({ path, sha256, text }) => ({ path, sha256, text }));
  const record: TrustRecord = { root: print.root, said, hash: print.hash, at: now.toISOString(), files };
  writePrivate(fileFor(folder, print.root), `${JSON.stringify(record)}\n`);
}

/** Forgets what was said about a project; says whether anything was. */
export function forget(root: string, where: StateHome = {}): boolean {
  const entry = lookUp(root, where);
  if (entry.problem !== undefined) throw entry.problem;
  rmSync(fileFor(trustFolder(where), root), { force: true });
  return entry.record !== undefined;
}

/** One file a project, found by where the project really lies. */
function fileFor(folder: string, root: string): string {
  return join(folder, `${sha256(realPath(root))}.json`);
}
