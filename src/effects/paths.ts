import { GAP, type Word } from "./parse/command.ts";

/** The path that a word names, relative to where the line starts: `..` and `.` taken out, `~` and gaps kept. */
export function pathFrom(folder: string, word: Word): Word {
  const text = resolvedPath(folder, word.text);
  if (text === word.text) return word;
  const { isGlob, files } = word;
  const path = { text, isKnown: word.isKnown && !text.includes(GAP), isGlob };
  return files === undefined ? path : { ...path, files: patternFrom(folder, files) };
}

/** A pattern of the shell as seen from where the line starts; a slash at its end, which asks for folders, is kept. */
function patternFrom(folder: string, pattern: string): string {
  const whole = resolvedPath(folder.replaceAll(/[*?[\]\\]/g, "\\$&"), pattern);
  return pattern.endsWith("/") && !whole.endsWith("/") ? `${whole}/` : whole;
}

/** Resolves a path by its letters alone, without looking at the disk. */
export function resolvedPath(folder: string, path: string): string {
  if (path.startsWith("../")) {
    const above = folderAbove(folder);
    if (above !== undefined) return resolvedPath(above, path.slice(3));
  }
  const isFree = path.startsWith("/") || path.startsWith("~") || path.startsWith(GAP) || DRIVE.test(path);
  const whole = isFree || folder === "" || folder === "." ? path : `${folder}/${path}`;
  if (!NEEDS_CARE.test(whole)) return whole;
  const isRooted = whole.startsWith("/");
  const kept: string[] = [];
  for (const piece of whole.split("/")) {
    if (piece === "" || piece === ".") continue;
    const last = kept.at(-1);
    if (piece !== ".." || (last === undefined && !isRooted) || last === ".." || isOpen(last)) kept.push(piece);
    else kept.pop();
  }
  return isRooted ? `/${kept.join("/")}` : kept.join("/") || ".";
}

/** The parent of a folder of plain names, without splitting the path: a line may go down hundreds of folders. */
function folderAbove(folder: string): string | undefined {
  const end = folder.lastIndexOf("/");
  return end > 0 && !isOpen(folder.slice(end + 1)) && !NEEDS_CARE.test(folder) ? folder.slice(0, end) : undefined;
}

/** Whether `..` follows a name: the name may be a link, and then `..` starts from where the link leads. */
export function climbsBehindName(path: string): boolean {
  return path.includes("..") && CLIMBS_BEHIND_NAME.test(path);
}

/** What a word may name as a path: itself, the part after its `=`, the part after a short option. */
export function pathsInWord(text: string): readonly string[] {
  const found = [text, text.slice(text.indexOf("=") + 1), text.slice(text.lastIndexOf("=") + 1)];
  if (/^-\w./.test(text)) found.push(text.slice(2));
  return [...new Set(found)];
}

/** Is the path this place, or does it lie under it? Both as `resolvedPath` gives them. */
export function isAtOrUnder(path: string, place: string): boolean {
  if (place === "/") return path.startsWith("/");
  if (place === ".") return !path.startsWith("/") && !path.startsWith("~") && path !== ".." && !path.startsWith("../");
  return path === place || (path.startsWith(place) && path.charCodeAt(place.length) === SLASH);
}

/** The last piece of a path. */
export function nameOf(path: string): string {
  if (!path.includes("/")) return path;
  const trimmed = withoutLastSlash(path);
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** A path without slashes at its end; the root keeps its own. */
export function withoutLastSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
  return end === path.length ? path : path.slice(0, end);
}

/** The parent of a gap or of a home is not known from the text. */
function isOpen(piece: string | undefined): boolean {
  return piece !== undefined && (piece.includes(GAP) || piece.startsWith("~"));
}

