import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ContainSettings } from "../../config/contain-settings.ts";
import { gitFoldersAt } from "../../fs/git-folders.ts";
import { homeDir } from "../../fs/home-dir.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { foldersAbove, isWithin, realPath } from "../../fs/resolve-path.ts";
import { ensurePrivateDir } from "../../fs/state-dir.ts";
import { withSystemTools } from "../../fs/system-tools.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { fingerprint } from "../../trace/fingerprint.ts";
import { type BoxLayout, type MountedLayer, mountsOfProcess } from "./box-script.ts";
import { type Backend, type BoxLayer, containFolder } from "./box-store.ts";
import { type HiddenPlace, hiddenPlaces } from "./hidden-places.ts";
import { owner, prepareBox } from "./probe.ts";

/** Why no box can be made for a call. */
export class NoBox extends Error {}

/** The call for which a box is made. */
export interface BoxedCall {
  readonly id: string;
  /** The folder of what is known about the call. */
  readonly folder: string;
  readonly backend: Exclude<Backend, "sandbox-runtime">;
  readonly root: string;
  readonly cwd: string;
  readonly settings: Pick<ContainSettings, "hosts" | "caches" | "limits">;
  /** What connects agents with Sluice, which the program does not see. */
  readonly own: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program that runs boxes. */
  readonly runner: string;
}

interface Draft extends Pick<MountedLayer, "path" | "fate"> {
  readonly hides: string[];
  readonly makes: string[];
}

/** Everything that the box of a call is made of; makes the folder in which it is. */
function boxLayout(call: BoxedCall): BoxLayout {
  const { backend, own, env, settings, runner } = call;
  const home = realPath(homeDir(env));
  const root = realPath(call.root);
  const user = owner();
  const place = placeFor(call.folder, root, call.id, user.uid);
  const drafts: Draft[] = layerPaths(settings, root, home, env).map(([path, fate]) => ({
    path,
    fate,
    hides: [],
    makes: [],
  }));
  const around = (path: string) =>
    drafts
      .filter((draft) => isWithin(draft.path, path) && draft.path !== path)
      .sort((one, other) => other.path.length - one.path.length)[0];
  // A cache that is not there yet gets a mount point in the layer around it.
  for (const { path } of drafts) if (!existsSync(path)) around(path)?.makes.push(path);
  const masks: { path: string; isFolder: boolean }[] = [];
  for (const hidden of hiddenPlaces({ home, own, env, isRoot: user.uid === 0 })) hide(hidden, root, around, masks);
  const layers = drafts.map((draft, at): MountedLayer => {
    const { path, fate } = draft;
    const inMemory = fate !== "read-only" && isWithin(path, place);
    return { path, fate, upper: `u${at}`, inMemory, skeleton: skeletonOf(draft, env) };
  });
  const { limits, hosts } = settings;
  const direct = LOOPBACK_NAMES.filter((name) => !hosts.some((host) => host.startsWith(name)));
  const network = hosts.length === 0 ? undefined : { bridge: runner, direct };
  return { backend, place, layers, masks, cwd: realPath(call.cwd), user, limits, network };
}

/** Makes the box of a call, and writes down for the program that runs it what that needs to know. */
export function makeBox(call: BoxedCall, command: string): { place: string; layers: BoxLayer[] } {
  const layout = boxLayout(call);
  prepareBox(layout);
  const { place, network } = layout;
  const layers = layout.layers.flatMap(({ path, fate, upper }) =>
    fate === "read-only" ? [] : [{ path, fate, upper }],
  );
  const seconds = Math.ceil(call.settings.limits.timeMs / 1000);
  const known = [command, place, seconds, withSystemTools(call.env).PATH, network === undefined ? "" : "proxy"];
  const judged = layers.filter(({ fate }) => fate === "judged").map(({ upper }) => upper);
  writePrivate(join(call.folder, "run"), [...known, call.env.SHELL ?? "", ...judged].join("\0"));
  return { place, layers };
}

/** What is hidden in a layer is left out of it; what is hidden elsewhere is covered. What the project is in stays visible. */
function hide(
  { path, kind }: HiddenPlace,
  root: string,
  around: (path: string) => Draft | undefined,
  masks: { path: string; isFolder: boolean }[],
): void {
  if (kind === undefined || isWithin(path, root)) return;
  const layer = around(path);
  if (layer !== undefined) layer.hides.push(path);
  else if (!masks.some((mask) => isWithin(mask.path, path))) masks.push({ path, isFolder: kind === "folder" });
}

