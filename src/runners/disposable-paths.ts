import { existsSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isPackageCache, MADE_FOLDERS, MAY_BE_MADE } from "../effects/path-class.ts";
import { type GitIndex, gitIndexAt, topOf } from "../fs/git-index.ts";
import { homeDir } from "../fs/home-dir.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { appendRegularFile, readRegularText } from "../fs/regular-file.ts";
import { entryAt, isWithin, realPath } from "../fs/resolve-path.ts";
import { type GitCommand, runGit } from "../fs/run-git.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";

/** Where a path is asked about. */
interface AskedFrom {
  /** The folder of the project. */
  readonly root: string;
  readonly sessionId: string | undefined;
}

/**
 * Whether a file or folder can be made again or was never meant to last, by its content: what a tool has made, what
 * git ignores, temporary files. Undefined if only the name suggests it.
 */
export function isDisposableAt(path: string, { root, sessionId }: AskedFrom): boolean | undefined {
  const isInside = isWithin(root, path);
  if (!isInside && movedHere(path, sessionId)) return false;
  if (!isInside && isTemporaryPath(path) && !isInTemporaryHome(path)) return !isInRepository(path);
  if (entryAt(path) === undefined) return undefined;
  const made = outermostNamed(path, isInside ? root : homeDir());
  const index = gitIndexAt(dirname(path));
  if (index !== undefined && isHeld(index, path)) return false;
  if (!isInside && isWithin(homeDir(), path) && isPackageCache(`~${path.slice(homeDir().length)}`)) return true;
  if (made !== undefined && isMade(made) && !(index !== undefined && isHeld(index, made))) return true;
  if (index !== undefined) return isIgnored(path) && !PRECIOUS().test(basename(path));
  return made !== undefined && isInside ? undefined : false;
}

function isHeld(index: GitIndex, path: string): boolean {
  return index.holds(Buffer.from(path)) ?? isTracked(path);
}

/** The outermost part of a path below a folder whose name is that of something made. */
function outermostNamed(path: string, folder: string): string | undefined {
  const base = isWithin(folder, path) ? folder : "";
  const pieces = path.slice(base.length).split("/");
  const at = pieces.findIndex((piece) => MADE_FOLDERS.has(piece) || MAY_BE_MADE.has(piece));
  return at < 0 ? undefined : base + pieces.slice(0, at + 1).join("/");
}

/** Whether a folder was made by a tool: no other folder has the name, or files in it or beside it prove it. */
function isMade(folder: string): boolean {
  const name = basename(folder);
  if (MADE_FOLDERS.has(name) || hasAny(folder, "CACHEDIR.TAG pyvenv.cfg .rustc_info.json CMakeCache.txt")) return true;
  const beside = dirname(folder);
  // A manifest in the home or at the root proves nothing about folders there.
  if (beside === homeDir() || beside === "/") return false;
  return hasAny(beside, MANIFESTS[name] ?? "");
}

function hasAny(folder: string, names: string): boolean {
  return names.split(" ").some((name) => name !== "" && entryAt(join(folder, name)) !== undefined);
}

function isTemporaryPath(path: string): boolean {
  temporaryRoots ??= [...SYSTEM_TEMPORARY, realPath(tmpdir())];
  return temporaryRoots.some((folder) => path !== folder && isWithin(folder, path));
}

/** A home may lie among temporary files, in a container or a sandbox: what is in it is the user's all the same. */
function isInTemporaryHome(path: string): boolean {
  const home = homeDir();
  return isTemporaryPath(home) && isWithin(home, path);
}

/** Inside of a work tree, and not the work tree itself. */
function isInRepository(path: string): boolean {
  const top = topOf(dirname(path));
  return top !== undefined && isTemporaryPath(top);
}

/** Asks git, without any program that the project's settings name. */
function isIgnored(path: string): boolean {
  return gitSays(path, "check-ignore", "-q");
}

function isTracked(path: string): boolean {
  return gitSays(path, "ls-files", "--error-unmatch");
}

function gitSays(path: string, command: GitCommand, option: string): boolean {
  const answer = runGit(dirname(path), [command, option, "--", basename(path)], { timeoutMs: TIMEOUT_MS });
  return answer.kind === "printed";
}

/** Remembers where a session has moved files of its project to: what is removed there is gone all the same. */
export function rememberMoves(paths: readonly string[], sessionId: string | undefined, now = Date.now()): void {
  const file = fileOf(sessionId);
  try {
    makePrivateDir(join(stateDir(), FOLDER));
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) rmSync(file, { force: true });
    appendRegularFile(file, paths.map((path) => `${now} ${JSON.stringify(path)}\n`).join(""));
  } catch {
    // What was moved was kept, or a person agreed to it; only the reminder is missing.
  }
}

/**
 * Whether a session has moved something of its project to a path, or into it, shortly before. If the notes about that cannot
 * be read, it may have: nothing outside of the project is then disposable.
 */
export function movedHere(path: string, sessionId: string | undefined, now = Date.now()): boolean {
  const file = fileOf(sessionId);
  if (!existsSync(file)) return false;
  try {
    return readRegularText(file)
      .split("\n")
      .some((line) => {
        const blank = line.indexOf(" ");
        if (blank < 0 || now - Number(line.slice(0, blank)) > REMEMBERED_MS) return false;
        const moved = String(JSON.parse(line.slice(blank + 1)));
        return isWithin(path, moved) || isWithin(moved, path);
      });
  } catch {
    return true;
  }
}

function fileOf(sessionId = ""): string {
  return join(stateDir(), FOLDER, sha256Text(sessionId).slice(0, 24));
}

const FOLDER = "moved";
const REMEMBERED_MS = 60 * 60_000;
const MAX_BYTES = 64 * 1024;

/** The files beside a folder of that name if a build tool has made it. */
const BUILDS =
  "package.json pyproject.toml setup.py CMakeLists.txt Makefile build.gradle build.gradle.kts meson.build go.mod deno.json pubspec.yaml tsconfig.json composer.json";
const MANIFESTS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  dist: BUILDS,
  build: BUILDS,
  out: `${BUILDS} foundry.toml`,
  obj: `${BUILDS} Directory.Build.props`,
  coverage: `${BUILDS} Cargo.toml`,
  target: "Cargo.toml pom.xml build.sbt project.clj deps.edn",
  _build: "mix.exs dune-project rebar.config conf.py Makefile",
  Pods: "Podfile",
  vendor: "composer.json go.mod Gemfile",
  deps: "mix.exs rebar.config",
};

/** Ignored so that it is not shared, and nowhere else. */
const PRECIOUS = () =>
  /^\.env|\.(?:pem|key|p12|pfx|jks|sqlite3?|db|kdbx|tfstate)$|^(?:secrets?|credentials?|data|backups?|keys?)$/i;

const SYSTEM_TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev/shm"];
let temporaryRoots: readonly string[] | undefined;
const TIMEOUT_MS = 3000;
