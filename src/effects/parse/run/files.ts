import { joinPath } from "../../paths.ts";
import { GAP, type Word } from "../command.ts";
import type { FileContent, Shell } from "../shell-state.ts";
import { lookUp } from "../variables.ts";
import type { Frame, Reader } from "./reader.ts";
import { fromDescriptor } from "./redirect.ts";

/** A file that is run by its own name. */
export interface ForeignFile {
  readonly path: string;
}

/** The text of a file that decides what is run: what the line wrote into it, or what is on the disk. */
export function readableFile(path: Word, { shell, stdin }: Frame, reader: Reader): string | undefined {
  if (STANDARD_INPUT.has(path.text)) return stdin.text;
  const key = joinPath(shell.folder, path.text);
  const own = shell.files.get(key);
  if (own !== undefined) return ownText(own, reader);
  const [, descriptor] = shell.descriptors.size === 0 ? [] : (DESCRIPTOR.exec(key) ?? []);
  if (descriptor !== undefined) return fromDescriptor(shell, Number(descriptor))?.text;
  return key.includes(GAP) ? undefined : reader.around.script?.(copiedFrom(key, shell));
}

/** Where a file in a folder that the line has copied was before. */
function copiedFrom(path: string, { files }: Shell): string {
  if (files.size === 0) return path;
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const folder = files.get(path.slice(0, at));
    if (folder !== undefined && "copyOf" in folder) return folder.copyOf + path.slice(at);
  }
  return path;
}

function ownText(file: FileContent, { around }: Reader): string | undefined {
  return "copyOf" in file ? around.script?.(file.copyOf) : "text" in file ? file.text : undefined;
}

/** The path of a readable file that was on the disk before the line ran; undefined for one that the line itself has written. */
export function storedFile(path: Word, { shell }: Frame): string | undefined {
  const key = joinPath(shell.folder, path.text);
  return STANDARD_INPUT.has(path.text) || shell.files.has(key) || DESCRIPTOR.test(key) ? undefined : key;
}

const DESCRIPTOR = /^\/(?:dev|proc\/self)\/fd\/(\d{1,4})$/;
const STANDARD_INPUT: ReadonlySet<string> = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/** The program that the line copied or linked to this name. */
export function programBehind(shell: Shell, name: string): string | undefined {
  if (shell.files.size === 0) return undefined;
  for (const path of pathsOf(shell, name)) {
    const file: FileContent | undefined = shell.files.get(path);
    if (file !== undefined && "program" in file) return file.program;
  }
  return undefined;
}

/** The script that is run by this name: one with a slash, or one that PATH leads to. */
export function foundFile(name: string, frame: Frame, reader: Reader): ForeignFile | undefined {
  if (name.startsWith("/") && SYSTEM.test(name)) return undefined;
  for (const path of pathsOf(frame.shell, name)) {
    const own = frame.shell.files.get(path);
    const text = own === undefined ? reader.around.script?.(path) : ownText(own, reader);
    if (text !== undefined) return { path };
  }
  return undefined;
}

/** What a task runs, if the line itself has written the file that defines it; every task of a file with recipes. */
export function ownTask(
  files: readonly string[] | undefined,
  task: string,
  shell: Shell,
  reader: Reader,
): string | undefined {
  if (files === undefined || shell.files.size === 0) return undefined;
  for (const name of files) {
    const file = shell.files.get(joinPath(shell.folder, name));
    const text = file && ownText(file, reader);
    if (text === undefined || text === GAP) continue;
    if (!name.endsWith(".json")) return text.match(RECIPES())?.join("\n");
    const [, line] = new RegExp(`"${task.replaceAll(/\W/g, "\\$&")}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text) ?? [];
    return line && JSON.parse(line);
  }
  return undefined;
}

/** The lines of recipes, without the prefixes that control how they are shown. */
const RECIPES = () => /(?<=^[ \t]+[-@+]*)[^\s@+-].*$|(?<=^[^\s#:][^:=\n]*:[^=\n;]*;\s*[-@+]*)[^\s@+-].*$/gm;

const SYSTEM = /^\/(?:usr\/|opt\/homebrew\/)?(?:local\/)?s?bin\//;

function pathsOf(shell: Shell, name: string): string[] {
  if (name === "" || name.includes(GAP)) return [];
  if (name.includes("/")) return [joinPath(shell.folder, name)];
  if (!shell.variables.has("PATH")) return [];
  const path = lookUp(shell, "PATH");
  if (path.is !== "set") return [];
  return path.value.text
    .split(":")
    .filter((folder) => !folder.includes(GAP) && !SYSTEM.test(`${folder}/`))
    .map((folder) => joinPath(joinPath(shell.folder, folder || "."), name));
}
