import type { CallEffects, PathEffect } from "../effect.ts";
import { effectsOf } from "../effects-by-command.ts";
import {
  isDisposable,
  isDownloaded,
  isEveryName,
  isNamedLikeFile,
  isOutside,
  isPersonal,
  isUsersFolder,
  isWholeUsersFolder,
} from "../path-class.ts";
import { nameOf, withoutLastSlash } from "../paths.ts";
import { isProgram } from "../programs/program-name.ts";
import type { EffectLabel } from "./effect-index.ts";
import { isKeyFile } from "./key-files.ts";

/** Words about what belongs to the user and not to the project: personal files, and files with keys. */
export const PERSONAL_EFFECT_LABELS = {
  "move-personal": {
    means: "moves a folder of the user's own files away",
    on: "delete",
    holds: (effect, act) => effect.by === "move" && isFolder(effect) && isTakenAway(effect, act),
  },
  "delete-personal": {
    means: "removes a file of the user's own, outside of the project",
    on: "delete",
    holds: (effect, act) =>
      effect.by !== "trash" &&
      isPersonal(effect.path, act.place) &&
      !isOneDownload(effect, act) &&
      !isGone(effect, act) &&
      (effect.by !== "move" || landsIn(effect, act, (path) => isDisposable(path, act.place))),
  },
  "overwrite-personal": {
    means: "writes over a file of the user's own, outside of the project",
    on: "write",
    holds: (effect, act) =>
      isNamedLikeFile(effect.path) &&
      isUsersFolder(effect.path, act.place) &&
      isPersonal(effect.path, act.place) &&
      !isDownloaded(effect.path, act.place) &&
      changesContent(effect) &&
      effect.by !== "move" &&
      !isAppended(effect, act) &&
      !isPutInto(effect, act) &&
      !isGone(effect, act),
  },
  "send-personal": {
    means: "sends personal files to another machine",
    on: "flow",
    from: "file",
    to: "network",
    holds: (effect, { place }) =>
      effect.path !== undefined &&
      isUsersFolder(effect.path, place) &&
      isPersonal(effect.path, place) &&
      !isOneDownload({ path: effect.path }, { place }),
  },
  "write-key": {
    means: "writes over keys or logins of the user",
    on: "write",
    holds: (effect, act) =>
      changesContent(effect) &&
      isOutside(effect.path, act.place) &&
      isKeyFile(effect.path, act.place) &&
      !isDisposable(effect.path, act.place) &&
      !isNewKey(effect) &&
      (!OTHER.test(effect.path.text) || (act.commands.length === 0 && TYPED.test(effect.path.text))),
  },
} as const satisfies Record<string, EffectLabel>;

/** Whether the user will not find a moved folder in the home or in the project. A folder such as `~/Documents` stays where it is. */
function isTakenAway(effect: PathEffect, act: CallEffects): boolean {
  const { place } = act;
  if (!isPersonal(effect.path, place)) return false;
  const isKept = (path: PathEffect["path"]) => isPersonal(path, place) || !isOutside(path, place);
  return isWholeUsersFolder(effect.path, place) || landsIn(effect, act, (path) => !isKept(path));
}

function isFolder({ isTree, path }: PathEffect): boolean {
  return isTree || isEveryName(path) || !isNamedLikeFile(path);
}

/** Whether the same command writes at such a place. */
function landsIn({ command }: PathEffect, act: CallEffects, fits: (path: PathEffect["path"]) => boolean): boolean {
  return effectsOf(command, act).some((other) => other.does === "write" && fits(other.path));
}

/** Who may use a file, and when it was changed, is not its content. */
function changesContent({ by, program }: PathEffect): boolean {
  return by !== "access" && !isProgram("sets-times", program);
}

/** One file that was downloaded; a folder of them may hold anything. */
function isOneDownload({ path }: Pick<PathEffect, "path">, { place }: Pick<CallEffects, "place">): boolean {
  return isDownloaded(path, place) && !path.isGlob && /[^/]\.\w{1,8}$/.test(path.text);
}

/** A file that is copied into a folder under its own name: what is there by that name is mostly nothing. */
function isPutInto({ path, command }: PathEffect, act: CallEffects): boolean {
  const { commands, place } = act;
  const name = nameOf(path.text);
  if (!effectsOf(command, act).some((other) => other.does === "read" && nameOf(other.path.text) === name)) return false;
  const folder = withoutLastSlash(path.text.slice(0, -name.length));
  const isFolder = ({ text }: { readonly text: string }) =>
    withoutLastSlash(text).replace(/^~/, place.home ?? "~") === folder;
  return commands[command]?.args.some(isFolder) === true;
}

/** Nothing is there, or the same line has made it. */
function isGone({ path, command }: PathEffect, { effects, place }: CallEffects): boolean {
  return (
    place.isMissing?.(path.text) === true ||
    effects.some((other) => other.does === "write" && other.command < command && other.path.text === path.text)
  );
}

/** `>> file` and `tee -a file` leave what is there. */
function isAppended({ path, command }: PathEffect, { commands }: CallEffects): boolean {
  const { redirects = [], args = [], program } = commands[command] ?? {};
  const ways = redirects.filter(({ target }) => path.text.endsWith(target.text.replace(/^~/, "")));
  if (ways.length > 0) return ways.every(({ way }) => way === "append");
  return (
    isProgram("empties-first", program?.text ?? "") && args.some(({ text }) => /^(?:-\w*a\w*|--append)$/.test(text))
  );
}

/** A program that makes keys asks before it writes over one. */
function isNewKey({ by, program }: PathEffect): boolean {
  return by === undefined && isProgram("uses-keys", program);
}

/** The record of what was typed, which no tool for files has a reason to write. */
const TYPED = /_history$|\.(?:histfile|zhistory)$/;
/** The record of what was typed, for which guards have rules of their own, and copies of a file beside it. */
const OTHER = /_history$|\.(?:histfile|zhistory|lesshst|viminfo)$|(?:\.(?:bak|old|orig|backup)|~)$/;
