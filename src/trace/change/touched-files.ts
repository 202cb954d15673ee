import { readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { callEffects } from "../../effects/call-effects.ts";
import type { CallEffects, LookupsFor, PathEffect } from "../../effects/effect.ts";
import { namedFiles } from "../../effects/named-files.ts";
import { GAP } from "../../effects/parse/command.ts";
import { isSystemFile } from "../../effects/paths.ts";
import { attempt } from "../../event/attempt.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { compilePath } from "../../pattern/path-pattern.ts";

/** The files that a call may change or has changed, as far as its text shows. */
export interface Touched {
  readonly paths: readonly string[];
  /** It may change more than is named. */
  readonly isOpen: boolean;
  /** It changes something, or its effects are unknown. */
  readonly isMutating: boolean;
}

/** Tells which files a call is about to change; globs and folders are opened, up to a bound. */
export function touchedFiles(event: EventFacts, root: string, look?: LookupsFor, mayBeOpen = false): Touched {
  const { toolName = "", cwd = root } = event;
  if (isOfKind(toolName, "@read")) return NOTHING;
  const act = callEffects(event, look);
  if (act === undefined) return NOTHING;
  const found = new Set<string>();
  let [isOpen, isMutating] = [mayBeOpen, false];
  for (const effect of act.effects) {
    if (effect.does === "unknown") isOpen = true;
    if (effect.does === "run" && effect.roles.some((role) => OPEN_ROLES.has(role))) isOpen = true;
    if (effect.does !== "write" && effect.does !== "delete") continue;
    isMutating = true;
    const { text, isKnown, isGlob } = effect.path;
    if ((!isKnown && !isGlob) || text.includes(GAP)) isOpen = true;
    else for (const path of placesOf(effect, act, cwd)) found.add(path);
  }
  if (isOpen) for (const path of writtenWords(event, cwd)) found.add(path);
  const paths = [...found].filter((path) => !isSystemFile(path) && !isFolder(path)).slice(0, MAX_FILES);
  return { paths, isOpen, isMutating: isMutating || isOpen };
}

/** The files that an effect names, opened where they are folders. */
function placesOf(effect: PathEffect, act: CallEffects, cwd: string): readonly string[] {
  const named = namedFiles(effect, act);
  if (named === undefined || named.doubt !== undefined) return writtenAt(wholePath(effect.path.text, cwd), effect);
  return named.names.flatMap((name) => opened(wholePath(name, cwd), false));
}

/**
 * The files at a path that a call changes. After a folder was moved, its new place is a folder, as if it had been moved
 * into one: the surroundings of a missing path are included as well.
 */
function writtenAt(path: string, { path: { isGlob }, source }: PathEffect): readonly string[] {
  const isLanded = source !== undefined && basename(source.text) === basename(path);
  const around = isLanded && !isGlob && statSync(path, { throwIfNoEntry: false }) === undefined;
  return around ? [path, ...opened(dirname(path), false)] : opened(path, isGlob);
}

/** A path as records write it: from the project's folder, with forward slashes. */
export function relativeTo(root: string, path: string): string {
  const seen = relative(root, path);
  const real = seen.startsWith("..") ? relative(realPath(root), realPath(path)) : seen;
  return (real.startsWith("..") ? seen : real).replaceAll("\\", "/");
}

/** A path of a call as the whole path that it means. */
export function wholePath(text: string, cwd: string): string {
  const { HOME } = process.env;
  const path = HOME !== undefined && /^~(?=\/|$)/.test(text) ? HOME + text.slice(1) : text;
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

/** A glob as the names that match; a folder with its content; a file as itself. */
export function opened(path: string, isGlob: boolean): string[] {
  if (!isGlob) return isFolder(path) ? [path, ...filesUnder(path)] : [path];
  const parts = path.split("/");
  const fixed =
    parts
      .slice(
        0,
        parts.findIndex((part) => /[*?[{]/.test(part)),
      )
      .join("/") || "/";
  const fits = compilePath(path);
  const fitsBelow = compilePath(`${path}/**`);
  return filesUnder(fixed).filter((file) => fits(file) || fitsBelow(file));
}

/** Files below a folder, without what git keeps and what packages bring. */
export function filesUnder(folder: string, most = MAX_FILES): string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let at = waiting.shift(); at !== undefined && found.length < most; at = waiting.shift()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) waiting.push(path);
      else if (entry.isFile() && found.length < most) found.push(path);
    }
  }
  return found;
}

/** Where the effects of a command are unknown, the files that its text names are the likeliest. */
function writtenWords(event: EventFacts, cwd: string): string[] {
  const args = dataField(event, "tool_args");
  const { command } = Object(args) as { command?: unknown };
  const text = typeof args === "string" ? args : command;
  if (typeof text !== "string") return [];
  const words = text.slice(0, LONGEST_COMMAND).split(/[\s"'`;|&<>()=,]+/);
  const paths = words.filter((word) => word !== "" && !word.startsWith("-")).map((word) => wholePath(word, cwd));
  return [...new Set(paths)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile()).slice(0, MAX_NAMED);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether there is a folder, or a symlink to one. */
export function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory()) ?? false;
}

const NOTHING: Touched = { paths: [], isOpen: false, isMutating: false };
/** What programs do that way may change files that the call does not name. */
const OPEN_ROLES: ReadonlySet<string> = new Set(["run-code", "work-loss", "package-install"]);
/** Folders whose files are not traced. */
const PASSED_OVER: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", ".orchestration"]);
const MAX_FILES = 500;
const MAX_NAMED = 20;
const LONGEST_COMMAND = 64 * 1024;
