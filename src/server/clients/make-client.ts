import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { sha256Bytes } from "../../fs/late-builtins.ts";
import { readRegularFile, readRegularText } from "../../fs/regular-file.ts";
import { draftOf, moveIntoPlace } from "../../fs/write-atomic.ts";
import { type ColdCommand, isPrivate, runtimeDirOf, whyNoRuntimeDir, whyUnusable } from "../runtime-dir.ts";

/** The program that asks the daemon on behalf of agents; without one, every call starts node. */
export interface Client {
  readonly kind: "native" | "perl";
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The best client that is there for this copy of the command, if there is one. */
export function clientOf(cold: ColdCommand, env: Environment): Client | undefined {
  return KINDS.map((kind) => ({ kind, path: pathOf(kind, cold, env) })).find(
    (client): client is Client => client.path !== undefined && existsSync(client.path) && isPrivate(client.path),
  );
}

/** Makes the fastest client that this machine can run: compiled, else a script; undefined where neither works. */
export function makeClient(cold: ColdCommand, env: Environment): Client | undefined {
  if (process.platform === "win32" || whyNoRuntimeDir(runtimeDirOf(cold, { env })) !== undefined) return undefined;
  const ready = clientOf(cold, env);
  for (const kind of KINDS) {
    const path = pathOf(kind, cold, env);
    if (path === undefined) continue;
    // A client that a crash has left empty would end with 0 and print nothing: every call would pass.
    if (ready?.kind === kind && isRunnable(ready.path)) return ready;
    if (installClient(path, (draft) => MAKERS[kind](sourceOf(kind, cold), draft, env))) return { kind, path };
  }
  return undefined;
}

/** Makes a client as a draft and renames it when it works; whether it does. */
export function installClient(path: string, make: (draft: string) => boolean): boolean {
  const draft = draftOf(path);
  try {
    if (!make(draft)) return false;
    chmodSync(draft, 0o700);
    if (!isRunnable(draft)) return false;
    moveIntoPlace(draft, path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The client that making one, or copying one from a package, would give, as far as that shows without doing it. */
export function expectedClient(cold: ColdCommand, env: Environment, isPackaged = false): Client | undefined {
  if (process.platform === "win32" || whyUnusable(runtimeDirOf(cold, { env })) !== undefined) return undefined;
  const ready = clientOf(cold, env);
  return KINDS.flatMap((kind): Client[] => {
    const path = pathOf(kind, cold, env);
    if (path === undefined) return [];
    const isThere = ready?.kind === kind || (kind === "native" && isPackaged);
    return isThere || programFor(kind, env) !== undefined ? [{ kind, path }] : [];
  })[0];
}

/** Removes every client of this copy that no settings start any more; whether there was one. */
export function removeClients(cold: ColdCommand, env: Environment, isStarted: (names: string) => boolean): boolean {
  const unused = clientFiles(cold, env).filter((path) => !isStarted(clientSuffix({ path })));
  for (const path of unused) rmSync(path, { force: true });
  return unused.length > 0;
}

/**
 * The bash clients that versions before this one made. Their daemon listened on a port, which it named in a file; without
 * that file they run the cold command for every call.
 */
export function bashClients(cold: ColdCommand, env: Environment): string[] {
  return clientFiles(cold, env).filter((path) => BASH_SCRIPT.test(firstLine(path)));
}

/** Every file of a client in the runtime directory of this copy. */
export function clientFiles(cold: ColdCommand, env: Environment): string[] {
  const { folder } = runtimeDirOf(cold, { env });
  return (
    attempt(() =>
      readdirSync(folder)
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => join(folder, name)),
    ) ?? []
  );
}

function firstLine(path: string): string {
  return attempt(() => readRegularFile(path).toString("latin1").split("\n", 1)[0]) ?? "";
}

/** The end of a client's path, by which settings are searched: no two clients have the same, and every format of settings writes it as it is. */
export function clientSuffix({ path }: Pick<Client, "path">): string {
  return `${basename(dirname(path))}/${basename(path)}`;
}

/** The path of the native client, whether it is compiled or copied. */
export function nativePath(cold: ColdCommand, env: Environment): string | undefined {
  return pathOf("native", cold, env);
}

/** A client is named after its source: another version is another file. */
function pathOf(kind: Client["kind"], cold: ColdCommand, env: Environment): string | undefined {
  try {
    const name = sha256Bytes(readRegularFile(sourceOf(kind, cold))).slice(0, 8);
    return join(runtimeDirOf(cold, { env }).folder, `${PREFIX}${name}`);
  } catch {
    return undefined;
  }
}

function sourceOf(kind: Client["kind"], [, launcher]: ColdCommand): string {
  return join(dirname(launcher), "native", SOURCES[kind]);
}

function programFor(kind: Client["kind"], env: Environment): string | undefined {
  return PROGRAMS[kind].map((name) => programIn(env.PATH, name)).find((path) => path !== undefined);
}

const PREFIX = "client-";
const BASH_SCRIPT = /^#!\S*\bbash\b/;
const KINDS = ["native", "perl"] as const satisfies readonly Client["kind"][];
const SOURCES = { native: "client.c", perl: "client.pl" } as const satisfies Record<Client["kind"], string>;
/** The programs that each is made with; the first that is found will do. */
const PROGRAMS = { native: ["cc", "gcc", "clang"], perl: ["perl"] } as const satisfies Record<
  Client["kind"],
  readonly string[]
>;

const MAKERS: Readonly<Record<Client["kind"], (source: string, target: string, env: Environment) => boolean>> = {
  native: (source, target, env) => {
    // On a Mac without its developer tools, the compiler's name opens a window.
    if (process.platform === "darwin" && spawnSync("/usr/bin/xcode-select", ["-p"]).status !== 0) return false;
    const compiler = programFor("native", env);
    if (compiler === undefined) return false;
    return buildsFor(process.platform, process.arch).some((flags) => {
      // It mostly waits for the system: more optimisation takes twice the time to compile and gains nothing.
      const { status } = spawnSync(compiler, ["-O1", ...flags, "-o", target, source], {
        stdio: "ignore",
        timeout: 20_000,
      });
      return status === 0 && isRunnable(target);
    });
  },
  perl: (source, target, env) => {
    const perl = programFor("perl", env);
    return perl !== undefined && asScript(perl, source, target);
  },
};

/**
 * The ways to build the native client, the fastest first. A statically linked program starts in half the time, and one that needs no C
 * library at all in two thirds of that.
 */
export function buildsFor(platform: string, arch: string): readonly (readonly string[])[] {
  const isOwnStart = platform === "linux" && (arch === "x64" || arch === "arm64");
  return [...(isOwnStart ? [WITHOUT_LIBRARY] : []), ["-static"], []];
}

const WITHOUT_LIBRARY = [
  "-DWITHOUT_LIBRARY",
  "-static",
  "-nostdlib",
  "-fno-builtin",
  "-fno-stack-protector",
  "-U_FORTIFY_SOURCE",
];

function asScript(program: string, source: string, target: string): boolean {
  if (/\s/.test(program)) return false;
  // The interpreter reads comments and indentation with every call.
  const code = readRegularText(source).replaceAll(/^\s*#.*\n|^\s+/gm, "");
  writeFileSync(target, `#!${program}\n# Made of ${basename(source)}, which explains why.\n${code}`, { mode: 0o700 });
  return true;
}

/** Whether a client can be started where it is, and passes an exit code on. */
export function isRunnable(path: string): boolean {
  const { status } = spawnSync(path, ["/bin/sh", "-c", "exit 42"], {
    env: { SLUICE_RESIDENT: "0" },
    stdio: ["pipe", "ignore", "ignore"],
    timeout: 5000,
  });
  return status === 42;
}

function programIn(path: string | undefined, name: string): string | undefined {
  return (path ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
