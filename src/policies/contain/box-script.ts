import { existsSync } from "node:fs";
import { release } from "node:os";
import { shellWord } from "../../effects/index.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import type { Backend, BoxLayer } from "./box-store.ts";

/** A folder of the box, as it is mounted. */
export interface MountedLayer extends Omit<BoxLayer, "fate"> {
  readonly fate: BoxLayer["fate"] | "read-only";
  /** A folder whose files of character 0/0 hide what has their names in the layer. */
  readonly skeleton?: string | undefined;
  /** What is written is in memory: the place of the box is inside of this folder, which the overlay refuses. */
  readonly inMemory: boolean;
}

/** Everything that a box is made of. */
export interface BoxLayout {
  readonly backend: Exclude<Backend, "sandbox-runtime">;
  /** The folder of this box, for what is written and for its mount points. */
  readonly place: string;
  readonly layers: readonly MountedLayer[];
  /** What is hidden outside of the layers. */
  readonly masks: readonly { readonly path: string; readonly isFolder: boolean }[];
  readonly cwd: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly limits: { readonly memory?: number | undefined; readonly processes: number };
  /** For allowed hosts: the program that brings the proxy into the box, and hosts that are reached without it. */
  readonly network?: { readonly bridge: string; readonly direct: readonly string[] } | undefined;
}

/** The command that runs a program in a box: it starts the script of the box in namespaces of its own. */
export function boxCommand({ user, place }: Pick<BoxLayout, "user" | "place">, payload: readonly string[]): string[] {
  const owned = user.uid === 0 ? "" : "--user --map-root-user ";
  const starts = `setpriv --pdeathsig KILL unshare ${owned}--mount --pid --net --ipc --fork --kill-child --mount-proc sh`;
  return [...starts.split(" "), `${place}/${SCRIPT}`, ...payload];
}

/** The name of the script in the place of the box. */
const SCRIPT = "box.sh";
/** What the script writes into its fourth stream when the box is made; the counters of the network follow at the end. */
export const ENTERED = "entered";

/**
 * What makes a box and runs arguments in it, by file: a script for sh, and tables of what one `mount` mounts. It runs as root of its
 * own namespaces; the program gets the user's own rights back. Everything is mounted by relative names: paths may have any characters.
 */
export function boxFiles(layout: BoxLayout): Readonly<Record<string, string>> {
  const { layers, limits, user, network, backend } = layout;
  const limitsPids = user.uid === 0 && HAS_PID_LIMITS;
  const inMemory = layers.some((layer) => layer.inMemory || layer.skeleton !== undefined);
  const { mounts, steps } = BACKENDS[backend](layout);
  const first = [
    ...(inMemory ? [row("tmpfs", "t", "tmpfs", "mode=755")] : []),
    ...(backend === "namespaces" ? [row("tmpfs", "d", "tmpfs", "mode=755,nosuid")] : []),
  ];
  const script = [
    "set -e",
    'cd "${0%/*}"',
    ...(first.length === 0 ? [] : ["mount -c -a -T first"]),
    // Limits per user do not apply to root. In newer kernels a namespace of processes has a limit.
    ...(limitsPids ? [`echo ${Math.max(limits.processes, LEAST_PIDS)} > /proc/sys/kernel/pid_max`] : []),
    ...skeletonCopies(layers),
    "mount -c -a -T layers",
    LOOPBACK,
    ...(network === undefined ? [] : networkSteps(network)),
    ...(limits.memory === undefined ? [] : [`ulimit -d ${Math.ceil(limits.memory / 1024)}`]),
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes} 2>/dev/null || :`,
    ...steps,
    "",
  ];
  const tables = { first, layers: layers.map(layerRow), ...mounts };
  return {
    [SCRIPT]: script.join("\n"),
    ...Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.join("")])),
  };
}

/** Starts the bridge, and names it to programs that ask their environment for a proxy. */
function networkSteps({ bridge, direct }: NonNullable<BoxLayout["network"]>): string[] {
  const variables = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  return [
    `${shellWord(bridge)} bridge </dev/null >/dev/null 2>&1 3>&-`,
    ...variables.map((name) => `export ${name}=http://127.0.0.1:3128`),
    `export NODE_USE_ENV_PROXY=1 no_proxy=${direct.join(",")} NO_PROXY=${direct.join(",")}`,
  ];
}

