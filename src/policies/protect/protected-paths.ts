import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { GAP } from "../../effects/index.ts";
import { attempt } from "../../event/attempt.ts";
import { once } from "../../event/once.ts";
import {
  type EntryCache,
  foldersAbove,
  isWithin,
  lexicalAndResolved,
  realPath,
  statsAt,
} from "../../fs/resolve-path.ts";
import { withDrive } from "../../pattern/path.ts";
import { globEnters, globNames, isPattern, piecesOf } from "./glob-names.ts";
import { agentFiles, PROJECT_FILES, type ProtectedPlace } from "./places.ts";
import { protectedPathIndex } from "./protected-path-index.ts";
import type { ProtectionContext } from "./protection-context.ts";

/** The protected places of one project and one user, with lookups. */
export interface ProtectedPaths {
  /** The place that is this path, or contains it: by its lexical path, its target, or another hard link. */
  holds(path: string): ProtectedPlace | undefined;
  /** An existing place in this folder, which a call that removes the folder removes too. */
  liesIn(path: string): ProtectedPlace | undefined;
  /** A place for which this folder exists: a call that replaces the folder replaces the place. */
  ownsFolder(path: string): ProtectedPlace | undefined;
  /** A place that a glob may match: itself, something in it, or a folder around it. */
  meantBy(glob: string, how?: GlobMeans): ProtectedPlace | undefined;
  /** A place that a path with an unknown beginning may be. */
  endsLike(path: string): ProtectedPlace | undefined;
  readonly places: readonly ProtectedPlace[];
}

/** How a glob is used, as far as it affects which places it may match. */
interface GlobMeans {
  /** A matched folder is removed with everything in it: one that exists for the place, or any. */
  readonly takesFolders?: "own" | "any" | undefined;
  /** A star also matches names with a leading dot. */
  readonly findsHidden?: boolean;
  /** The matched names need not exist: they are the names of copied files. */
  readonly makesNames?: boolean;
  /** Folders with this name are skipped. */
  readonly passesBy?: string | undefined;
  /** Whether a place can be matched at all; all can if left out. */
  readonly isReached?: ((place: ProtectedPlace) => boolean) | undefined;
}

/** Finds what is protected; the disk is read only as far as a lookup needs it. */
export function protectedPaths(context: ProtectionContext): ProtectedPaths {
  const links: EntryCache = new Map();
  const fold = folding(context.platform ?? process.platform);
  const spelled = once(() => protectedPathIndex(context, fold));
  const places = once(() => spelled().all.map(({ place }) => place));
  const roots = once(() => spellingsOf(context.root, links).map(fold));
  const spellings = (path: string) => spellingsOf(path, links).map(fold);
  const first = (fits: (paths: readonly string[], place: ProtectedPlace) => boolean) =>
    spelled().all.find(({ place, paths }) => fits(paths, place))?.place;
  const holds = (path: string) => {
    for (const spelling of spellings(path)) {
      const found = spelled().at(spelling) ?? nested(spelling, roots(), fold);
      if (found !== undefined) return found;
    }
    return sameFile(path, places);
  };
  const held = new Map<string, ProtectedPlace | undefined>();
  return {
    get places() {
      return places();
    },
    // The effects of a call and its input often name the same file.
    holds: (path) => {
      if (!held.has(path)) held.set(path, holds(path));
      return held.get(path);
    },
    liesIn: (path) => {
      // A call may name thousands of paths; most of them are not a folder around a place.
      const folders = spellings(path).filter((folder) => spelled().isAround(folder));
      if (folders.length === 0) return undefined;
      return first(
        (paths, place) =>
          paths.some((at) => folders.some((folder) => at !== folder && isWithin(folder, at))) && existsSync(place.path),
      );
    },
    ownsFolder: (path) => {
      const folders = spellings(path);
      return first((_, place) => foldersOf(place).some((folder) => folders.includes(fold(folder))));
    },
    meantBy: (glob, how = {}) => {
      const pieces = piecesOf(slashed(resolve(sep === "\\" ? withDrive(glob) : glob)));
      const known = pieces.some(isPattern) ? pieces.findIndex(isPattern) : pieces.length;
      const fixed = pieces.slice(0, known).join("/") || "/";
      const held = holds(fixed) ?? configurationIn(pieces, fixed, roots());
      if (held !== undefined) return held;
      const rest = pieces.slice(known).join("/");
      const globs = spellings(fixed).map((folder) => fold(slashed(join(folder, rest))));
      return first(
        (paths, place) =>
          globs.some((one) => paths.some((path) => mayMean(one, slashed(path), place, how, fold))) &&
          (how.isReached?.(place) ?? true),
      );
    },
    endsLike: (path) => {
      // The unknown part may end with a slash.
      const tail = fold(path.slice(path.lastIndexOf(GAP) + GAP.length)).replace(/^\/?/, "/");
      const isTelling = tail.split("/").length > 2 || OWN_FOLDERS.has(tail);
      const isInside = (at: string) => partsOf(tail).some((part) => at.endsWith(part));
      return isTelling
        ? first((paths, { kind }) => paths.some((at) => at.endsWith(tail) || (kind === "tree" && isInside(at))))
        : undefined;
    },
  };
}

/** The beginnings of a path that identify a folder: two names, or one that only Sluice uses. */
function partsOf(tail: string): string[] {
  const pieces = tail.split("/");
  const parts = pieces.map((_, at) => pieces.slice(0, at + 1).join("/"));
  return parts.filter((part) => part.split("/").length > 2 || OWN_FOLDERS.has(part));
}

