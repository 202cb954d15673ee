import { cpSync, existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { realPath } from "../fs/resolve-path.ts";
import { ensurePrivateDir, stateDir } from "../fs/state-dir.ts";
import { moveFolderIntoPlace } from "../fs/write-atomic.ts";
import { problems } from "../problem/problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where `sluice setup` keeps a copy of the package, if the running one is in a package manager's cache. */
function copyDir(env: Env): string {
  return join(stateDir({ env }), "app");
}

/** The launcher of that copy; undefined if there is none. */
export function copiedLauncher(env: Env): string | undefined {
  const launcher = launcherIn(copyDir(env));
  return existsSync(launcher) ? realPath(launcher) : undefined;
}

/** The short path of that copy, for a person to type. */
export function copiedCommand(env: Env): string {
  return join(copyDir(env), "sluice");
}

/**
 * Whether a package manager deletes this package some day without being asked: it was downloaded to run once. A line in an
 * agent's settings has to start something that stays.
 */
export function isTemporary(launcher: string): boolean {
  return TEMPORARY.some((pattern) => pattern.test(launcher.replaceAll("\\", "/")));
}

/** The caches of `npx`, `pnpm dlx`, `yarn dlx` and `bunx`. */
const TEMPORARY = [/\/_npx\/[^/]+\/node_modules\//, /\/dlx[-/]/, /\/bunx-[^/]+\/node_modules\//, /\/xfs-[^/]+\//];

/** Copies the package with its dependencies, in place of an older copy, and returns the launcher. */
export function copyPackage(launcher: string, env: Env): string {
  const present = copiedLauncher(env);
  if (present !== undefined && isSameBuild(present, launcher)) return present;
  if (!ensurePrivateDir(stateDir({ env }))) throw PROBLEMS.noPlace({ folder: stateDir({ env }) });
  const folder = copyDir(env);
  const draft = `${folder}.${process.pid}`;
  try {
    const own = dirname(dirname(launcher));
    copyWithDependencies(own, join(draft, MODULES, basename(own)), join(draft, MODULES));
    if (process.platform !== "win32") symlinkSync(relative(draft, launcherIn(draft)), join(draft, "sluice"));
    moveFolderIntoPlace(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return realPath(launcherIn(folder));
}

/** Removes the copy. Returns whether there was one. */
export function removeCopy(env: Env): boolean {
  const folder = copyDir(env);
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return false;
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/** The launcher has the hash of all bundles in it. */
function isSameBuild(one: string, other: string): boolean {
  return readFileSync(one).equals(readFileSync(other));
}

/** Packages go side by side, as far as no two versions of one are needed. */
function copyWithDependencies(from: string, to: string, modules: string): void {
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => !isNested(relative(from, path)) });
  for (const { name, isNeeded } of dependenciesOf(from)) {
    const found = foundFrom(from, name);
    if (found === undefined) {
      if (isNeeded) throw PROBLEMS.incomplete({ name, folder: from });
      continue;
    }
    const place = join(modules, name);
    if (!existsSync(place)) copyWithDependencies(found, place, modules);
    else if (manifestOf(place).version !== manifestOf(found).version) {
      const nested = join(to, MODULES);
      copyWithDependencies(found, join(nested, name), nested);
    }
  }
}

function isNested(path: string): boolean {
  return path.split(/[\\/]/).includes(MODULES);
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function dependenciesOf(folder: string): { readonly name: string; readonly isNeeded: boolean }[] {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
  const names = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
  const clients = basename(folder) === PACKAGE ? [`${PACKAGE}-client-${process.platform}-${process.arch}`] : [];
  return [...names, ...clients].map((name) => ({
    name,
    isNeeded: Object.hasOwn(dependencies, name) && !Object.hasOwn(optionalDependencies, name),
  }));
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** The package that a module in this folder would load. */
function foundFrom(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, MODULES, name);
    if (existsSync(join(place, "package.json"))) return realPath(place);
    if (at === dirname(at)) return undefined;
  }
}

function launcherIn(folder: string): string {
  return join(folder, MODULES, PACKAGE, "dist", "sluice.cjs");
}

const PACKAGE = "sluice";
const MODULES = "node_modules";

const PROBLEMS = problems("install", {
  noPlace: ({ folder }: { folder: string }) => ({
    what: `${folder} cannot be used for a copy of Sluice: it is not a folder of yours alone.`,
    fix: "Run `npm install -g sluice`, then `sluice setup`.",
  }),
  incomplete: ({ name, folder }: { name: string; folder: string }) => ({
    what: `The package in ${folder} needs ${name}, which is not installed beside it.`,
    fix: "Run `npm install -g sluice`, then `sluice setup`.",
  }),
});
