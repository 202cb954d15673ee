import { closeSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { homeDir } from "../fs/home-dir.ts";
import type { LookupsFor } from "../effects/effect.ts";
import { GAP } from "../effects/parse/command.ts";
import { withoutLastSlash } from "../effects/paths.ts";
import { rootOfEvent } from "../event/field.ts";
import { openRegularFile, readRegularFile } from "../fs/regular-file.ts";
import { remoteUrls } from "./git-remotes.ts";
import { entryAt, foldersAbove, inDiskCase, isWithin, realPath, resolvePath, statsAt } from "../fs/resolve-path.ts";
import { isDisposableAt } from "./disposable-paths.ts";

/** What effects may ask the disk about a call of this folder: symlinks, files that are there, scripts and tasks. */
export const diskLookups: LookupsFor = (event) => {
  const { cwd = process.cwd(), sessionId } = event;
  let base: string | undefined;
  let recipes: Map<string, RecipeFile> | undefined;
  let packages: Map<string, PackageFile> | undefined;
  return {
    isDisposable: (path) =>
      isDisposableAt(resolve(cwd, fromHome(path)), { root: rootOfEvent(event) ?? cwd, sessionId }),
    script: (path) => textOf(resolve(cwd, fromHome(path))),
    real: (path, isFollowed) => {
      base ??= canonicalFolder(cwd);
      return resolvedElsewhere(cwd, path, isFollowed, base);
    },
    inProject: (path) => inProject(rootOfEvent(event) ?? cwd, path),
    isMissing: (path) => isMissing(cwd, path),
    isFolder: (path) => isFolder(resolve(cwd, fromHome(path))),
    remoteUrls: (folder, name, way) => remoteUrls(resolve(cwd, fromHome(folder)), name, way),
    task: (runner, name, folder) => {
      if (folder.includes(GAP)) return undefined;
      const at = resolve(cwd, fromHome(folder));
      const row = RECIPES[runner];
      // A line may name many tasks of one file.
      if (row === undefined) {
        packages ??= new Map();
        return packageScript(known(packages, at, nearestPackage), name);
      }
      recipes ??= new Map();
      return target(
        known(recipes, `${runner} ${at}`, () => recipeFile(at, row)),
        name,
      );
    },
  };
};

/**
 * Where a path leads through symlinks, when that is elsewhere than the path as it is written: seen from the folder where
 * it lies inside, else from the root. Without `isFollowed` the last part is not followed: removing a link removes only
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

/** Whether nothing lies at a path yet, although its folder is there. */
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
  return path.startsWith("~") ? path.replace(/^~(?=\/|$)/, () => homeDir()) : path;
}

/** The beginning of a text file; nothing for what is no text, or not there. */
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
  const found = all.get(key) ?? find(key);
  all.set(key, found);
  return found;
}

interface PackageFile {
  readonly scripts?: unknown;
}

/** The script of that name in a package, with what runs before and after it. */
function packageScript({ scripts }: PackageFile, name: string): string | undefined {
  if (typeof scripts !== "object" || scripts === null) return undefined;
  const lines = [`pre${name}`, name, `post${name}`].map((key) => (scripts as Record<string, unknown>)[key]);
  const found = lines.filter((line) => typeof line === "string");
  return typeof lines[1] === "string" ? found.join("\n") : undefined;
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

/** A file of recipes: its lines, and where each target begins. */
interface RecipeFile {
  readonly lines: readonly string[];
  readonly begins: ReadonlyMap<string, number>;
}

function recipeFile(folder: string, { files, indent }: Recipes): RecipeFile {
  const text = files.map((file) => textOf(join(folder, file))).find(Boolean);
  // What a runner fills in is known only when it runs.
  const lines =
    text
      ?.replaceAll(indent, "\t")
      .replaceAll(/\{\{[^{}\n]*\}\}/g, "$filled_in")
      .split("\n") ?? [];
  const begins = new Map<string, number>();
  for (const [at, line] of lines.entries())
    if (/^[^\t#].*:/.test(line))
      for (const word of wordsOf(line.split(RULE)[0])) if (!begins.has(word)) begins.set(word, at);
  return { lines, begins };
}

/** The recipe of a target after those of the targets that it needs, without the runner's own signs in front of their lines. */
function target({ lines, begins }: RecipeFile, name: string): string | undefined {
  const seen = new Set<string>();
  const recipeOf = (wanted: string): string[] | undefined => {
    if (seen.has(wanted) || seen.size >= MOST_TARGETS) return undefined;
    seen.add(wanted);
    const begin = begins.get(wanted);
    if (begin === undefined) return undefined;
    const needed = wordsOf(lines[begin]?.split(RULE)[1]?.split(/[;#]/)[0]).filter((word) => word !== "|");
    let end = begin + 1;
    while (end < lines.length && /^\t|^\s*$/.test(lines[end] ?? "")) end++;
    const recipe = lines.slice(begin + 1, end).filter((line) => line.startsWith("\t"));
    const own = recipe.map((line) => line.replace(/^\t[@+-]*/, "").replaceAll("$$", "$"));
    return [...needed.flatMap((one) => recipeOf(one) ?? []), ...own];
  };
  return recipeOf(name)?.join("\n");
}

function wordsOf(text = ""): string[] {
  return text.trim().split(/\s+/);
}

interface Recipes {
  readonly files: readonly string[];
  /** How the lines of a recipe begin. */
  readonly indent: RegExp;
}

/** The files of runners that name tasks with recipes. */
const RECIPES: Readonly<Record<string, Recipes>> = {
  make: { files: ["GNUmakefile", "makefile", "Makefile"], indent: /^\t/gm },
  just: { files: ["justfile", "Justfile", ".justfile"], indent: /^[ \t]+/gm },
};

/** The colon between a target and its prerequisites; `:=` sets a variable. */
const RULE = /::?(?!=)/;
const MOST_TARGETS = 50;
const LONGEST = 64 * 1024;
