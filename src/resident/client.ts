import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { type ColdWords, isPrivate, quartersOf, whyNoQuarters } from "./quarters.ts";

/** What asks the engine on behalf of agents; without one, every call starts node. */
export interface Client {
  readonly kind: "native" | "perl" | "bash";
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The best client that lies ready for this copy of the command, if there is one. */
export function clientOf(cold: ColdWords, env: Environment): Client | undefined {
  return clientsOf(cold, env)[0];
}

/** Every client that lies ready, the best one first: settings may name an older one. */
export function clientsOf(cold: ColdWords, env: Environment): Client[] {
  return KINDS.map((kind) => ({ kind, path: pathOf(kind, cold, env) })).filter(
    (client): client is Client => client.path !== undefined && existsSync(client.path) && isPrivate(client.path),
  );
}

/** Makes the fastest client that this machine can run: compiled, else a script; nothing where neither works. */
export function makeClient(cold: ColdWords, env: Environment): Client | undefined {
  if (process.platform === "win32" || whyNoQuarters(quartersOf(cold, { env })) !== undefined) return undefined;
  const ready = clientOf(cold, env);
  for (const kind of KINDS) {
    const path = pathOf(kind, cold, env);
    if (path === undefined) continue;
    if (ready?.kind === kind) return ready;
    const draft = `${path}.draft`;
    try {
      if (!MAKERS[kind](sourceOf(kind, cold), draft, env)) continue;
      chmodSync(draft, 0o700);
      if (!works(draft)) continue;
      renameSync(draft, path);
      return { kind, path };
    } catch {
      // The next kind needs less.
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return undefined;
}

/** A client is named after its source: another version is another file. */
function pathOf(kind: Client["kind"], cold: ColdWords, env: Environment): string | undefined {
  try {
    const name = createHash("sha256")
      .update(readFileSync(sourceOf(kind, cold)))
      .digest("hex")
      .slice(0, 8);
    return join(quartersOf(cold, { env }).folder, `client-${name}`);
  } catch {
    return undefined;
  }
}

function sourceOf(kind: Client["kind"], [, launcher]: ColdWords): string {
  return join(dirname(launcher), "native", SOURCES[kind]);
}

const KINDS = ["native", "perl", "bash"] as const satisfies readonly Client["kind"][];
const SOURCES = { native: "client.c", perl: "client.pl", bash: "client.bash" } as const satisfies Record<
  Client["kind"],
  string
>;

const MAKERS: Readonly<Record<Client["kind"], (source: string, target: string, env: Environment) => boolean>> = {
  native: (source, target, env) => {
    // On a Mac without its developer tools, the compiler's name opens a window.
    if (process.platform === "darwin" && spawnSync("/usr/bin/xcode-select", ["-p"]).status !== 0) return false;
    const compiler = ["cc", "gcc", "clang"].map((name) => programIn(env.PATH, name)).find(Boolean);
    if (compiler === undefined) return false;
    // A program that needs no library starts in half the time.
    return [["-static"], []].some((flags) => {
      const { status } = spawnSync(compiler, ["-O2", ...flags, "-o", target, source], {
        stdio: "ignore",
        timeout: 20_000,
      });
      return status === 0;
    });
  },
  perl: (source, target, env) => {
    const perl = programIn(env.PATH, "perl");
    return perl !== undefined && asScript(perl, source, target);
  },
  bash: (source, target, env) => {
    const bash = programIn(env.PATH, "bash");
    // Some systems build it without ports, and some have one from before it could read pieces.
    const test = "((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && exec 3<>/dev/tcp/127.0.0.1/9";
    const tried = bash && spawnSync(bash, ["-pc", test], { env: { LC_ALL: "C" }, encoding: "utf8", timeout: 5000 });
    if (!tried || (tried.status !== 0 && !tried.stderr.includes("refused"))) return false;
    // With its own word, bash runs no file that the environment names.
    return asScript(`${bash} -p`, source, target);
  },
};

function asScript(program: string, source: string, target: string): boolean {
  if (!/^\S+( -p)?$/.test(program)) return false;
  writeFileSync(target, `#!${program}\n${readFileSync(source, "utf8")}`, { mode: 0o700 });
  return true;
}

/** Whether a client can be started where it lies, and hands on an exit code. */
export function works(path: string): boolean {
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
