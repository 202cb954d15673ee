import { relative } from "node:path";
import { realPath } from "../fs/resolve-path.ts";
import { type Followed, followFiles } from "./followed-files.ts";
import { namedFiles } from "./named-files.ts";
import { readOnce, sha256, UNREAD } from "../fs/read-once.ts";

/** The identity of everything that a project says and runs. */
export type Hash = `sha256:${string}`;

/** A configuration file as it was read, and the package it came with. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
  readonly pack?: { readonly name: string; readonly version: string } | undefined;
}

/** What one hook runs: files for certain, and texts in which names of files may stand. */
export interface HookCode {
  readonly files: readonly string[];
  readonly texts: readonly string[];
  /** The folders in which it may stand while it runs. */
  readonly folders: readonly string[];
}

/** One file whose bytes are part of what is approved. */
export interface PrintedFile {
  readonly path: string;
  readonly role: "configuration" | "program";
  readonly real: string;
  readonly sha256: string;
  readonly text: string | undefined;
}

/** What an approval is about: one hash over all bytes, and the files it covers. */
export interface Fingerprint {
  /** The project's folder, without any link. */
  readonly root: string;
  readonly hash: Hash;
  readonly files: readonly PrintedFile[];
  /** Files that exist and cannot be read; they cannot be approved. */
  readonly unread: readonly string[];
  /** More files load each other than are looked at. */
  readonly isCut: boolean;
}

/** Takes the fingerprint of a project; it depends on bytes and places, never on the order of anything. */
export function fingerprint(root: string, sources: readonly SourceText[], acts: readonly HookCode[]): Fingerprint {
  const configuration = sources.map(({ path, text }): PrintedFile => {
    return { path, role: "configuration", real: realPath(path), sha256: sha256(text), text };
  });
  const followed = filesOf(root, acts);
  const programs = new Map(
    followed.flatMap(({ files }) => files.map((file) => [file.path, { ...file, role: "program" } as const])),
  );
  const files = [...configuration, ...[...programs.values()].sort(byPath)].map(printed);
  const packs = sources.flatMap(({ pack }) => (pack === undefined ? [] : [`${pack.name}@${pack.version}`]));
  const real = realPath(root);
  return {
    root: real,
    hash: `sha256:${sha256(JSON.stringify({ version: 1, root: real, packs: [...new Set(packs)].sort(), files: identities(files, root) }))}`,
    files,
    unread: files.filter((file) => file.sha256 === UNREAD).map(({ path }) => path),
    isCut: followed.some(({ isCut }) => isCut),
  };
}

/** Files that the hooks run without approval when they start in other folders than those of the fingerprint. */
export function unapprovedFiles({ files, root }: Fingerprint, acts: readonly HookCode[]): readonly string[] {
  const known = new Set(files.map((file) => file.sha256));
  const found = filesOf(root, acts, false).flatMap((followed) => followed.files);
  return [...new Set(found.filter((file) => !known.has(file.sha256)).map(({ path }) => path))];
}

function filesOf(root: string, acts: readonly HookCode[], withImplied = true): Followed[] {
  const read = readOnce();
  return acts.map(({ files, texts, folders }) => {
    const named = texts.flatMap((text) => namedFiles(text, folders, root, read, withImplied));
    return followFiles([...files, ...named], folders, root, read, withImplied);
  });
}

function printed({ path, role, real, sha256, text }: PrintedFile): PrintedFile {
  return { path, role, real, sha256, text };
}

function identities(files: readonly PrintedFile[], root: string): unknown[] {
  const rows = files.map(({ path, role, real, sha256 }) => [relative(root, path), role, real, sha256]);
  return [...new Set(rows.map((row) => JSON.stringify(row)))].sort();
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}