/** Whether a glob may match a place by one of its paths; a place that it could only find must exist. */
function mayMean(
  glob: string,
  path: string,
  place: ProtectedPlace,
  { takesFolders, findsHidden, makesNames, passesBy }: GlobMeans,
  fold: (path: string) => string,
): boolean {
  if (passesBy !== undefined && path.split("/").includes(passesBy)) return false;
  const finds = (one: string) => globNames(glob, one, findsHidden);
  const own = foldersOf(place).map((folder) => fold(slashed(folder)));
  const isNamed = finds(path);
  if (makesNames && isNamed && own.length > 0) return true;
  const folders = takesFolders === "any" ? foldersAbove(path) : own;
  const isTaken = isNamed || (takesFolders !== undefined && folders.some(finds));
  const enters = place.kind === "tree" ? globEnters(glob, path, findsHidden) : undefined;
  if ((!isTaken && enters === undefined) || !existsSync(place.path)) return false;
  return isTaken || enters === "inside" || namesIn(place.path).some((name) => finds(fold(join(path, name))));
}

/** Configuration that a glob names in any folders of the project. */
function configurationIn(
  pieces: readonly string[],
  fixed: string,
  roots: readonly string[],
): ProtectedPlace | undefined {
  const root = roots.find((one) => isWithin(one, fixed) || isWithin(fixed, one));
  if (root === undefined || !pieces.includes(".sluice")) return undefined;
  return { path: pieces.join("/"), kind: "file", what: "configuration of hooks", base: root };
}

/** An existing path is resolved at once, a missing one step by step. */
function spellingsOf(path: string, links: EntryCache): string[] {
  if (process.platform === "win32" || statsAt(path) === undefined)
    return lexicalAndResolved(sep === "\\" ? withDrive(path) : path, links);
  const [lexical, real] = [resolve(path), realPath(path)];
  return real === lexical ? [lexical] : [lexical, real];
}

/** The folders between a place and its base. */
function foldersOf({ path, base }: ProtectedPlace): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== base && at.startsWith(base) && at !== dirname(at); at = dirname(at))
    folders.push(at);
  return folders;
}

/** Files with the names of configuration, deeper in the project: the nearest folder with hooks is the project. */
function nested(path: string, roots: readonly string[], fold: (path: string) => string): ProtectedPlace | undefined {
  const root = roots.find((one) => isWithin(one, path));
  // The hooks of neighbouring projects are protected too.
  if (root === undefined)
    return isAbove(path, roots, fold) || (NEIGHBOURS.test(path) && existsSync(path))
      ? { path, kind: "file", what: "configuration of hooks", base: dirname(path) }
      : undefined;
  const inner = path.slice(root.length);
  const isNamed = NAMES().has(basename(inner).toLowerCase());
  const isOurs =
    (inner.includes("/.sluice") && inner.split("/").includes(".sluice")) ||
    (isNamed && IN_PROJECTS().some((file) => inner.endsWith(`/${fold(file)}`)));
  return isOurs ? { path, kind: "file", what: "configuration of hooks", base: root } : undefined;
}

/** Configuration in a folder above the project, which agents and Sluice also read. */
function isAbove(path: string, roots: readonly string[], fold: (path: string) => string): boolean {
  const isIn = (folder: string) => folder !== "" && roots.some((root) => isWithin(folder, root));
  const settings = path.indexOf("/.sluice");
  if (settings > 0 && path.split("/").includes(".sluice") && isIn(path.slice(0, settings))) return true;
  return IN_PROJECTS().some((file) => {
    const end = `/${fold(file)}`;
    return path.endsWith(end) && isIn(path.slice(0, -end.length));
  });
}

/** Another hard link to the same file. */
function sameFile(path: string, places: () => readonly ProtectedPlace[]): ProtectedPlace | undefined {
  const found = statsAt(path);
  if (found === undefined || !found.isFile() || found.nlink < 2) return undefined;
  return places().find((place) =>
    filesOf(place).some((file) => {
      const other = statsAt(file);
      return other?.ino === found.ino && other.dev === found.dev;
    }),
  );
}

function filesOf({ path, kind }: ProtectedPlace): string[] {
  if (kind === "file") return [path];
  return namesIn(path).map((name) => join(path, name));
}

/** What is below a folder, the nearest first, at most MAX_FILES names: below a clone of Sluice are all packages that it is built with. */
function namesIn(folder: string): string[] {
  const names: string[] = [];
  const folders = [""];
  for (const below of folders) {
    const entries = attempt(() => readdirSync(join(folder, below), { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      if (names.length === MAX_FILES) return names;
      const name = join(below, entry.name);
      names.push(name);
      if (entry.isDirectory()) folders.push(name);
    }
  }
  return names;
}

/** A path with the separators of a glob. */
function slashed(path: string): string {
  return sep === "\\" ? path.replaceAll(sep, "/") : path;
}

/** Some disks are case-insensitive, or do not distinguish the forms of an accent. */
function folding(platform: NodeJS.Platform): (path: string) => string {
  return platform === "darwin" || platform === "win32"
    ? (path) => path.normalize("NFC").toLowerCase()
    : (path) => (PLAIN.test(path) ? path : path.normalize("NFC"));
}

const PLAIN = /^[ -~]*$/;
const OWN_FOLDERS: ReadonlySet<string> = new Set(["/sluice", "/.sluice"]);
const NEIGHBOURS = /[\\/]\.sluice[\\/]hooks(?:(?:\.local)?\.(?:ya?ml|json)$|[\\/])/;
const IN_PROJECTS = once(() => [...PROJECT_FILES, ...agentFiles("project")]);
const NAMES = once(() => new Set(IN_PROJECTS().map((file) => basename(file).toLowerCase())));

const MAX_FILES = 2000;