/** The host that a url or an address names: `https://me@host:8080/x`, `me@host:path`, `host:22`, `host`. */
export function hostOf(word: Word | undefined): Word | undefined {
  if (word === undefined) return undefined;
  const text = word.text.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, "").replace(/^\/\//, "");
  const authority = text.split(/[/?#\\]/, 1)[0] ?? "";
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  const host = place.startsWith("[") ? place.slice(1).split("]", 1)[0] : place.split(":", 1)[0];
  if (host === undefined || host === "") return undefined;
  return { text: host.toLowerCase(), isKnown: word.isKnown || !host.includes(GAP), isGlob: false };
}

/** Does an operand of `scp` or `rsync` lie on another machine? */
export function isRemote(text: string): boolean {
  if (/^[a-z]+:\/\//.test(text)) return true;
  const colon = text.indexOf(":");
  return colon > 0 && !text.slice(0, colon).includes("/") && !/^[A-Za-z]:[\\/]/.test(text);
}

/** A path as seen from a folder, without `.`, `..` and doubled slashes. */
export function joinPath(folder: string, path: string): string {
  if (PLAIN.test(path)) {
    if (folder === ".") return path;
    if (!UNTIDY.test(folder)) return `${folder}/${path}`;
  }
  if (path.startsWith("../")) {
    const above = folderAbove(folder);
    if (above !== undefined) return joinPath(above, path.slice(3));
  }
  const isAbsolute = path.startsWith("/") || path.startsWith("~");
  const whole = isAbsolute ? path : `${folder}/${path}`;
  const root = whole.startsWith("/") ? "/" : "";
  const kept: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    const last = kept.at(-1);
    if (part !== ".." || last === ".." || (last === undefined && root === "") || last?.includes(GAP) || last === "~")
      kept.push(part);
    else kept.pop();
  }
  return root + kept.join("/") || (root === "" ? "." : root);
}

/** The folder that a program changes to: `..` after a name is kept, because after a link it leads elsewhere. */
export function folderGoneTo(folder: string, path: string): string {
  const whole = path.startsWith("/") || path.startsWith("~") ? path : `${folder}/${path}`;
  return climbsBehindName(whole) ? whole : joinPath(folder, path);
}

/** Reading from it or writing to it changes nothing: streams, terminals, the null device. */
export function isStream(path: string): boolean {
  return path === "-" || STREAM.test(path);
}

/** A disk, a partition or memory: writing to it destroys its content. */
export function isDisk(path: string): boolean {
  return DISK().test(path);
}

/** A device that never ends. */
export function isEndless(path: string): boolean {
  return ENDLESS.test(path);
}

/** Something below `/dev` that is not a file; what is in its shared memory is one. */
export function isDevice(path: string): boolean {
  return path.startsWith("/dev/") && !path.startsWith("/dev/shm/");
}

/** A file that the system itself offers, and that holds nothing of the user's. */
export function isSystemFile(path: string): boolean {
  return isDevice(path) || /^\/(?:proc|sys)\//.test(path);
}

const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|full|fd\/\d+|ptmx|pts\/\d+)$|^\/proc\/self\/fd\/\d+$|^NUL$/;
const DISK = () =>
  /^\/dev\/(?:r?disk\d|[shvx]v?d[a-z*?[]|nvme|mmcblk|md\d|md\/|dm-|mapper\/|loop\d|sr\d|zd\d|nbd\d|pmem|ram\d|mem$|kmem$|port$|mtd|block\/|disk\/)|^\\\\\.\\PhysicalDrive/i;
const ENDLESS = /^\/dev\/(?:zero|u?random|full)$/;

/** Most paths: names, one below the other. */
const UNTIDY = /^$|^~|\uFFFC|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|\/$/;
const PLAIN = /^\.?[\w@+-][\w.@+-]*(?:\/\.?[\w@+-][\w.@+-]*)*$/;

const NEEDS_CARE = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)|.\/$/;
const CLIMBS_BEHIND_NAME = /(?:^|\/)(?!\.{1,2}(?:\/|$))[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/;
const DRIVE = /^[A-Za-z]:[\\/]/;
const SLASH = 47;
