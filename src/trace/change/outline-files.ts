import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../trust/read-once.ts";

/** A part of a file of the trace whose outline lies on the disk. */
export interface KeptPart {
  readonly from: number;
  readonly to: number;
  /** The hash of these bytes of the trace. */
  readonly digest: string;
  /** The hash of the outline. */
  readonly check: string;
}

/** A file of the trace as it was when its outlines were made. */
export interface KeptFile {
  readonly inode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** It had not changed for a while then: a later change shows in its times. */
  readonly isSettled: boolean;
  readonly parts: readonly KeptPart[];
}

/** Outlines on the disk, out of the project's reach. They can be made again at any time, so nothing that fails here matters. */
export interface OutlineFiles {
  readonly files: readonly KeptFile[];
  /** What was written for a part; nothing when it is not there or is something else. */
  read(part: KeptPart): Buffer | undefined;
  write(part: Omit<KeptPart, "check">, bytes: Buffer): KeptPart;
  /** Says what is kept from now on, and forgets the rest. */
  keep(files: readonly KeptFile[]): void;
}

/** Opens what is kept in a folder. */
export function outlineFiles(folder: string): OutlineFiles {
  const nameOf = ({ digest }: Pick<KeptPart, "digest">) => `${digest.slice(0, NAME_DIGITS)}.outline`;
  return {
    files: listIn(join(folder, LIST)),
    read: (part) => {
      try {
        const bytes = readFileSync(join(folder, nameOf(part)));
        return sha256(bytes) === part.check ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
    write: (part, bytes) => {
      put(folder, nameOf(part), bytes);
      return { ...part, check: sha256(bytes) };
    },
    keep: (files) => {
      put(folder, LIST, JSON.stringify({ version: VERSION, files }));
      const kept = new Set([LIST, ...files.flatMap(({ parts }) => parts.map(nameOf))]);
      for (const name of namesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
    },
  };
}

function listIn(path: string): KeptFile[] {
  try {
    const { version, files } = JSON.parse(readFileSync(path, "utf8")) as { version: unknown; files: KeptFile[] };
    return version === VERSION ? files.filter(({ parts }) => Array.isArray(parts)) : [];
  } catch {
    return [];
  }
}

function put(folder: string, name: string, content: string | Buffer): void {
  const draft = join(folder, `${name}.${process.pid}.draft`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, join(folder, name));
  } catch {
    rmSync(draft, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const LIST = "outlines.json";
/** Goes up whenever outlines are written in another way. */
const VERSION = 1;
const NAME_DIGITS = 32;
