import { rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { oncePerObject } from "../event/once.ts";
import { noteOwnWrite } from "../fs/own-writes.ts";
import { sha256 } from "../fs/read-once.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { entryAt, realPath } from "../fs/resolve-path.ts";
import { FileCache, type FileStamp } from "../fs/stat-cache.ts";
import { makePrivateDir, type StateHome } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { type Fingerprint, fingerprint, type PrintedFile } from "./fingerprint.ts";
import { trustFolder, unsafeFolderProblem, unsafeStateProblem } from "./private-approvals.ts";

/** One hook or block of settings that this user has approved, with the approved bytes. */
export interface Approval extends Pick<Fingerprint, "kind" | "key" | "hash" | "written"> {
  /** The time in ISO 8601. */
  readonly at: string;
  readonly files: readonly ApprovedFile[];
}

/** A file as it was approved. */
type ApprovedFile = Pick<PrintedFile, "path" | "script" | "sha256" | "text">;

/** A file whose bytes differ between an approval and now; also one that is only in one of them. */
export interface ChangedFile extends Pick<PrintedFile, "path" | "script"> {
  readonly before: ApprovedFile | undefined;
  readonly now: PrintedFile | undefined;
}

/** This user's decision about a project: a denial of everything, or individual approvals. */
interface TrustRecord {
  readonly version: 2;
  readonly root: string;
  readonly said: "trusted" | "denied";
  readonly at: string;
  readonly approvals: readonly Approval[];
}

/** The record of one project. */
export interface TrustEntry {
  readonly record: TrustRecord | undefined;
  /** Why the stored record is ignored. */
  readonly problem: Problem | undefined;
}

/** Whether this user trusts a hook, or a project as a whole. */
export type TrustState = "trusted" | "modified" | "untrusted" | "denied";

/** Looks up this user's decision about a project. A file that other users could have written is ignored. */
export function lookUp(root: string, where: StateHome = {}): TrustEntry {
  const folder = trustFolder(where);
  const path = fileFor(folder, root);
  const problem = unsafeFolderProblem(folder, root) ?? unsafeStateProblem(path, "file");
  if (problem !== undefined) return { record: undefined, problem };
  const record = recordIn(path);
  if (record?.root !== realPath(root)) return NO_RECORD;
  if (record.version === 2 && Array.isArray(record.approvals))
    return { record: record as TrustRecord, problem: undefined };
  // Earlier versions approved a whole configuration. Their denials remain valid.
  if (record.said === "denied")
    return { record: { ...(record as TrustRecord), version: 2, approvals: [] }, problem: undefined };
  return { record: undefined, problem: PROBLEMS.outdated({ root }) };
}

function recordIn(path: string): Partial<TrustRecord> | undefined {
  return RECORDS.read(path, () => {
    return attempt(() => JSON.parse(readRegularText(path)));
  });
}

/** The approval of a hook or a block of settings by its key, for any bytes. */
export function approvalOf(
  { record }: TrustEntry,
  { kind, key }: Pick<Fingerprint, "kind" | "key">,
): Approval | undefined {
  return record?.said === "trusted" ? indexOf(record.approvals).byKey.get(`${kind} ${key}`) : undefined;
}

interface ApprovalIndex {
  /** The first of each kind and key. */
  readonly byKey: ReadonlyMap<string, Approval>;
  readonly hashes: ReadonlySet<string>;
}

/** A project may have thousands of approvals, and each of its hooks is looked up. */
const indexOf = oncePerObject((approvals: readonly Approval[]): ApprovalIndex => {
  const index = {
    byKey: new Map(approvals.toReversed().map((approval) => [`${approval.kind} ${approval.key}`, approval])),
    hashes: new Set<string>(approvals.map(({ hash }) => hash)),
  };
  return index;
});

/** A denial applies to any bytes; an approval applies to the approved bytes. */
export function trustState(entry: TrustEntry, print: Fingerprint): TrustState {
  if (entry.record?.said === "denied") return "denied";
  const isApproved =
    print.unread.length === 0 && entry.record !== undefined && indexOf(entry.record.approvals).hashes.has(print.hash);
  if (isApproved) return "trusted";
  return approvalOf(entry, print) === undefined ? "untrusted" : "modified";
}

/** The files that differ from the approved ones; all of them if nothing was approved. */
export function changedFiles(before: Approval | undefined, { files }: Fingerprint): ChangedFile[] {
  const isSame = (one: ApprovedFile) => (other: ApprovedFile) => one.path === other.path && one.script === other.script;
  const old = before?.files ?? [];
  const changed = files.map((now) => ({ path: now.path, script: now.script, before: old.find(isSame(now)), now }));
  const gone = old.filter((file) => !files.some(isSame(file)));
  return [
    ...changed.filter((file) => file.before?.sha256 !== file.now.sha256),
    ...gone.map((file) => ({ path: file.path, script: file.script, before: file, now: undefined })),
  ];
}

/** Whether the user has approved exactly this block of a project's settings with `sluice trust`, in any order of keys. */
export function isSettingApproved(root: string, setting: string, value: unknown, where: StateHome = {}): boolean {
  return trustState(lookUp(root, where), settingPrint(root, setting, value)) === "trusted";
}

/** The fingerprint of a block of settings: its canonical JSON. */
export function settingPrint(root: string, setting: string, value: unknown): Fingerprint {
  return fingerprint(root, { kind: "setting", key: setting, written: value });
}

/** Adds approvals to the existing ones, and removes those in `replaced`; a denial of the project ends. */
export function approve(
  root: string,
  prints: readonly Fingerprint[],
  where: StateHome = {},
  { now = new Date(), replaced = [] }: { readonly now?: Date; readonly replaced?: readonly Approval[] } = {},
): void {
  const at = now.toISOString();
  const { record } = lookUp(root, where);
  const gone = [...prints, ...replaced];
  const isNew = ({ kind, key }: Approval) => !gone.some((one) => one.kind === kind && one.key === key);
  const kept = record?.said === "trusted" ? record.approvals.filter(isNew) : [];
  const fresh = prints.map(
    ({ kind, key, hash, written, files }): Approval => ({
      kind,
      key,
      hash,
      at,
      written,
      files: files.map(({ path, script, sha256, text }) => ({ path, script, sha256, text })),
    }),
  );
  save(root, { said: "trusted", at, approvals: [...kept, ...fresh] }, where);
}

/** Records that nothing in a project may run, whatever its bytes are. */
export function denyAll(root: string, where: StateHome = {}, now = new Date()): void {
  save(root, { said: "denied", at: now.toISOString(), approvals: [] }, where);
}

/** Removes the record of a project, or only the approvals of these keys; returns whether there was any. */
export function forget(root: string, where: StateHome = {}, keys?: readonly string[]): boolean {
  const { record, problem } = lookUp(root, where);
  if (problem !== undefined && problem.code !== OUTDATED) throw problem;
  if (keys === undefined || record === undefined) {
    noteOwnWrite(fileFor(trustFolder(where), root), "", where);
    rmSync(fileFor(trustFolder(where), root), { force: true });
    return record !== undefined || problem !== undefined;
  }
  const left = record.approvals.filter(({ key }) => !keys.includes(key));
  if (left.length < record.approvals.length) save(root, { ...record, approvals: left }, where);
  return left.length < record.approvals.length;
}

function save(root: string, said: Omit<TrustRecord, "version" | "root">, where: StateHome): void {
  const folder = trustFolder(where);
  const path = fileFor(folder, root);
  const problem = unsafeFolderProblem(folder, root) ?? unsafeStateProblem(path, "file");
  if (problem !== undefined) throw problem;
  makePrivateDir(folder);
  const record: TrustRecord = { ...said, version: 2, root: realPath(root) };
  const text = `${JSON.stringify(record)}\n`;
  noteOwnWrite(path, text, where);
  writePrivate(path, text);
}

/** One file for each project, named by the project's canonical path. */
function fileFor(folder: string, root: string): string {
  const real = realPath(root);
  // Most calls are about the same project as the previous call.
  if (lastProject.real !== real) lastProject = { real, name: `${sha256(real)}.json` };
  return join(folder, lastProject.name);
}

let lastProject = { real: "", name: "" };

/** A stamp that changes whenever the record of a project changes. */
export function ledgerStamp(root: string, where: StateHome = {}): FileStamp {
  return entryAt(fileFor(trustFolder(where), root));
}

const RECORDS = new FileCache<Partial<TrustRecord> | undefined>();
const NO_RECORD: TrustEntry = { record: undefined, problem: undefined };
const OUTDATED = "trust/outdated";

const PROBLEMS = problems("trust", {
  outdated: ({ root }: { root: string }) => ({
    what: `The approval of ${root} is from an earlier version of Sluice and covers the whole configuration at once. It is no longer valid: hooks are approved one by one.`,
    fix: "Run `sluice trust` in the project once.",
  }),
});
