import { spawnSync } from "node:child_process";
import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { realPathBytes } from "../fs/resolve-path.ts";
import { withSystemTools } from "../fs/system-tools.ts";
import { type BytePath, bytePath, bytesOf, parentOf, pathText } from "../policies/undo/byte-path.ts";
import { entryOf, type LayerChange } from "./read-changes.ts";

/**
 * Does on the disk what a program did in its box. Each file takes its place in one step, whole. What was there comes into the box,
 * which is removed when the call has ended: to free the room of many files takes long. Interrupted, it can be run again with what
 * is still in the box: a file of the box that has another number than before was in the project.
 */
export function commitChanges(changes: readonly LayerChange[], boxPlace: string): void {
  const deletions = changes.filter(({ change }) => change === "deleted");
  const trash = bytePath(join(boxPlace, "gone"));
  if (deletions.length > 0) mkdirSync(bytesOf(trash), { recursive: true });
  // What is deepest goes first.
  for (const [at, { path }] of [...deletions].reverse().entries())
    if (!isMoved(path, `${trash}/${process.pid}-${at}`)) remove(path);
  const folders: LayerChange[] = [];
  const exchanged: LayerChange[] = [];
  const checked = new Set<BytePath>();
  for (const change of changes) {
    if (change.upper === undefined) continue;
    const parent = parentOf(change.path);
    if (!checked.has(parent)) checkParents(change.path);
    checked.add(parent);
    if (change.kind === "folder") {
      makeFolder(change);
      folders.push(change);
    } else if (isReplaced(change)) exchanged.push(change);
    else place(change, change.upper);
  }
  for (const change of notExchanged(exchanged)) if (change.upper !== undefined) place(change, change.upper);
  // A folder that may not be written to gets its mode when everything is in it.
  for (const change of folders.reverse()) finishFolder(change);
}

/** Nothing is written through a symlink that was put in the place of a folder in the meantime. */
function checkParents(path: BytePath): void {
  const parent = parentOf(path);
  const found = entryOf(parent);
  if (found === undefined) {
    checkParents(parent);
    mkdirSync(bytesOf(parent));
  } else if (bytePath(realPathBytes(bytesOf(parent))) !== parent)
    throw new Error(`${pathText(parent)} leads through a symlink now`);
}

function remove(path: BytePath): void {
  rmSync(bytesOf(path), { recursive: true, force: true });
}

function makeFolder({ path }: LayerChange): void {
  const found = entryOf(path);
  if (found !== undefined && !found.isDirectory()) remove(path);
  if (found === undefined || !found.isDirectory()) mkdirSync(bytesOf(path), { mode: 0o700 });
  else if ((found.mode & 0o700) !== 0o700) chmodSync(bytesOf(path), (found.mode & 0o7777) | 0o700);
}

function finishFolder({ path, now }: LayerChange): void {
  if (now === undefined) return;
  const found = lstatSync(bytesOf(path));
  if (found.uid !== now.uid || found.gid !== now.gid) lchownSync(bytesOf(path), now.uid, now.gid);
  chmodSync(bytesOf(path), now.mode & 0o7777);
  utimesSync(bytesOf(path), now.atimeMs / 1000, now.mtimeMs / 1000);
}

/** Whether a file takes the place of another one on the same disk. */
function isReplaced({ path, kind, change, before, now }: LayerChange): boolean {
  if (kind !== "file" || change !== "changed" || before === undefined || before.dev !== now?.dev) return false;
  return entryOf(path)?.isFile() === true;
}

/**
 * Exchanges files of the box with those of the project, each in one step. Where a file replaces another one by its name alone,
 * some file systems write it to the disk at once, which takes longer than all the rest; this is done when the call has ended.
 * Those that could not be exchanged are returned.
 */
function notExchanged(changes: readonly LayerChange[]): readonly LayerChange[] {
  const numbers = CALLS[process.arch];
  if (changes.length === 0 || numbers === undefined) return changes;
  const input = Buffer.concat(
    changes.flatMap(({ path, upper = "" }) => [upper, path].map((one) => bytesOf(`${one}\0`))),
  );
  const { stdout } = spawnSync("perl", ["-e", EXCHANGE, ...numbers.map(String)], {
    input,
    env: withSystemTools(process.env),
    maxBuffer: changes.length + 1,
  });
  return changes.filter((_, at) => stdout?.at(at) !== DONE);
}

/** The numbers of the calls of Linux that rename a file in a special way and that remove an attribute. */
const CALLS: Partial<Record<NodeJS.Architecture, readonly [number, number]>> = { x64: [316, 198], arm64: [276, 15] };
const DONE = "y".charCodeAt(0);
/** The overlay has left marks at a file that was there before. The owner may not remove them from one that is read-only. */
const EXCHANGE = `
my ($rename, $unmark) = @ARGV;
my @marks = ("user.overlay.origin", "user.overlay.nlink");
$/ = chr 0;
while (defined(my $from = <STDIN>)) {
  chomp($from, my $to = <STDIN>);
  my $mode = (lstat $from)[2] & 07777;
  for my $mark (@marks) {
    next if syscall($unmark, $from, $mark) == 0 || $! != 13;
    chmod 0600, $from;
    syscall($unmark, $from, $mark);
    chmod $mode, $from;
  }
  print syscall($rename, -100, $from, -100, $to, 2) == 0 ? "y" : "n";
}
`;

/** A file that the program has made is moved. A copy of one that was there before has none of the overlay's marks. */
function place({ path, kind, before, now, change }: LayerChange, upper: BytePath): void {
  if (now === undefined) return;
  const target = entryOf(path);
  if (change === "mode" && target?.isFile()) {
    if (target.uid !== now.uid || target.gid !== now.gid) lchownSync(bytesOf(path), now.uid, now.gid);
    chmodSync(bytesOf(path), now.mode & 0o7777);
    return;
  }
  if (target?.isDirectory()) remove(path);
  if (before === undefined && isMoved(upper, path)) return;
  const draft = `${path}.${process.pid}.sluice-draft`;
  try {
    if (kind === "symlink") symlinkSync(readlinkSync(bytesOf(upper), "buffer"), bytesOf(draft));
    else if (kind === "file")
      copyFileSync(bytesOf(upper), bytesOf(draft), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else throw new Error(`${pathText(path)} is neither a file nor a folder nor a symlink`);
    const made = lstatSync(bytesOf(draft));
    if (made.uid !== now.uid || made.gid !== now.gid) lchownSync(bytesOf(draft), now.uid, now.gid);
    if (kind === "file") chmodSync(bytesOf(draft), now.mode & 0o7777);
    lutimesSync(bytesOf(draft), now.atimeMs / 1000, now.mtimeMs / 1000);
    renameSync(bytesOf(draft), bytesOf(path));
  } catch (error) {
    rmSync(bytesOf(draft), { force: true });
    throw error;
  }
  rmSync(bytesOf(upper), { force: true });
}

function isMoved(from: BytePath, to: BytePath): boolean {
  try {
    renameSync(bytesOf(from), bytesOf(to));
    return true;
  } catch (error) {
    // The box is on another disk, or a folder may not be changed.
    if (["EXDEV", "EACCES", "EPERM", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