/** The folders that differ from the rest of the disk, which can only be read. */
function layerPaths(
  settings: BoxedCall["settings"],
  root: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): [path: string, fate: MountedLayer["fate"]][] {
  if (root === "/" || SYSTEM_ROOTS.has(root)) throw new NoBox(`${root} is a folder of the system, not a project`);
  const found = new Map<string, MountedLayer["fate"]>();
  const add = (path: string, fate: MountedLayer["fate"]) => {
    if (path !== "/" && !found.has(path)) found.set(path, fate);
  };
  add(root, "judged");
  for (const { path } of mountsOfProcess()) if (path !== root && isWithin(root, path)) add(path, "judged");
  const git = gitFolderOutside(root);
  if (git !== undefined) add(git, "judged");
  for (const path of ["/tmp", "/var/tmp", env.TMPDIR ?? "/tmp"])
    if (existsSync(path) && !isWithin(root, realPath(path))) add(realPath(path), "forgotten");
  if (existsSync(home) && !isWithin(root, home)) add(home, "read-only");
  const caches = [...ALWAYS_THERE, ...CACHES.filter((name) => existsSync(join(home, name)))].map((name) =>
    join(home, name),
  );
  const stated = settings.caches.map((path) => resolve(home, path.replace(/^~(?=\/|$)/, home))).filter(existsSync);
  for (const path of [...caches, ...stated]) {
    const real = existsSync(path) ? realPath(path) : path;
    if (!isWithin(root, real) && !isWithin(real, root)) add(real, "forgotten");
  }
  return [...found];
}

/** The folder that holds a repository which is not in the project: that of another work tree. */
export function gitFolderOutside(root: string): string | undefined {
  try {
    const git = statSync(join(root, ".git")).isFile() ? gitFoldersAt(root) : undefined;
    return git === undefined || isWithin(root, realPath(git.shared)) ? undefined : realPath(git.shared);
  } catch {
    return undefined;
  }
}

/**
 * The folder of a box: it is not in the project, because a layer cannot be written into itself, and is there after a crash.
 */
function placeFor(folder: string, root: string, id: string, uid: number): string {
  const candidates = [folder, ...["/var/tmp", "/dev/shm"].map((base) => join(base, `sluice-${uid}`, id))];
  for (const candidate of candidates) {
    const parent = dirname(candidate);
    if (isWithin(root, existsSync(parent) ? realPath(parent) : parent)) continue;
    if (candidate !== folder && !ensurePrivateDir(parent)) continue;
    const place = join(candidate, "box");
    makeDir(place, 0o700);
    return realPath(place);
  }
  throw new NoBox(`no folder outside of ${root} can hold the box`);
}

/**
 * A folder with what a layer does not show, as overlays note it: a device with the numbers 0 and 0 hides the name that it has. It
 * is made once for each list of places.
 */
function skeletonOf(
  { path, hides, makes }: Draft,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (hides.length === 0 && makes.length === 0) return undefined;
  const inLayer = (one: string) => relative(path, one);
  const hidden = hides
    .filter((one) => !hides.some((other) => other !== one && isWithin(other, one)))
    .map(inLayer)
    .sort();
  const made = makes.map(inLayer).sort();
  const folder = join(containFolder(env), "skeletons", fingerprint(JSON.stringify([hidden, made])));
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  makeDir(draft, 0o755);
  const folders = new Set([...hidden, ...made].flatMap((one) => foldersAbove(`/${one}`)).filter((one) => one !== "/"));
  for (const one of [...folders, ...made]) makeDir(join(draft, one), 0o755);
  const script = 'for one in "$@"; do mknod "$one" c 0 0 || exit 1; done';
  const tools = { env: withSystemTools(env) };
  execFileSync("sh", ["-c", script, "sh", ...hidden], { cwd: draft, ...tools, stdio: ["ignore", "ignore", "pipe"] });
  try {
    execFileSync("mv", ["-T", draft, folder], { ...tools, stdio: "ignore" });
  } catch {
    execFileSync("rm", ["-rf", draft], tools);
  }
  return folder;
}

/** Caches that programs of many kinds make. */
const ALWAYS_THERE = [".cache", ".npm"];
/** Caches of builds and installations, where they are. */
const CACHES = [
  ...[".yarn", ".local/share/pnpm", ".bun/install/cache", ".cargo/registry", ".cargo/git", ".gradle", ".m2", "go/pkg"],
  ...[".nuget/packages", ".ivy2", ".sbt", ".composer/cache", ".pub-cache", ".node-gyp", ".electron", ".deno"],
];
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "::1"];
const SYSTEM_ROOTS: ReadonlySet<string> = new Set([
  "/usr",
  "/etc",
  "/bin",
  "/lib",
  "/var",
  "/home",
  "/opt",
  "/tmp",
  "/dev",
  "/proc",
  "/sys",
]);
