import { GAP } from "../parse/command.ts";
import type { Field } from "../parse/value.ts";
import { patternTest } from "../parse/words/pattern.ts";
import { joinPath } from "../paths.ts";
import { cmdletNamed } from "./cmdlets.ts";
import { partOfGit } from "./git-runs.ts";
import { inOneShape, rowNamed } from "./index.ts";
import type { Output, Program, Trait } from "./program.ts";

/**
 * The canonical name of a program: without its folder, without `.exe`, in lower case if the table contains only that,
 * without a version (`python3.12`) and without the `g` of GNU's tools on other systems. A program that is not in the table
 * keeps its written name.
 */
export function canonicalProgram(written: string): string {
  return called(written).name;
}

/** The row of a program, by any of its names. */
export function programNamed(written: string): Program | undefined {
  return called(written).row;
}

/** A program by its written name, looked up once: a call needs the same few again and again. */
interface Called {
  readonly name: string;
  readonly row: Program | undefined;
  /** Its traits; lookups in a map are faster than in objects of different shapes. */
  readonly is: ReadonlyMap<string, true | string> | undefined;
  /** The results of tests for any of several traits, by the number of the test. */
  readonly isAny: (boolean | undefined)[];
}

function called(written: string): Called {
  // Most lookups are for the program of the previous lookup, with the same string.
  if (written === lastWritten) return lastCalled;
  const found = CALLED.get(written) ?? lookedUp(written);
  lastWritten = written;
  lastCalled = found;
  return found;
}

let lastWritten = "";
let lastCalled: Called = { name: "", row: undefined, is: undefined, isAny: [] };

function lookedUp(written: string): Called {
  const name = canonical(written);
  const own = rowNamed(name) ?? (name.startsWith("git-") ? partOfGit(name) : cmdletNamed(name));
  const row = own && inOneShape(own);
  const found = { name, row, is: row?.is && new Map(Object.entries(row.is)), isAny: [] };
  if (CALLED.size >= MAX_REMEMBERED) CALLED.clear();
  CALLED.set(written, found);
  return found;
}

/** What a program prints, if that follows from its arguments and its input. */
export function outputKind(written: string): Output | undefined {
  const { row, name } = called(written);
  return typeof row?.prints === "object" ? row.prints[name] : row?.prints;
}

/** Whether a program may change a file of that name if the file is one of its operands. */
export function mayChangeNamed(written: string, file: string): boolean {
  const { row, name } = called(written);
  const endings = row?.endings?.[name]?.split(" ");
  return endings === undefined || endings.some((ending) => file.endsWith(`.${ending}`));
}

/** Whether a program has a trait; `verb` is the verb of the run. */
export function isProgram(trait: Trait, written: string, verb = ""): boolean {
  const { is, name } = called(written);
  const names = is?.get(trait);
  if (names === undefined || names === true) return names ?? false;
  if (names === name) return true;
  const listed = ` ${names} `;
  return listed.includes(` ${name} `) || listed.includes(` ${name}:${verb} `);
}

/** Returns a test whether a program has any of several traits. Most programs have none, which is remembered for each. */
export function anyTraitTest(...traits: readonly Trait[]): (written: string) => boolean {
  const test = tests++;
  return (written) => {
    const { isAny } = called(written);
    isAny[test] ??= traits.some((trait) => isProgram(trait, written));
    return isAny[test];
  };
}

let tests = 0;

function canonical(written: string): string {
  const name = written.slice(Math.max(written.lastIndexOf("/"), written.lastIndexOf("\\")) + 1);
  const found = knownName(name) ?? knownName(name.toLowerCase());
  return found ?? (name.startsWith("git-") && partOfGit(name) !== undefined ? name : written);
}

/** The name of a program in the table. */
function knownName(name: string): string | undefined {
  if (name === "") return undefined;
  if (rowNamed(name) !== undefined) return name;
  return otherNames(name).find((other) => rowNamed(other) !== undefined) ?? withoutVersion(name);
}

/** Other names of the same program. */
function otherNames(name: string): readonly string[] {
  const names: string[] = [];
  const bare = name.replace(/\.(?:exe|cmd|bat|com)$/i, "");
  if (bare !== name) return [bare, ...otherNames(bare), ...[withoutVersion(bare) ?? []].flat()];
  if (name.includes("ld") && LOADER.test(name)) names.push("ld.so");
  if (name.startsWith("g") && GNU.has(name.slice(1))) names.push(name.slice(1));
  return names;
}

/** `python3.12` is python3, `ruby3.2` is ruby, `gcc-12` is gcc; a bare number after a name is a version only for interpreters. */
function withoutVersion(name: string): string | undefined {
  // `..` is not a version of the command `.`.
  if (!/[a-z]/i.test(name)) return undefined;
  // `python3.13t` is a build with free threads.
  const last = /\dt$/.test(name) ? name.length - 2 : name.length - 1;
  for (let at = last; at > 0; at--) {
    const code = name.charCodeAt(at);
    if (code !== DOT && code !== DASH && (code < ZERO || code > NINE)) return undefined;
    const row = rowNamed(name.slice(0, at));
    if (
      row !== undefined &&
      (row.interpreter !== undefined || row.is?.shell !== undefined || /[.-]/.test(name.slice(at)))
    )
      return name.slice(0, at);
  }
  return undefined;
}

