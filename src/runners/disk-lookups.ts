import { closeSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { LookupsFor } from "../effects/effect.ts";
import { GAP, type GlobOptions, type Lookups, type RepositoryFacts } from "../effects/parse/command.ts";
import { MADE_FOLDERS } from "../effects/path-class.ts";
import { withoutLastSlash } from "../effects/paths.ts";
import {
  type PackageFile,
  packageTask,
  RECIPES,
  type RecipeFile,
  type Recipes,
  readRecipes,
  recipeTask,
} from "../effects/task-files.ts";
import { type EventFacts, isRecorded, rootOfEvent } from "../event/field.ts";
import { homeDir } from "../fs/home-dir.ts";
import { openRegularFile, readRegularFile } from "../fs/regular-file.ts";
import { entryAt, foldersAbove, inDiskCase, isWithin, realPath, resolvePath, statsAt } from "../fs/resolve-path.ts";
import { FileCache } from "../fs/stat-cache.ts";
import { isDisposableAt } from "./disposable-paths.ts";
import { remoteUrls } from "./git-remotes.ts";
import { repositoryFacts } from "./repository-facts.ts";
import { entriesIn, shellGlob } from "./shell-glob.ts";

/** What effects may ask the disk about a call of this folder: symlinks, files that are there, scripts and tasks. */
export const diskLookups: LookupsFor = (event) => {
  // One call is read several times: as it is, and as what its denial suggests.
  if (last?.event !== event) last = { event, lookups: lookupsOf(event) };
  return last.lookups;
};

let last: { readonly event: EventFacts; readonly lookups: Lookups } | undefined;

function lookupsOf(event: EventFacts): Lookups {
  const { cwd = process.cwd(), sessionId } = event;
  let base: string | undefined;
  let recipes: Map<string, RecipeFile> | undefined;
  let packages: Map<string, PackageFile> | undefined;
  const folders = new Map<string, readonly string[] | undefined>();
  const repositories = new Map<string, RepositoryFacts | undefined>();
  const remotes = new Map<string, readonly string[] | undefined>();
  return {
    isDisposable: (path) =>
      isDisposableAt(resolve(cwd, fromHome(path)), { root: rootOfEvent(event) ?? cwd, sessionId }),
    script: (path) => textAt(resolve(cwd, fromHome(path))),
    real: (path, isFollowed) => {
      base ??= canonicalFolder(cwd);
      return resolvedElsewhere(cwd, path, isFollowed, base);
    },
    inProject: (path) => inProject(rootOfEvent(event) ?? cwd, path),
    isMissing: (path) => isMissing(cwd, path),
    isFolder: (path) => isFolder(resolve(cwd, fromHome(path))),
    filesMatching: isPresent(event)
      ? (pattern, options) => {
          const names = filesMatching(cwd, pattern, options);
          // After the call, what it has removed or moved is no longer there.
          return event.type !== "tool:pre_execute" && names?.length === 0 ? undefined : names;
        }
      : undefined,
    filesIn: isPresent(event)
      ? (folder) => {
          const at = resolve(cwd, fromHome(folder));
          if (!folders.has(at)) folders.set(at, filesBelow(at));
          return folders.get(at);
        }
      : undefined,
    repository: (folder) => {
      const at = resolve(cwd, fromHome(folder));
      if (!repositories.has(at)) repositories.set(at, repositoryFacts(at));
      return repositories.get(at);
    },
    remoteUrls: (folder, name, way) => {
      const at = resolve(cwd, fromHome(folder));
      return known(remotes, `${way} ${name} ${at}`, () => remoteUrls(at, name, way));
    },
    task: (runner, name, folder) => {
      if (folder.includes(GAP)) return undefined;
      const at = resolve(cwd, fromHome(folder));
      const row = RECIPES[runner];
      // A line may name many tasks of one file.
      if (row === undefined) {
        packages ??= new Map();
        return packageTask(known(packages, at, nearestPackage), name);
      }
      recipes ??= new Map();
      return recipeTask(
        known(recipes, `${runner} ${at}`, () => recipeFile(at, row)),
        name,
      );
    },
  };
}

/** Whether a call happens now, in a folder that is known: the disk does not have the files of an old record or of an example. */
function isPresent(event: EventFacts): boolean {
  const { cwd, sessionId, timestamp } = event;
  const isOld = isRecorded(event) && Date.now() / 1000 - timestamp > MAX_AGE_SECONDS;
  return cwd !== undefined && sessionId !== EXAMPLE_SESSION && !isOld;
}

/** The session of the calls that examples are about. */
export const EXAMPLE_SESSION = "sluice-test";
const MAX_AGE_SECONDS = 3600;

/** The names that the user's shell puts in the place of a pattern, and where those lead that are symlinks. */
function filesMatching(cwd: string, pattern: string, { folder, hasDots, isDeep, isFollowed }: GlobOptions) {
  // Where `cd` fails, the shell stays somewhere else.
  if (!isFolder(resolve(cwd, fromHome(folder)))) return undefined;
  const names = shellGlob(cwd, fromHome(pattern), { hasDots, isDeep: isDeep ?? hasDeepGlobs() });
  if (names === undefined || !isFollowed) return names;
  const base = canonicalFolder(cwd);
  const real = names.map((name) => resolvedElsewhere(cwd, name, true, base)).filter((name) => name !== undefined);
  return real.length === 0 ? names : [...new Set([...names, ...real])];
}

/** The files below a folder, as seen from it; undefined if it is not a folder, or if they are too many. */
function filesBelow(top: string): readonly string[] | undefined {
  if (!isFolder(top)) return undefined;
  const found: string[] = [];
  const waiting = top.split("/").some((name) => MADE.has(name)) ? [] : [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, isFolder: isInner } of entriesIn(join(top, folder))) {
      if (!isInner) found.push(folder + name);
      else if (!MADE.has(name)) waiting.push(`${folder}${name}/`);
    }
    if (found.length > MAX_BELOW) return undefined;
  }
  return found;
}

