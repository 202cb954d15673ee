import { release } from "node:os";
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
  /** A program that brings allowed hosts into the box; none without a network. */
  readonly bridge?: readonly string[] | undefined;
}

/** The command that runs a program in a box: it starts the script of the box in namespaces of its own. */
export function boxCommand({ user, place }: Pick<BoxLayout, "user" | "place">, payload: readonly string[]): string[] {
  const owned = user.uid === 0 ? "" : "--user --map-root-user ";
  const starts = `setpriv --pdeathsig KILL unshare ${owned}--mount --pid --net --ipc --fork --kill-child sh`;
  return [...starts.split(" "), `${place}/${SCRIPT}`, ...payload];
}

/** The name of the script in the place of the box. */
export const SCRIPT = "box.sh";
/** What the script writes into its fourth stream when the box is made; the counters of the network follow at the end. */
export const ENTERED = "entered";

/**
 * The script that makes a box, for sh, and runs its arguments in it. It runs as root of its own namespaces; the program gets the
 * user's own rights back. Everything is mounted by relative names: paths may have any characters.
 */
export function boxScript(layout: BoxLayout): string {
  const { layers, limits, user, bridge } = layout;
  const memory = limits.memory === undefined ? [] : [`ulimit -d ${Math.ceil(limits.memory / 1024)}`];
  const inMemory = layers.some((layer) => layer.inMemory || layer.skeleton !== undefined);
  return [
    "set -e",
    'cd "${0%/*}"',
    ...(user.uid === 0 ? processLimit(limits.processes) : []),
    ...(inMemory ? ["mount -t tmpfs -o mode=755 tmpfs t"] : []),
    ...skeletonCopies(layers),
    ...layers.map(overlayMount),
    LOOPBACK,
    ...(bridge === undefined ? [] : startBridge(bridge)),
    ...memory,
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes} 2>/dev/null || :`,
    ...BACKENDS[layout.backend](layout),
    "",
  ].join("\n");
}

const BACKENDS: Readonly<Record<BoxLayout["backend"], (layout: BoxLayout) => string[]>> = {
  bubblewrap: (layout) => [
    "set +e",
    `bwrap ${bubblewrapOptions(layout).map(shellWord).join(" ")} -- ${MARKED} "$@"`,
    "code=$?",
    'while read -r line; do echo "$line"; done < /proc/net/snmp >&3',
    "exit $code",
  ],
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
function namespaceSteps({ layers, masks, cwd, user }: BoxLayout): string[] {
  const { uid, gid } = user;
  const rights =
    uid === 0
      ? `setpriv --no-new-privs --inh-caps -all --bounding-set -all,${ROOT_CAPABILITIES.map((name) => `+${name}`).join(",")}`
      : // Mounts of a namespace that belongs to others cannot be taken apart.
        `unshare --user --map-user=${uid} --map-group=${gid} --mount setpriv --no-new-privs`;
  return [
    "exec 4< /proc/net/snmp",
    "mount --make-rprivate /",
    ...DEVICES,
    ...mountsOfProcess().flatMap(readOnlyMount),
    "mount -c -t proc proc /proc",
    ...KERNEL_FILES.flatMap((name) => [
      `if [ -e /proc/${name} ]; then mount -c --bind /proc/${name} /proc/${name}; mount -c -o remount,bind,ro /proc/${name}; fi`,
    ]),
    "mount -c --rbind d /dev",
    ...masks.map(({ path, isFolder }) =>
      isFolder
        ? `mount -c -t tmpfs -o mode=755 tmpfs ${shellWord(path)}`
        : `mount -c --bind /dev/null ${shellWord(path)}`,
    ),
    ...sorted(layers).map(({ path, at, fate }) => {
      const target = shellWord(path);
      const closed = fate === "read-only" ? `; mount -c -o remount,bind,ro ${target}` : "";
      return `[ -d ${target} ] || mkdir -p ${target}; mount -c --bind m${at} ${target}${closed}`;
    }),
    `cd ${shellWord(cwd)}`,
    "set +e",
    `${rights} setsid ${MARKED} "$@" 4<&-`,
    "code=$?",
    "cat <&4 >&3",
    "exit $code",
  ];
}

/** Reports from inside that the box is made, and becomes the program. */
const MARKED = `sh -c 'echo ${ENTERED} >&3; exec "$@" 3>&-' sh`;

/** Devices that programs need, and terminals of the box's own. */
const DEVICES = [
  "mount -t tmpfs -o mode=755,nosuid tmpfs d",
  'for one in null zero full random urandom tty; do : > "d/$one"; mount --bind "/dev/$one" "d/$one"; done',
  "mkdir d/pts d/shm",
  "mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts d/pts",
  "mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs d/shm",
  "ln -s pts/ptmx d/ptmx; ln -s /proc/self/fd d/fd; ln -s fd/0 d/stdin; ln -s fd/1 d/stdout; ln -s fd/2 d/stderr",
];

/** Files through which root changes the kernel; they belong to no namespace. */
const KERNEL_FILES = ["sys", "irq", "bus", "sysrq-trigger"];

/** Without it, no program reaches its own server. */
const LOOPBACK =
  "ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || " +
  `perl -e 'socket(S,2,2,0);ioctl(S,0x8914,pack("a16s","lo",65))' 2>/dev/null || :`;

function startBridge(bridge: readonly string[]): string[] {
  return ["mkfifo ready", `${bridge.map(shellWord).join(" ")} > ready &`, "read -r _ < ready"];
}

/** Limits per user do not apply to root. In newer kernels a namespace of processes has a limit, and the machine keeps its own. */
function processLimit(processes: number): string[] {
  const [major = 0, minor = 0] = release().split(/\./).map(Number);
  if (major < 6 || (major === 6 && minor < 14)) return [];
  return ["mount -t proc proc p", `echo ${Math.max(processes, LEAST_PIDS)} > p/sys/kernel/pid_max`, "umount p"];
}

function skeletonCopies(layers: readonly MountedLayer[]): string[] {
  return layers.flatMap(({ skeleton, inMemory }, at) => [
    ...(skeleton === undefined ? [] : [`cp -a ${shellWord(skeleton)} t/s${at}`]),
    ...(inMemory ? [`mkdir t/u${at} t/w${at}`] : []),
  ]);
}

function overlayMount({ fate, skeleton, inMemory, upper }: MountedLayer, at: number): string {
  const lower = skeleton === undefined ? `l${at}` : `t/s${at}:l${at}`;
  const written = inMemory ? `upperdir=t/u${at},workdir=t/w${at}` : `upperdir=${upper},workdir=w${at}`;
  const options = [`lowerdir=${lower}`, ...(fate === "read-only" ? [] : [written]), "userxattr"];
  // An overlay has two layers at least.
  if (fate === "read-only" && skeleton === undefined)
    return `mount --bind l${at} m${at}; mount -o remount,bind,ro m${at}`;
  return `mount -t overlay -o ${options.join(",")} overlay m${at}`;
}

/** Folders come before what is in them. */
function sorted(layers: readonly MountedLayer[]): (MountedLayer & { readonly at: number })[] {
  return layers.map((layer, at) => ({ ...layer, at })).sort((one, other) => one.path.length - other.path.length);
}

/** Written out here: the wrapper of every contained call loads this file, and reading commands takes a megabyte of code. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
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

function readOnlyMount({ path, options }: Mount): string[] {
  if (options.includes("ro") || REPLACED.some((folder) => isWithin(folder, path))) return [];
  const kept = options.filter((one) => KEPT_FLAGS.has(one));
  // What another mount covers cannot be reached, nor remounted.
  return [`[ ! -e ${shellWord(path)} ] || mount -c -o ${["remount,bind,ro", ...kept].join(",")} ${shellWord(path)}`];
}

const REPLACED = ["/proc", "/dev"];
const KEPT_FLAGS: ReadonlySet<string> = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"]);
/** What root needs for installing and archiving; none of them reaches out of the box. */
const ROOT_CAPABILITIES = "chown dac_override fowner fsetid kill setgid setuid net_bind_service".split(" ");
const LEAST_PIDS = 400;
