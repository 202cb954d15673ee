import type { CallEffects, Effect, PathEffect } from "./effect.ts";
import { GAP } from "./parse/command.ts";
import { nameTest } from "./parse/words/pattern.ts";
import { globsMeet, type NamedFiles } from "./path-test.ts";
import { isAtOrUnder } from "./paths.ts";
import { isProgram } from "./programs/program-name.ts";
import { shellOptionsAt } from "./programs/shell-options.ts";
import { undescribedChanges } from "./undescribed-changes.ts";

/**
 * The files that the path of an effect names if it is a pattern, which the disk is asked for once; undefined for a plain path.
 * Every part of the house that compares files of a call asks here.
 */
export function namedFiles(effect: PathEffect, act: Act): NamedFiles | undefined {
  if (!effect.path.isGlob) return undefined;
  const known = KNOWN.get(effect);
  if (known !== undefined) return known;
  const found = find(effect, act);
  KNOWN.set(effect, found);
  return found;
}

type Act = Pick<CallEffects, "effects" | "commands" | "place">;

const KNOWN = new WeakMap<PathEffect, NamedFiles>();

function find(effect: PathEffect, act: Act): NamedFiles {
  const { path, does, command } = effect;
  const { filesMatching } = act.place;
  const { files } = path;
  if (files === undefined) return unsure("the program expands the pattern, not the shell");
  if (files.includes(GAP)) return unsure("a part of it is known only when the command runs");
  if (filesMatching === undefined) return unsure("the disk was not asked");
  const { folder = "." } = act.commands[command] ?? {};
  if (/[*?[]/.test(folder) || folder.includes(GAP)) return unsure("the folder is known only when the command runs");
  const options = shellOptionsAt(command, act.commands);
  if (options === undefined) return unsure("an option of the shell changes what the pattern names");
  const names = filesMatching(files, { ...options, isFollowed: does !== "delete", folder });
  if (names === undefined) return unsure("the disk cannot tell which files fit");
  const made = madeEarlier(effect, act);
  const all = made === undefined ? names : [...new Set([...names, ...made])];
  const doubt = made === undefined ? "an earlier part of the line may make files that fit" : undefined;
  if (all.length > 0 || doubt !== undefined) return { names: all, doubt };
  // Without a match, the program is given the pattern itself: it makes a file of that name, or expands it.
  if (does === "write") return { names: [path.text], doubt };
  return expandsItself(effect.program)
    ? unsure("no file fits, and the program expands the pattern itself")
    : { names, doubt };
}

function unsure(doubt: string): NamedFiles {
  return { names: [], doubt };
}

/** Whether a program reads a pattern that the shell has left as it is. */
function expandsItself(program: string): boolean {
  return isProgram("version-control", program) || isProgram("writes-unnamed", program);
}

/**
 * The files that earlier commands of the line make and that fit; undefined if what those make is not known, and could fit.
 */
function madeEarlier({ path, command }: PathEffect, { effects, commands }: Act): readonly string[] | undefined {
  const fits = path.files === undefined ? undefined : pathTest(path.files);
  const made: string[] = [];
  for (const effect of effects) {
    if (effect.command === undefined || effect.command >= command) continue;
    if (effect.does === "unknown") return undefined;
    if (effect.does === "run" && effect.roles.some((role) => MAKES_FILES.has(role))) return undefined;
    if (effect.does !== "write") continue;
    const { text, isGlob, isKnown } = effect.path;
    const isOpen = effect.isTree || isGlob || !isKnown || (effect.by !== undefined && effect.by !== "access");
    if (isOpen && mayFit(effect, path.text)) return undefined;
    if (!isOpen && fits?.(text) !== false) made.push(text);
  }
  for (let at = 0; at < command; at++) {
    const earlier = commands[at];
    if (earlier !== undefined && undescribedChanges(earlier, at, { effects, commands }).length > 0) return undefined;
  }
  return made;
}

const MAKES_FILES: ReadonlySet<string> = new Set(["run-code", "work-loss", "package-install", "foreign-source"]);

function mayFit({ path: { text }, isTree, source }: Extract<Effect, { isTree: boolean }>, glob: string): boolean {
  if (text.includes(GAP)) return true;
  const folder =
    glob
      .split("/")
      .slice(
        0,
        glob.split("/").findIndex((part) => /[*?[]/.test(part)),
      )
      .join("/") || ".";
  if ((isTree || source !== undefined) && (isAtOrUnder(text, folder) || isAtOrUnder(folder, text))) return true;
  return globsMeet(text, glob);
}

/** A whole path compared part by part, as the shell does; undefined if a part is not read here. */
function pathTest(pattern: string): ((path: string) => boolean) | undefined {
  const tests = pattern.split("/").map(nameTest);
  return (path) => {
    const parts = path.split("/");
    return (
      parts.length === tests.length &&
      parts.every(
        (part, at) =>
          tests[at]?.(part) !== false && (!part.startsWith(".") || pattern.split("/")[at]?.startsWith(".") === true),
      )
    );
  };
}
