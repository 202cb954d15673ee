import { homedir } from "node:os";
import { resolve } from "node:path";
import { isPackName } from "../config/pack-lock.ts";
import { problems } from "../problem/problem.ts";
import { readRange } from "./semver.ts";

/** Where a user says that a pack comes from. */
export type PackReference =
  | { readonly kind: "local"; readonly path: string }
  /** `wanted` is a version, a range or a tag; nothing means the newest. */
  | { readonly kind: "registry"; readonly name: string; readonly wanted: string | undefined };

/** Where packs are looked for, and with what. */
export interface PackSearch {
  /** The folder that relative paths of the lock are seen from. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isOffline: boolean;
  /** The folder with the packs that come with Sluice itself. */
  readonly shipped?: string | undefined;
  /** The time by which the age of a version counts; the present when left out. */
  readonly now?: number | undefined;
}

/** Reads what stands behind `sluice add`: `name`, `name@range`, `./folder`, `./file.tgz`. */
export function readReference(word: string, cwd: string): PackReference {
  if (/^file:/.test(word)) return { kind: "local", path: resolve(cwd, word.slice("file:".length)) };
  if (/^(?:\.{1,2}(?:[\\/]|$)|\/|[A-Za-z]:[\\/])/.test(word)) return { kind: "local", path: resolve(cwd, word) };
  if (/^~[\\/]/.test(word)) return { kind: "local", path: resolve(homedir(), word.slice(2)) };
  if (/^[a-z+]+:|^git@|\.git(?:#|$)/i.test(word)) throw PROBLEMS.remoteSource({ word });
  const at = word.indexOf("@", 1);
  const name = at === -1 ? word : word.slice(0, at);
  const wanted = at === -1 ? undefined : word.slice(at + 1);
  if (!isPackName(name)) throw PROBLEMS.noPackName({ word });
  if (wanted !== undefined && readRange(wanted) === undefined && !TAG.test(wanted))
    throw PROBLEMS.noRange({ word, wanted });
  return { kind: "registry", name, wanted };
}

/** What a distribution tag may be called. */
const TAG = /^[A-Za-z][\w.-]{0,63}$/;

const PROBLEMS = problems("pack", {
  noPackName: ({ word }: { word: string }) => ({
    what: `${JSON.stringify(word.slice(0, 80))} is neither the name of a package nor a path.`,
    fix: "A pack is called like `git-safety` or `@acme/git-safety@^1`; a folder or archive begins with ./",
  }),
  remoteSource: ({ word }: { word: string }) => ({
    what: `${JSON.stringify(word.slice(0, 80))} is an address. Packs come from a registry, a folder or a .tgz.`,
    fix: "Clone or download it, look at it, and run `sluice add ./folder`.",
  }),
  noRange: ({ word, wanted }: { word: string; wanted: string }) => ({
    what: `${JSON.stringify(word.slice(0, 80))}: ${JSON.stringify(wanted.slice(0, 40))} is no version, no range and no tag.`,
    fix: "Write name@1.2.3, name@^1.2, name@~1.2, name@1.x, name@'>=1 <2', or name@latest.",
  }),
});
