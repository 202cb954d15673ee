import { rmSync } from "node:fs";
import { join } from "node:path";
import { entryAt, realPath } from "../fs/resolve-path.ts";
import { FileCache, type FileStamp } from "../fs/stat-cache.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { type Fingerprint, fingerprint, type PrintedFile } from "./fingerprint.ts";
import { sha256 } from "../fs/read-once.ts";
import { makePrivateDir, type StateHome } from "../fs/state-dir.ts";
import { noteOwnWrite } from "../fs/own-writes.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { trustFolder, unsafeFolderProblem, unsafeStateProblem } from "./private-approvals.ts";
import { readRegularText } from "../fs/regular-file.ts";

/** One hook or block of settings that this user has approved, with the bytes that were shown. */
export interface Approval extends Pick<Fingerprint, "kind" | "key" | "hash" | "written"> {
  /** When, in ISO 8601. */
  readonly at: string;
  readonly files: readonly ApprovedFile[];
}

/** A file as it was approved. */
type ApprovedFile = Pick<PrintedFile, "path" | "script" | "sha256" | "text">;

/** A file that an approval covered, or that a hook runs now, and whose bytes are not the same. */
export interface ChangedFile extends Pick<PrintedFile, "path" | "script"> {
  readonly before: ApprovedFile | undefined;
  readonly now: PrintedFile | undefined;
}

/** What this user said about a project: a denial of everything, or approvals one by one. */
interface TrustRecord {
  readonly version: 2;
  readonly root: string;
  readonly said: "trusted" | "denied";
  readonly at: string;
  readonly approvals: readonly Approval[];
}

/** What is written down about one project. */
export interface TrustEntry {
  readonly record: TrustRecord | undefined;
  /** Why what is written there does not count. */
  readonly problem: Problem | undefined;
}

/** How a hook, or a project as a whole, stands with this user. */
export type Standing = "trusted" | "modified" | "untrusted" | "denied";

/** Looks up what this user said about a project. What others could have written is not believed. */
export function lookUp(root: string, where: StateHome = {}): TrustEntry {
  const folder = trustFolder(where);
  const path = fileFor(folder, root);
  const problem = unsafeFolderProblem(folder, root) ?? unsafeStateProblem(path, "file");
  if (problem !== undefined) return { record: undefined, problem };
  const record = recordIn(path);
  if (record?.root !== realPath(root)) return NOTHING_SAID;
  if (record.version === 2 && Array.isArray(record.approvals))
    return { record: record as TrustRecord, problem: undefined };
  // An approval of a whole configuration, as earlier versions wrote it: a denial stays one.
  if (record.said === "denied")
    return { record: { ...(record as TrustRecord), version: 2, approvals: [] }, problem: undefined };
  return { record: undefined, problem: PROBLEMS.outdated({ root }) };
}

function recordIn(path: string): Partial<TrustRecord> | undefined {
  return RECORDS.read(path, () => parsedRecord(path));
}

function parsedRecord(path: string): Partial<TrustRecord> | undefined {
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    return undefined;
  }
}

/** The approval of a hook or a block of settings under its key, for whatever bytes. */
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

/** A project may have thousands of approvals, and each of its hooks is looked for among them. */
function indexOf(approvals: readonly Approval[]): ApprovalIndex {
  const known = INDEXES.get(approvals);
  if (known !== undefined) return known;
  const index = {
    byKey: new Map(approvals.toReversed().map((approval) => [`${approval.kind} ${approval.key}`, approval])),
    hashes: new Set<string>(approvals.map(({ hash }) => hash)),
  };
  INDEXES.set(approvals, index);
  return index;
}

const INDEXES = new WeakMap<readonly Approval[], ApprovalIndex>();

/** A denial stands whatever the bytes are; an approval stands for the bytes it was given for. */
export function standing(entry: TrustEntry, print: Fingerprint): Standing {
  if (entry.record?.said === "denied") return "denied";
  const isApproved =
    print.unread.length === 0 && entry.record !== undefined && indexOf(entry.record.approvals).hashes.has(print.hash);
  if (isApproved) return "trusted";
  return approvalOf(entry, print) === undefined ? "untrusted" : "modified";
}

/** The files that are not as they were approved; all of them where nothing was. */
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

/**
 * Whether the user has approved exactly this block of a project's settings, such as the `guards` that lower a guard:
 * `sluice trust` shows it and writes the approval down. The order of its keys does not matter.
 */
export function isSettingApproved(root: string, setting: string, value: unknown, where: StateHome = {}): boolean {
  return standing(lookUp(root, where), settingPrint(root, setting, value)) === "trusted";
}

/** The fingerprint of a block of settings: its canonical JSON. */
export function settingPrint(root: string, setting: string, value: unknown): Fingerprint {
  return fingerprint(root, { kind: "setting", key: setting, written: value });
}

/**
 * Writes down that these are approved, beside what was approved before, and forgets what they take the place of; a
 * denial of the project ends.
 */
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

/** Writes down that nothing of a project runs, whatever it becomes. */
export function denyAll(root: string, where: StateHome = {}, now = new Date()): void {
  save(root, { said: "denied", at: now.toISOString(), approvals: [] }, where);
}

/** Forgets what was said about a project, or the approvals of these keys alone; says whether anything was. */
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

/** One file a project, found by where the project really lies. */
function fileFor(folder: string, root: string): string {
  const real = realPath(root);
  // Most calls are about the project of the call before.
  if (lastProject.real !== real) lastProject = { real, name: `${sha256(real)}.json` };
  return join(folder, lastProject.name);
}

let lastProject = { real: "", name: "" };

/** What changes whenever anything is said about a project. */
export function ledgerStamp(root: string, where: StateHome = {}): FileStamp {
  return entryAt(fileFor(trustFolder(where), root));
}

/** A daemon is asked about the same projects again and again. */
const RECORDS = new FileCache<Partial<TrustRecord> | undefined>();
const NOTHING_SAID: TrustEntry = { record: undefined, problem: undefined };
const OUTDATED = "trust/outdated";

const PROBLEMS = problems("trust", {
  outdated: ({ root }: { root: string }) => ({
    what: `The approval of ${root} is from an earlier version of Sluice, for the whole configuration at once. It does not count any more: hooks are approved one by one.`,
    fix: "Run `sluice trust` in the project once.",
  }),
});
