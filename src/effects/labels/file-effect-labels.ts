import type { CallEffects, PathEffect } from "../effect.ts";
import { effectsOf } from "../effects-by-command.ts";
import { GAP } from "../parse/command.ts";
import {
  climbsOut,
  isDisposable,
  isEveryName,
  isNamedLikeFile,
  isOutside,
  isProtected,
  isRootOfMuch,
  isStartup,
  isSystem,
  isUsersFolder,
} from "../path-class.ts";
import { isAtOrUnder, isDevice } from "../paths.ts";
import { opensAccess, showsToOthers } from "../programs/permissions.ts";
import { isProgram } from "../programs/program-name.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import { argsOf, type EffectLabel, indexOf, plays, touchesOf } from "./effect-index.ts";

/** Labels for lost files and for changed permissions. */
export const FILE_EFFECT_LABELS = {
  "delete-tree": { means: "removes a folder with everything in it", on: "delete", holds: (effect) => effect.isTree },
  "delete-root": {
    means: "removes the root, a home, the project or a folder above it",
    on: "delete",
    holds: (effect, act) =>
      (effect.isTree || isWhole(effect) || (effect.by === "move" && !effect.path.isGlob)) &&
      isRootOfMuch(effect.path, act.place) &&
      !isPickedByGit(effect),
  },
  "delete-folder": {
    means: "removes a folder that cannot be made again, or all that is in it",
    on: "delete",
    holds: (effect, act) =>
      (isWhole(effect) || isEmptiedFirst(effect, act)) &&
      (!isDisposable(effect.path, act.place) || holdsMoved(effect, act)) &&
      !isCareful(effect) &&
      !isByOwnScript(effect, act),
  },
  "delete-protected": {
    means: "removes a part of the system, of a user's keys or of a project's history",
    on: "delete",
    holds: (effect, act) =>
      (isProtected(effect.path, act.place) ||
        (isOutside(effect.path, act.place) && isStartup(effect.path, act.place))) &&
      !isTemporary(effect, act),
  },
  "delete-key": {
    means: "removes a private key, a keystore or a certificate that may not be made again",
    on: "delete",
    holds: (effect, act) =>
      effect.by !== "move" &&
      effect.by !== "trash" &&
      KEY_STORE.test(effect.path.text) &&
      isSecretFile(effect.path.text) &&
      !isDisposable(effect.path, act.place),
  },
  "delete-outside": {
    means: "removes something outside of the project",
    on: "delete",
    holds: (effect, act) => isOutside(effect.path, act.place) && !isDisposable(effect.path, act.place),
  },
  "move-outside": {
    means: "moves something out of the project, where it is easily lost",
    on: "delete",
    holds: (effect, act) =>
      effect.by === "move" &&
      !isOutside(effect.path, act.place) &&
      effectsOf(effect.command, act).some(
        (other) =>
          other.does === "write" &&
          isOutside(other.path, act.place) &&
          !(isNamedLikeFile(effect.path) && isUsersFolder(other.path, act.place)),
      ) &&
      !isDisposable(effect.path, act.place),
  },
  "empty-file": {
    means: "destroys what a file held: overwritten, cut to nothing or moved into the void",
    on: "run",
    roles: ["delete", "overwrite"],
    holds: (effect, act) => {
      if (plays(effect, "delete") && touchesOf(effect, act, "delete").some(({ by }) => by === "move")) return true;
      if (!plays(effect, "overwrite")) return false;
      const written = touchesOf(effect, act, "write");
      const isLoss = (touch: PathEffect) => !isDisposable(touch.path, act.place) && !isNewImage(touch);
      return written.length === 0 || written.some((touch) => isLoss(touch) && !isByOwnScript(touch, act));
    },
  },
  "write-system": {
    means: "writes into a part of the system",
    on: "write",
    holds: (effect, act) =>
      (isSystem(effect.path, act.place) || (effect.isTree && effect.path.text === "/")) &&
      !isDevice(effect.path.text) &&
      !isTemporary(effect, act),
  },
  "write-startup": {
    means: "changes a file that is run at every start or login",
    on: "write",
    holds: (effect, act) => isStartup(effect.path, act.place) && !isOnlyAccess(effect),
  },
  "write-git-hook": {
    means: "changes what git runs by itself",
    on: "write",
    holds: (effect) =>
      GIT_RUNS().test(effect.path.text) && !isOnlyAccess(effect) && !isProgram("version-control", effect.program),
  },
  "write-outside": {
    means: "writes outside of the project",
    on: "write",
    holds: (effect, act) =>
      isOutside(effect.path, act.place) &&
      !isDevice(effect.path.text) &&
      (climbsOut(effect.path) || !isDisposable(effect.path, act.place)),
  },
  "open-permission": {
    means: "lets every user write, or lets a program run as its owner",
    on: "run",
    role: "permission",
    holds: (effect, act) =>
      opensAccess(effect.program, argsOf(effect, act)) ||
      (argsOf(effect, act).some(showsToOthers) &&
        touchesOf(effect, act, "write").some(({ path }) => isSecretFile(path.text))),
  },
  "permission-tree": {
    means: "changes the permissions of a whole tree outside of the project",
    on: "run",
    role: "permission",
    holds: (effect, act) =>
      touchesOf(effect, act, "write").some(
        ({ path, isTree }) =>
          isTree && (isOutside(path, act.place) || path.text.includes(".git")) && !isDisposable(path, act.place),
      ),
  },
} as const satisfies Record<string, EffectLabel>;

