import type { CallEffects, PathEffect } from "./effect.ts";
import { namedFiles } from "./named-files.ts";
import type { Word } from "./parse/command.ts";
import type { PathPattern } from "./path-test.ts";
import { isProgram, mayChangeNamed } from "./programs/program-name.ts";

type Act = Pick<CallEffects, "effects" | "commands" | "place">;

/**
 * Whether an effect touches what a pattern means. A folder that is read, changed or removed with everything in it touches the files
 * that the disk has in it; where the disk does not have the folder, or has too many files there, what the pattern begins with.
 */
export function isTouched(effect: PathEffect, pattern: PathPattern, act: Act): boolean {
  const named = namedFiles(effect, act);
  const { place } = act;
  const inside = filesInside(effect, act);
  // What a search finds is on the disk; what is removed may be there until then.
  const isSearched = effect.does === "read" && inside !== undefined;
  if (pattern.meets(effect.path, isWhole(effect) && !isSearched, place, named)) return true;
  return inside?.some((name) => pattern.meets(plain(name), false, place)) === true;
}

/** What is moved, and what git picks, may be a folder: everything in it is touched with it. */
export function isWhole({ isTree, by }: PathEffect): boolean {
  return isTree || by === "move" || by === "pick";
}

/** Whether a program only prints the names of what is in a folder: it reads no file. */
export function isListing({ does, program }: PathEffect): boolean {
  return does === "read" && isProgram("file-finder", program) && !isProgram("prints-files", program);
}

/** The files in the folder that an effect touches as a whole; undefined if it is not a folder, or if the disk cannot tell. */
function filesInside(effect: PathEffect, act: Act): readonly string[] | undefined {
  const { does, path, by, program, command } = effect;
  const { filesIn } = act.place;
  // What is copied or unpacked into a folder leaves the other files there as they are.
  if (filesIn === undefined || !isWhole(effect) || (does === "write" && (by === "copy" || by === "unpack")))
    return undefined;
  const named = namedFiles(effect, act);
  if (path.isGlob ? named === undefined || named.doubt !== undefined : !path.isKnown) return undefined;
  const folders = (named?.names ?? [path.text]).map((folder) => ({ folder, files: filesIn(folder) }));
  if (named === undefined && folders[0]?.files === undefined) return undefined;
  const words = act.commands[command]?.args.map(({ text }) => text) ?? [];
  const passesHidden = isProgram("passes-hidden", program) && !words.some((word) => SHOWS_HIDDEN.test(word));
  return folders.flatMap(({ folder, files = [] }) =>
    files
      .filter(
        (name) => !(passesHidden && /(?:^|\/)\./.test(name)) && (does === "delete" || mayChangeNamed(program, name)),
      )
      .map((name) => `${folder}/${name}`),
  );
}

function plain(text: string): Word {
  return { text, isKnown: true, isGlob: false };
}

/** An option with which a search also looks into hidden folders. */
export const SHOWS_HIDDEN = /^(?:--hidden|--unrestricted|-\w*[u.]\w*)$/;