const CALLED = new Map<string, Called>();
const MAX_REMEMBERED = 1000;
const [DOT, DASH, ZERO, NINE] = [46, 45, 48, 57];
/** The dynamic loader has a different name for each architecture. */
const LOADER = /^ld(?:-linux[\w-]*|-musl-\w+|64|-[\d.]+)?\.so(?:\.\d+)?$/;
/** Tools of GNU that other systems install with the prefix `g`. */
const GNU: ReadonlySet<string> = new Set(
  `base32 base64 basename cat chgrp chmod chown chroot cksum comm cp cut date dd df dir dirname du echo env expand expr factor
  false find fmt fold grep egrep fgrep head hostid id install join kill link ln locate logname ls make md5sum mkdir mkfifo
  mknod mktemp mv nice nl nohup nproc od paste patch pr printenv printf pwd readlink realpath rm rmdir sed seq sha1sum
  sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee test time
  timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users wc who whoami xargs yes`.split(
    /\s+/,
  ),
);

/** The program that a word names, and whether that is certain. */
export interface NamedProgram {
  readonly field: Field;
  readonly isCertain: boolean;
}

/** A program's name without a folder of the system; globs and gaps are replaced if one program matches. */
export function namedProgram(word: Field): NamedProgram {
  const { text } = word;
  // A list or a parameter with the value of a glob has only its text.
  if (word.isGlob || (!word.isKnown && PATTERN.test(text))) return matched(word);
  if (text.includes(GAP)) {
    const likely = text.replaceAll(GAP, "");
    return { field: KNOWN.has(withoutFolder(likely)) ? plain(withoutFolder(likely)) : word, isCertain: false };
  }
  if (!text.includes("/")) return { field: word, isCertain: word.isKnown };
  const name = withoutFolder(text);
  return {
    field: name === text ? word : { ...word, text: name },
    isCertain: word.isKnown || text.startsWith("~") || text.startsWith("./"),
  };
}

/** Whether a program is one of those that most machines have. */
export function isKnownProgram(name: string): boolean {
  return KNOWN.has(name);
}

function plain(text: string): Field {
  return { text, isKnown: true, isGlob: false };
}

function withoutFolder(path: string): string {
  if (!path.startsWith("/")) return path;
  const whole = joinPath("/", path);
  const end = whole.lastIndexOf("/");
  return FOLDERS.has(whole.slice(0, end)) && end < whole.length - 1 ? whole.slice(end + 1) : path;
}

function matched(word: Field): NamedProgram {
  const pattern = (word.pattern ?? word.text).replaceAll(/\/{2,}/g, "/");
  const end = pattern.lastIndexOf("/");
  const folder = end < 0 ? undefined : patternTest(pattern.slice(0, end));
  const name = patternTest(pattern.slice(end + 1));
  if (folder === undefined || name === undefined || ![...FOLDERS].some(folder))
    return { field: word, isCertain: false };
  const fitting = KNOWN_PROGRAMS.filter(name);
  const [first] = fitting;
  return first === undefined
    ? { field: word, isCertain: false }
    : { field: plain(first), isCertain: fitting.length === 1 };
}

const PATTERN = /^[^\uFFFC]*\/[^\uFFFC]*[*?[]|^[^\uFFFC]*[*?[][^\uFFFC]*\//;
const FOLDERS: ReadonlySet<string> = new Set(
  "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin /opt/local/bin /snap/bin /usr/games /run/current-system/sw/bin /usr/lib/git-core /usr/libexec/git-core /system/bin".split(
    " ",
  ),
);
/** Programs that a glob for a path could mean, the harmful ones first. */
const KNOWN_PROGRAMS: readonly string[] = `
rm rmdir unlink shred dd mv cp ln tee truncate install mkfs mkfs.ext4 mkswap fdisk sfdisk parted wipefs blkdiscard
sh bash dash zsh ksh fish rbash busybox toybox
sudo su doas pkexec runuser chmod chown chgrp chattr setfacl kill killall pkill reboot shutdown halt poweroff
curl wget nc ncat netcat socat ssh scp sftp rsync ftp telnet
python python3 perl ruby node php lua awk gawk mawk sed ed ex vi vim nano
git tar zip unzip gzip gunzip bzip2 xz zstd cpio
docker podman kubectl npm npx yarn pnpm make pip pip3 gem cargo go apt apt-get dpkg yum dnf apk brew
systemctl service crontab at batch mount umount passwd useradd userdel usermod groupadd visudo iptables nft
find xargs env nice nohup timeout time watch setsid stdbuf flock script strace gdb chroot unshare nsenter
cat ls echo printf test true false head tail grep egrep fgrep sort uniq wc cut tr rev tac nl od xxd hexdump base64 base32
ps top df du free id who whoami uname hostname date cal sleep touch mkdir mktemp stat file readlink realpath basename dirname
diff cmp patch less more man openssl gpg split join paste fold seq yes expr bc dc tput stty clear sync pwd which
`
  .trim()
  .split(/\s+/);
const KNOWN: ReadonlySet<string> = new Set(KNOWN_PROGRAMS);