/** A row of a table of mounts, as in /etc/fstab. */
function row(source: string, target: string, type: string, options = USUAL): string {
  const [from, to] = [source, target].map((text) => text.replaceAll(/[\s\\#]/g, octal));
  return `${from} ${to} ${type} ${options} 0 0\n`;
}

function octal(sign: string): string {
  return `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

/** What follows the layers, in the box that a backend makes. */
interface BackendSteps {
  readonly steps: readonly string[];
  readonly mounts?: Readonly<Record<string, readonly string[]>>;
}

const BACKENDS: Readonly<Record<BoxLayout["backend"], (layout: BoxLayout) => BackendSteps>> = {
  bubblewrap: (layout) => ({
    steps: [
      "set +e",
      `bwrap ${bubblewrapOptions(layout).map(shellWord).join(" ")} -- ${MARKED} "$@"`,
      "code=$?",
      `exec 4< /proc/net/snmp; ${COUNTERS}`,
      "exit $code",
    ],
  }),
  namespaces: namespaceSteps,
};

function bubblewrapOptions({ place, layers, masks, cwd, user }: BoxLayout): string[] {
  const ids = user.uid === 0 ? [] : ["--unshare-user", "--uid", String(user.uid), "--gid", String(user.gid)];
  const kept = user.uid === 0 ? ROOT_CAPABILITIES.flatMap((name) => ["--cap-add", `CAP_${name.toUpperCase()}`]) : [];
  return [
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", ...ids],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", ...kept],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...KERNEL_FILES.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]),
    ...masks.flatMap(({ path, isFolder }) => (isFolder ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path])),
    ...sorted(layers).flatMap(({ path, at, fate }) => [
      fate === "read-only" ? "--ro-bind" : "--bind",
      `${place}/m${at}`,
      path,
    ]),
    ...["--chdir", cwd],
  ];
}

/** The same without another program: the mounts of this namespace are changed one by one. */
function namespaceSteps({ layers, masks, cwd, user }: BoxLayout): BackendSteps {
  const { uid, gid } = user;
  const rights =
    uid === 0
      ? `setpriv --no-new-privs --inh-caps -all --bounding-set -all,${ROOT_CAPABILITIES.map((name) => `+${name}`).join(",")}`
      : // Mounts of a namespace that belongs to others cannot be taken apart.
        `unshare --user --map-user=${uid} --map-group=${gid} --mount setpriv --no-new-privs`;
  const kernel = KERNEL_FILES.filter((name) => existsSync(`/proc/${name}`)).map((name) => `/proc/${name}`);
  const devices = [
    ...DEVICES.map((name) => row(`/dev/${name}`, `d/${name}`, "none", BIND)),
    row("devpts", "d/pts", "devpts", "newinstance,ptmxmode=0666,mode=620"),
    row("tmpfs", "d/shm", "tmpfs", "mode=1777,nosuid,nodev"),
  ];
  const inMemory = layers.flatMap(({ path }) => (isWithin("/dev", path) ? [shellWord(`d${path.slice(4)}`)] : []));
  const root = mountsOfProcess().find(({ path }) => path === "/");
  const whole = [
    ...mountsOfProcess().flatMap(readOnlyRow),
    ...kernel.flatMap((path) => [row(path, path, "none", BIND), row("none", path, "none", "remount,bind,ro")]),
    row("d", "/dev", "none", "rbind"),
    ...masks.map(({ path, isFolder }) =>
      isFolder ? row("tmpfs", path, "tmpfs", "mode=755") : row("/dev/null", path, "none", BIND),
    ),
    ...sorted(layers).flatMap(({ path, at, fate }) => [
      row(`m${at}`, path, "none", BIND),
      ...(fate === "read-only" ? [row("none", path, "none", "remount,bind,ro")] : []),
    ]),
  ];
  return {
    mounts: { devices, whole },
    steps: [
      "exec 4< /proc/net/snmp",
      `for one in ${DEVICES.join(" ")}; do : > "d/$one"; done`,
      "mkdir d/pts d/shm",
      "ln -s pts/ptmx d/ptmx; ln -s /proc/self/fd d/fd; ln -s fd/0 d/stdin; ln -s fd/1 d/stdout; ln -s fd/2 d/stderr",
      "mount -c -a -T devices",
      ...(inMemory.length === 0 ? [] : [`mkdir -p ${inMemory.join(" ")}`]),
      `mount -c -o ${readOnlyOptions(root?.options ?? [])} /`,
      "mount -c -a -T whole",
      `cd ${shellWord(cwd)}`,
      "set +e",
      `${rights} setsid ${MARKED} "$@" 4<&-`,
      "code=$?",
      COUNTERS,
      "exit $code",
    ],
  };
}

/** The counters of the network, without another process: the program may have used up all of them. */
const COUNTERS = 'while read -r line; do echo "$line"; done <&4 >&3';

/** Reports from inside that the box is made, and becomes the program with the path that its caller has. */
const MARKED = `sh -c 'echo ${ENTERED} >&3; PATH=\${SLUICE_PATH-$PATH}; unset SLUICE_PATH; exec "$@" 3>&-' sh`;

const USUAL = "rw";
const BIND = "bind,rw";
/** Devices that programs need; terminals are the box's own. */
const DEVICES = "null zero full random urandom tty".split(" ");

/** Files through which root changes the kernel; they belong to no namespace. */
const KERNEL_FILES = ["sys", "irq", "bus", "sysrq-trigger"];

/** Without it, no program reaches its own server. */
const LOOPBACK =
  "ip link set lo up 2>/dev/null || " +
  `perl -e 'socket(S,2,2,0);ioctl(S,0x8914,pack("a16s","lo",65))' 2>/dev/null || :`;

function skeletonCopies(layers: readonly MountedLayer[]): string[] {
  const folders = layers.flatMap(({ inMemory }, at) => (inMemory ? [`t/u${at} t/w${at}`] : []));
  return [
    ...(folders.length === 0 ? [] : [`mkdir ${folders.join(" ")}`]),
    ...layers.flatMap(({ inMemory }, at) => (inMemory ? [`chmod --reference=l${at}/. t/u${at}`] : [])),
    ...layers.flatMap(({ skeleton }, at) => (skeleton === undefined ? [] : [`cp -a ${shellWord(skeleton)} t/s${at}`])),
  ];
}

function layerRow({ fate, skeleton, inMemory, upper }: MountedLayer, at: number): string {
  const lower = skeleton === undefined ? `l${at}` : `t/s${at}:l${at}`;
  const written = inMemory ? `upperdir=t/u${at},workdir=t/w${at}` : `upperdir=${upper},workdir=w${at}`;
  // Nothing is synchronised when it ends: what is kept is written anew or moved.
  const options = [`lowerdir=${lower}`, ...(fate === "read-only" ? [] : [written, "volatile"]), "userxattr"];
  // An overlay has two layers at least.
  if (fate === "read-only" && skeleton === undefined) return row(`l${at}`, `m${at}`, "none", "bind,ro");
  return row("overlay", `m${at}`, "overlay", options.join(","));
}

/** Folders come before what is in them. */
function sorted(layers: readonly MountedLayer[]): (MountedLayer & { readonly at: number })[] {
  return layers.map((layer, at) => ({ ...layer, at })).sort((one, other) => one.path.length - other.path.length);
}

interface Mount {
  readonly path: string;
  readonly options: readonly string[];
}

/** The mounts that this process sees, each path with its latest. */
export function mountsOfProcess(text = readRegularText("/proc/self/mountinfo")): Mount[] {
  const found = new Map<string, Mount>();
  for (const line of text.split("\n")) {
    const [, , , , target = "", options = ""] = line.split(" ");
    const path = target.replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    if (path !== "") found.set(path, { path, options: options.split(",") });
  }
  return [...found.values()];
}

function readOnlyRow({ path, options }: Mount): string[] {
  // What another mount covers cannot be reached, nor remounted.
  if (path === "/" || options.includes("ro") || REPLACED.some((folder) => isWithin(folder, path)) || !existsSync(path))
    return [];
  return [row("none", path, "none", readOnlyOptions(options))];
}

function readOnlyOptions(options: readonly string[]): string {
  return ["remount,bind,ro", ...options.filter((one) => KEPT_FLAGS.has(one))].join(",");
}

const REPLACED = ["/proc", "/dev"];
const KEPT_FLAGS: ReadonlySet<string> = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"]);
/** What root needs for installing and archiving; none of them reaches out of the box. */
const ROOT_CAPABILITIES = "chown dac_override fowner fsetid kill setgid setuid net_bind_service".split(" ");
const LEAST_PIDS = 400;
const [MAJOR = 0, MINOR = 0] = release().split(/\./).map(Number);
const HAS_PID_LIMITS = MAJOR > 6 || (MAJOR === 6 && MINOR >= 14);