function isWhole({ isTree, path, by }: PathEffect): boolean {
  return (isTree && !isNamedLikeFile(path)) || (isEveryName(path) && by !== "move");
}

/** Its files one by one, and then the folder: the same as the folder at once. */
function isEmptiedFirst({ path, command }: PathEffect, act: CallEffects): boolean {
  return indexOf(act).deletions.some(
    (other) => other.command !== command && other.path.text !== path.text && isAtOrUnder(other.path.text, path.text),
  );
}

/** What was moved there before, by the same line, has not come back, and cannot be made again. */
function holdsMoved({ path, command }: PathEffect, { effects, place }: CallEffects): boolean {
  return effects.some(
    (moved) =>
      moved.does === "write" &&
      moved.command < command &&
      moved.by === "move" &&
      isAtOrUnder(moved.path.text, path.text) &&
      !effects.some(
        (back) =>
          back.does === "delete" &&
          back.command > moved.command &&
          back.command < command &&
          isAtOrUnder(back.path.text, path.text),
      ) &&
      effectsOf(moved.command, { effects }).some((from) => from.does === "delete" && !isDisposable(from.path, place)),
  );
}

/** Git removes only what it does not know, and has a label of its own for that. */
function isPickedByGit({ by, program }: PathEffect): boolean {
  return by === "pick" && isProgram("version-control", program);
}

/** What can be taken back. */
function isCareful({ by }: PathEffect): boolean {
  return by === "trash";
}

/**
 * A script of the project removes or empties what it makes the path of itself, as builds and tests do with their output. One that is
 * given a place outside of the project, or a place that is known only at run time, may remove that.
 */
export function isByOwnScript({ path, command }: PathEffect, { commands, place }: CallEffects): boolean {
  const { script, folder = "" } = commands[command] ?? {};
  if (script === undefined || !path.text.startsWith(GAP)) return false;
  const runner = commands.slice(0, command).findLast((one) => one.script === undefined);
  const given = runner === undefined ? [] : [...runner.args, ...Object.values(runner.assignments)];
  const isElsewhere = (text: string) => {
    const word = { text, isKnown: true, isGlob: false };
    const isTemporary = /^\/(?:var\/)?tmp\/./.test(text) && isDisposable(word, place);
    return text.includes(GAP) || (isOutside(word, place) && !isTemporary);
  };
  return ![script, folder, ...given.flatMap(({ text }) => [text, text.slice(text.indexOf("=") + 1)])].some(isElsewhere);
}

/** A new image of a disk is filled with zeros. */
function isNewImage({ path, program }: PathEffect): boolean {
  return isProgram("image-maker", program) && /^[^/~].*\.(?:img|qcow2|raw|bin|dat|iso|vhdx?|vdi|vmdk)$/.test(path.text);
}

/** The permissions of a file are not part of its text. */
function isOnlyAccess({ by, program }: PathEffect): boolean {
  return by === "access" || isProgram("sets-times", program);
}

function isTemporary({ path }: PathEffect, { place }: CallEffects): boolean {
  return isDisposable(path, place);
}

const KEY_STORE = /\.(?:pem|key|p12|pfx|jks|keystore|p8|ppk|kdbx|mobileprovision|age)$/i;
const GIT_RUNS = () =>
  /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config$|info\/attributes$)|(?:^|\/)\.gitconfig$|\/\.config\/git\/(?:config|attributes)$/;
