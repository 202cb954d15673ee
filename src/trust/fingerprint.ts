import { relative } from "node:path";
import { canonicalJson } from "../event/json.ts";
import { sha256, UNREAD } from "../fs/read-once.ts";
import { realPath } from "../fs/resolve-path.ts";
import type { RunFiles } from "./run-files.ts";

/** The identity of what is approved. */
export type Hash = `sha256:${string}`;

/** A file whose bytes are part of an approval, or one script of a package.json. */
export interface PrintedFile {
  readonly path: string;
  /** The name of the script, if only its line is approved. */
  readonly script?: string | undefined;
  readonly real: string;
  readonly sha256: string;
  readonly text: string | undefined;
}

/** What one approval is about: a hook with the files that it runs, or a block of settings. */
export interface Fingerprint {
  readonly kind: "hook" | "setting";
  /** Identifies it within the project, also after it has changed. */
  readonly key: string;
  readonly hash: Hash;
  /** The hook or the settings, as they are written. */
  readonly written: unknown;
  readonly files: readonly PrintedFile[];
  /** Files that exist and cannot be read; they cannot be approved. */
  readonly unread: readonly string[];
  /** It runs more than was examined. */
  readonly isCut: boolean;
}

/** Computes the fingerprint of a hook or of a block of settings, from bytes and paths, independent of any order. */
export function fingerprint(
  root: string,
  { kind, key, written }: Pick<Fingerprint, "kind" | "key" | "written">,
  { files, isCut }: Pick<RunFiles, "files" | "isCut"> = NO_FILES,
): Fingerprint {
  const printed = files
    .map(({ path, script, real, sha256, text }): PrintedFile => ({ path, script, real, sha256, text }))
    .sort(byPlace);
  const identities = printed.map((file) => [relative(root, file.path), file.script ?? "", file.real, file.sha256]);
  const name = kind === "setting" ? key : "";
  const content = { version: 2, root: realPath(root), kind, name, written, files: identities };
  return {
    kind,
    key,
    hash: `sha256:${sha256(canonicalJson(content))}`,
    written,
    files: printed,
    unread: printed.filter((file) => file.sha256 === UNREAD).map(({ path }) => path),
    isCut,
  };
}

/** One hash for everything in a project that needs an approval. */
export function hashOfAll(prints: readonly Fingerprint[]): Hash {
  return `sha256:${sha256(JSON.stringify(prints.map(({ hash }) => hash).sort()))}`;
}

function byPlace(one: PrintedFile, other: PrintedFile): number {
  return placeOf(one) < placeOf(other) ? -1 : 1;
}

function placeOf({ path, script = "" }: PrintedFile): string {
  return `${path}\0${script}`;
}

const NO_FILES = { files: [], isCut: false };