/** Folders whose files no rule of a person is about: those of git, and those that tools fill. */
const MADE: ReadonlySet<string> = new Set([".git", ...[...MADE_FOLDERS].filter((name) => name !== "__snapshots__")]);
const MAX_BELOW = 20_000;

/** Whether `**` looks into all folders in the user's shell: it does in zsh and fish, and not in bash. */
function hasDeepGlobs(): boolean {
  return /(?:zsh|fish)$/.test(process.env.SHELL ?? "");
}

/**
 * Where a path leads through symlinks, when that is elsewhere than the path as it is written: seen from the folder where
 * it is inside, else from the root. Without `isFollowed` the last part is not followed: removing a link removes only
 * the link.
 */
export function resolvedElsewhere(
  folder: string,
  path: string,
  isFollowed: boolean,
  base = canonicalFolder(folder),
): string | undefined {
  const opened = fromHome(path);
  const whole = withoutLastSlash(absoluteIn(folder, opened));
  if (whole.endsWith("..") && /(?:^|\/)\.\.$/.test(whole)) return undefined;
  const known = { path: folder, real: base };
  const { path: resolved, is } = resolvePath(isFollowed ? whole : dirname(whole), { known });
  if (is === "loop") return undefined;
  const real = isFollowed ? inDiskCase(resolved) : join(inDiskCase(resolved), basename(whole));
  const seen = isWithin(base, real) ? real.slice(base === "/" ? 1 : base.length + 1) || "." : real;
  const written = opened.startsWith("./") ? opened.replace(/^(?:\.\/+)+/, "") : opened;
  return seen === written || real === written || `${folder}/${seen}` === written ? undefined : seen;
}

/** A path whose folder is the project's by another name, such as one through a link, with the name that is given for the project. */
function inProject(root: string, path: string): string | undefined {
  if (isWithin(root, path) || dirname(root) === root) return undefined;
  const own = statsAt(root);
  if (own === undefined) return undefined;
  const isSame = (folder: string) => {
    const other = statsAt(folder);
    return other !== undefined && other.ino === own.ino && other.dev === own.dev;
  };
  const found = [path, ...foldersAbove(path)].find(isSame);
  return found === undefined ? undefined : `${root}${path.slice(found.length)}`;
}

/** Whether there is nothing at a path yet, although its folder exists. */
export function isMissing(folder: string, path: string): boolean {
  const whole = absoluteIn(folder, fromHome(path));
  return isFolder(dirname(whole)) && entryAt(whole) === undefined;
}

function isFolder(path: string): boolean {
  return statsAt(path)?.isDirectory() ?? false;
}

/** The folder of a call is mostly there; where it is not, its links are followed as far as they lead. */
function canonicalFolder(folder: string): string {
  return statsAt(folder) === undefined ? resolvePath(resolve(folder)).path : realPath(folder);
}

/** Without `join`, which would take `..` away before links are followed. */
function absoluteIn(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function fromHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? homeDir() + path.slice(1) : path;
}

/** The beginning of a text file, read again when the file changes; undefined if it is not text, or missing. */
function textAt(path: string): string | undefined {
  return TEXTS.readPresent(path, () => textOf(path));
}

const TEXTS = new FileCache<string | undefined>();

function textOf(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openRegularFile(path);
    const buffer = Buffer.alloc(LONGEST);
    const text = buffer.toString("utf8", 0, readSync(file, buffer, 0, LONGEST, 0));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function known<T>(all: Map<string, T>, key: string, find: (key: string) => T): T {
  if (!all.has(key)) all.set(key, find(key));
  return all.get(key) as T;
}

function nearestPackage(folder: string): PackageFile {
  for (let at = folder; ; at = dirname(at)) {
    try {
      return Object(JSON.parse(readRegularFile(join(at, "package.json")).toString()));
    } catch {
      if (dirname(at) === at) return {};
    }
  }
}

function recipeFile(folder: string, recipes: Recipes): RecipeFile {
  const text = recipes.files.map((file) => textAt(join(folder, file))).find(Boolean);
  return readRecipes(text ?? "", recipes);
}

const LONGEST = 64 * 1024;
