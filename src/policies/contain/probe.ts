import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { release } from "node:os";
import { delimiter, join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { withSystemTools } from "../../fs/system-tools.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { fingerprint } from "../../trace/fingerprint.ts";
import { type BoxLayout, boxCommand, boxFiles, ENTERED } from "./box-script.ts";
import { containFolder } from "./box-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Which box this machine can make for this user, or why it can make none and what mends that. */
export type BoxSupport = { readonly backend: BoxLayout["backend"] } | NoSupport;

/** Why this machine can make no box, and what mends that. */
export interface NoSupport {
  readonly why: string;
  readonly fix: string;
}

/** What is known from an earlier probe on the same machine since its start, or what a new one finds. */
export function boxSupport(env: Environment, isFresh = false): BoxSupport {
  const file = join(containFolder(env), "probe.json");
  const key = machineKey(env);
  const known = isFresh ? undefined : readKnown(file, key);
  if (known !== undefined) return known;
  const support = probeAll(env);
  try {
    makePrivateDir(containFolder(env));
    writePrivate(file, JSON.stringify({ key, support }));
  } catch {
    // The next call probes again.
  }
  return support;
}

function readKnown(file: string, key: string): BoxSupport | undefined {
  try {
    const known = JSON.parse(readRegularText(file)) as { readonly key: string; readonly support: BoxSupport };
    return known.key === key ? known.support : undefined;
  } catch {
    return undefined;
  }
}

/** Changes with everything that a probe may find otherwise. */
function machineKey(env: Environment): string {
  const { uid, gid } = owner();
  const files = ["/proc/sys/kernel/random/boot_id", "/proc/self/uid_map", ...RESTRICTIONS.map(({ file }) => file)];
  const programs = [...PROGRAMS, "bwrap"].map((name) => programPath(name, env) ?? "");
  return fingerprint(JSON.stringify([release(), uid, gid, containFolder(env), programs, files.map(textAt), 1]));
}

function probeAll(env: Environment): BoxSupport {
  if (process.platform !== "linux")
    return {
      why: `boxes on ${process.platform} are made by @anthropic-ai/sandbox-runtime, which is not installed here`,
      fix: "Install it beside Sluice with Node 22 or newer: npm install @anthropic-ai/sandbox-runtime",
    };
  const missing = PROGRAMS.filter((name) => programPath(name, env) === undefined);
  if (missing.length > 0)
    return {
      why: `${missing.join(" and ")} cannot be found`,
      fix: "Install the packages util-linux and perl, for example with: apt install util-linux perl-base",
    };
  const backends = programPath("bwrap", env) === undefined ? (["namespaces"] as const) : BOTH;
  const failures: string[] = [];
  for (const backend of backends) {
    const why = probeOne(backend, env);
    if (why === undefined) return { backend };
    failures.push(`${backend}: ${why}`);
  }
  const restriction = RESTRICTIONS.find(({ file, forbids }) => forbids(textAt(file)));
  return {
    why: restriction?.why ?? `no box could be made (${failures.join("; ")})`,
    fix:
      restriction?.fix ??
      "A container needs the right to make user and mount namespaces; on a machine of its own, install bubblewrap: apt install bubblewrap",
  };
}

/**
 * Makes a box with one backend and tries it both ways: a write into the layer lands in the upper folder, and nowhere else; a
 * write outside and one to the folder below change nothing. Why it does not work, if so.
 */
export function probeOne(backend: BoxLayout["backend"], env: Environment): string | undefined {
  let base: string | undefined;
  try {
    makePrivateDir(containFolder(env));
    base = mkdtempSync(join(containFolder(env), "probe-"));
    return tried(backend, base);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (base !== undefined) removeBoxFolder(base);
  }
}

function tried(backend: BoxLayout["backend"], base: string): string | undefined {
  const [place, project, outside] = [join(base, "box"), join(base, "project"), join(base, "outside")];
  for (const folder of [place, project, outside]) mkdirSync(folder);
  writeFileSync(join(project, "old"), "old");
  writeFileSync(join(outside, "kept"), "kept");
  const layer = { path: project, fate: "judged", upper: "u0", inMemory: false } as const;
  const layout: BoxLayout = {
    backend,
    place,
    layers: [layer],
    masks: [],
    cwd: project,
    user: owner(),
    limits: { processes: 4096 },
  };
  prepareBox(layout);
  const act =
    'echo new > new && rm old; echo lost > "$0/kept"; rm -f "$0/kept"; test -e old || test -e /proc/$1 || echo inside';
  const [program = "", ...args] = boxCommand(layout, ["sh", "-c", act, outside, String(process.pid)]);
  const { stdout, stderr, error, status, output } = spawnSync(program, args, {
    env: withSystemTools(process.env),
    encoding: "utf8",
    timeout: 20_000,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  if (error !== undefined) return error.message;
  const said = stderr.split("\n").find((line) => line.trim() !== "") ?? `it ended with ${status}`;
  if (!output[3]?.startsWith(ENTERED)) return said;
  if (!existsSync(join(place, "u0", "new"))) return `an allowed write did not land (${said})`;
  const isWhiteout = statSync(join(place, "u0", "old")).isCharacterDevice();
  const isUntouched = textAt(join(outside, "kept")) === "kept" && textAt(join(project, "old")) === "old";
  if (!isWhiteout || !isUntouched || existsSync(join(project, "new"))) return "a forbidden write landed";
  return stdout.trim() === "inside" ? undefined : "the processes of the machine are visible in the box";
}

/** Makes the folders that the script of a box needs, and the script. */
export function prepareBox(layout: BoxLayout): void {
  const { place, layers } = layout;
  for (const name of ["t", "d", EMPTY]) mkdirSync(join(place, name));
  for (const [at, { path, upper, fate, inMemory }] of layers.entries()) {
    const below = statSync(path, { throwIfNoEntry: false });
    // What is not there yet is an empty folder below.
    symlinkSync(below === undefined ? EMPTY : path, join(place, `l${at}`));
    mkdirSync(join(place, `m${at}`));
    if (fate === "read-only" || inMemory) continue;
    mkdirSync(join(place, `w${at}`));
    makeLike(join(place, upper), below);
  }
  for (const [name, text] of Object.entries(boxFiles(layout))) writeFileSync(join(place, name), text, { mode: 0o600 });
}

/** The folder of a layer has the mode and owner that its upper folder has. */
function makeLike(upper: string, below: Stats | undefined): void {
  mkdirSync(upper);
  if (below === undefined) return;
  if (owner().uid === 0) chownSync(upper, below.uid, below.gid);
  chmodSync(upper, below.mode & 0o7777);
  utimesSync(upper, below.atimeMs / 1000, below.mtimeMs / 1000);
}

/** Removes the folder of a box: the overlay leaves folders in it without any permission. */
function removeBoxFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    spawnSync("chmod", ["-R", "u+rwx", folder], { env: withSystemTools(process.env), stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same when the caller has ended: what was written in the box and is in the project by then is on the disk first. */
export function removeLater(folder: string): void {
  const script = 'sync -f "$1"; rm -rf "$1" || { chmod -R u+rwx "$1"; rm -rf "$1"; }';
  spawn("sh", ["-c", script, "sh", folder], {
    cwd: "/",
    detached: true,
    env: withSystemTools(process.env),
    stdio: "ignore",
  })
    .on("error", () => removeBoxFolder(folder))
    .unref();
}

/** The user for whom boxes are made. */
export function owner(): { readonly uid: number; readonly gid: number } {
  return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
}

/** Where a program is, by the folders of the system and the path of the user. */
export function programPath(name: string, env: Environment): string | undefined {
  const folders = withSystemTools(env).PATH.split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function textAt(file: string): string {
  return attempt(() => readRegularText(file).trim()) ?? "";
}

const EMPTY = "e";
const BOTH = ["bubblewrap", "namespaces"] as const;
const PROGRAMS = ["sh", "mount", "unshare", "setpriv", "perl"];

/** Settings of the system that forbid boxes, and what allows them. */
const RESTRICTIONS = [
  {
    file: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    forbids: (text: string) => text === "1",
    why: "AppArmor restricts user namespaces of unprivileged users on this machine",
    fix: "An administrator allows them with: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  },
  {
    file: "/proc/sys/kernel/unprivileged_userns_clone",
    forbids: (text: string) => text === "0",
    why: "this kernel forbids user namespaces to unprivileged users",
    fix: "An administrator allows them with: sudo sysctl -w kernel.unprivileged_userns_clone=1",
  },
  {
    file: "/proc/sys/user/max_user_namespaces",
    forbids: (text: string) => text === "0",
    why: "the number of user namespaces is limited to none on this machine",
    fix: "An administrator allows them with: sudo sysctl -w user.max_user_namespaces=15000",
  },
];
