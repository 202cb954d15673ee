import { resolve } from "node:path";
import {
  type CallEffects,
  type Effect,
  effectsOf,
  GAP,
  isByOwnScript,
  isDisposable,
  isEveryName,
  isOutside,
  isPathEffect,
  isProgram,
  isStream,
  MADE_FOLDERS,
  MAY_BE_MADE,
  type PathEffect,
  type SimpleCommand,
} from "../../effects/index.ts";
import { attempt } from "../../event/attempt.ts";
import { realPath, realPathBytes } from "../../fs/resolve-path.ts";
import { archiveNames } from "../../runners/archive-names.ts";
import { type BytePath, bytePath, bytesOf, isInside, pathText } from "./byte-path.ts";
import { isAfterFetch, isOfThisLine, refuseEarlier, refuseOtherRepository } from "./earlier-git.ts";
import { placesOf, withOtherNames } from "./effect-places.ts";
import { everyRef, reachesFiles } from "./every-ref.ts";
import { headOf } from "./git-head.ts";
import { listedByGit } from "./git-listed.ts";
import { gitLoss, stashTaken } from "./git-losses.ts";
import { matchesHidden, matching, meantBy } from "./glob-matches.ts";
import type { KeptRef } from "./kept-call.ts";
import { inProject, inReach, NO_PROJECT, projectOf, wholePath } from "./lost-places.ts";
import type { ContentStore } from "./object-store.ts";
import { entryAt, isLittle, type LostPath, NotKept, Unclear } from "./snapshot.ts";
import {
  changesIndex,
  folderOfUnclear,
  givenToUnknown,
  losesByGit,
  scriptsMayDestroy,
  takesFromGit,
  writesUnnamed,
} from "./unclear-losses.ts";

/** Everything that a call destroys. */
export interface Losses {
  readonly paths: readonly LostPath[];
  readonly refs: readonly Omit<KeptRef, "heldBy">[];
  /** A script of the project, or git, destroys more in it, which is known only when it runs. */
  readonly isOpen?: boolean;
  /** The references are all that are there, and the call may leave most of them alone. */
  readonly isEvery?: boolean;
  /** Other files may change with what git fetches before. */
  readonly followsFetch?: boolean;
}

/** Where a call happens. */
export interface LossContext {
  readonly root: string;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly store: ContentStore;
}

/**
 * Exactly what a call destroys of what exists before it: throws `NotKept` if something is known only when it runs, or is in the
 * project's repository or outside of the project. Single files of the user's home are kept too.
 */
export function lossesOf(call: CallEffects, context: LossContext): Losses {
  const project = projectOf(context);
  const paths: LostPath[] = [];
  const made: LostPath[] = [];
  const refs: Losses["refs"][number][] = [];
  let isOpen = false;
  let followsFetch = false;
  let every: Losses["refs"] | undefined;
  for (const effect of call.effects.flatMap((one) => placesOf(one, call, context.cwd))) {
    if (isOfThisLine(effect, call, context.cwd)) {
      // Where a clone fails, the line stays where it was, and so does git.
      const stayed = effect.does === "run" ? asFarAsKnown(() => lossIfStayed(effect, call, context)) : undefined;
      paths.push(...(stayed?.paths ?? []));
      refs.push(...(stayed?.refs ?? []));
      continue;
    }
    if (losesByGit(effect) || changesIndex(effect)) {
      if (project === NO_PROJECT) throw new NotKept("this folder is not a project");
      refuseElsewhere(effect, call);
      const loss = exactOrAll(effect, call, context, project);
      paths.push(...(effect.does === "run" && effect.verb === "clean" ? withoutLarge(loss.paths, call) : loss.paths));
      if (loss.isEvery) every = loss.refs;
      else refs.push(...loss.refs);
      isOpen ||= loss.isOpen === true;
      followsFetch ||= isAfterFetch(effect, call);
    }
    if (!isPathEffect(effect) || effect.does === "read") continue;
    if (isStream(effect.path.text)) continue;
    if (effect.by === "access") {
      paths.push(...modesLost(effect, call, context, project));
      continue;
    }
    refuseElsewhere(effect, call);
    // What git picks by itself was asked from git.
    if (effect.by === "pick" && isProgram("version-control", effect.program)) continue;
    if (isEveryName(effect.path) && isOutside(effect.path, call.place))
      throw new NotKept("it is about everything in a folder outside of the project");
    if (isByOwnScript(effect, call)) isOpen = true;
    else if (isDisposable(effect.path, call.place)) made.push(...keptIfFew(effect, call, context, project));
    else paths.push(...lostAt(effect, call, context));
  }
  // A file that is created outside of the project destroys nothing there.
  const lost = paths.filter(({ path, loss }) => loss === "removed" || isInside(path, project) || isThere(path));
  const all = [...lost.map((one) => inReach(one, project, context)), ...made];
  const lostPaths = withOtherNames(all, project);
  if (every === undefined) return { paths: lostPaths, refs, isOpen, ...(followsFetch ? { followsFetch } : {}) };
  // To which commit one of them moves is told at the end of the call.
  const names = new Set(every.map(({ name }) => name));
  return { paths: lostPaths, refs: [...every, ...refs.filter(({ name }) => !names.has(name))], isOpen, isEvery: true };
}

/**
 * What a command of git throws away. Where that depends on the others of the line, or on names that only the run knows, it is
 * everything that they could throw away, the files of the project included.
 */
function exactOrAll(effect: Effect, call: CallEffects, context: LossContext, project: BytePath): Losses {
  try {
    return lossByGit(effect, call, context);
  } catch (error) {
    const refs = error instanceof Unclear ? everyRef(call, project, context) : undefined;
    if (refs === undefined) throw error;
    return { paths: [], refs, isOpen: reachesFiles(call), isEvery: true };
  }
}

/** What a call writes over or removes that no rule stops. */
export interface KnownLosses extends Losses {
  /** Folders in which it destroys what is known only when it runs. */
  readonly unclear: readonly LostPath[];
  /** Something is removed there, or git throws it away. */
  readonly isRemoval: boolean;
}

/**
 * What a call writes over or removes in the project, and where more of that is known only when it runs; what a tool makes again
 * is left out.
 */
export function knownLosses(call: CallEffects, context: LossContext): KnownLosses {
  const project = projectOf(context);
  const known = { paths: [] as LostPath[], refs: [] as Losses["refs"][number][] };
  const unclear = new Set<BytePath>();
  let isRemoval = false;
  const isUnclear = (folder: string | undefined, removes: boolean) => {
    if (project === NO_PROJECT) return;
    const path = folder === undefined ? project : bytePath(realPath(folder));
    if (!isInside(path, project) && !isInside(project, path)) return;
    unclear.add(isInside(path, project) ? path : project);
    isRemoval ||= removes;
  };
  for (const effect of call.effects.flatMap((one) => placesOf(one, call, context.cwd))) {
    if (takesFromGit(effect, call) && project !== NO_PROJECT) {
      const loss = asFarAsKnown(() => knownByGit(effect, call, context, project));
      known.paths.push(...(loss?.paths ?? []));
      known.refs.push(...(loss?.refs ?? headBefore(effect, call, context)));
      if (loss === undefined) isUnclear(undefined, losesByGit(effect));
    } else if (writesUnnamed(effect, call)) isUnclear(undefined, false);
    if (!isPathEffect(effect) || effect.does === "read") continue;
    if (isStream(effect.path.text) || effect.by === "pick") continue;
    if (effect.by === "access") {
      known.paths.push(...modesLost(effect, call, context, project));
      continue;
    }
    const mayBeMade = hasMadeName(effect.path.text, context.root) || isOutside(effect.path, call.place);
    if (mayBeMade && isDisposable(effect.path, call.place)) continue;
    const loss = asFarAsKnown(() => {
      // A list of files that git prints has none of its own.
      const isOwn = (path: BytePath) => effect.path.isGlob && isInside(path, `${project}/.git`);
      const lost = lostAt(effect, call, context).filter(({ path }) => isThere(path) && !isOwn(path));
      return { paths: lost.map((one) => inReach(one, project, context)), refs: [] };
    });
    known.paths.push(...(loss?.paths ?? []));
    if (loss === undefined)
      isUnclear(folderOfUnclear(effect, context.cwd), effect.does === "delete" || isEmptying(effect, call));
  }
  for (const { path: text, rewrites } of givenToUnknown(call)) {
    const path = bytePath(resolve(context.cwd, text));
    const stats = entryAt(path);
    if (stats?.isFile() && isInside(bytePath(realPath(pathText(path))), project))
      known.paths.push({ path, loss: "overwritten", isTree: false });
    else if (rewrites && stats?.isDirectory()) isUnclear(pathText(path), false);
  }
  if (scriptsMayDestroy(call, context.cwd)) isUnclear(undefined, false);
  const folders = [...unclear].filter((path) => ![...unclear].some((one) => one !== path && isInside(path, one)));
  return {
    ...known,
    paths: withOtherNames(known.paths, project),
    unclear: folders.map((path) => ({ path, loss: "overwritten", isTree: true, isUnclear: true })),
    isRemoval,
  };
}

function isEmptying({ command }: PathEffect, { effects }: CallEffects): boolean {
  return effectsOf(command, { effects }).some((one) => one.does === "run" && one.roles.includes("overwrite"));
}

/** Without what can be made again, where that is much: it holds up no call. */
function withoutLarge(paths: readonly LostPath[], call: CallEffects): readonly LostPath[] {
  const isLarge = isLargeMade(call);
  return paths.filter(({ path, isTree }) => !isTree || !isLarge(path));
}

/** Whether a folder can be made again, and holds more than little. */
export function isLargeMade({ place }: CallEffects): (path: BytePath) => boolean {
  return (path) =>
    isMadeName(path.slice(path.lastIndexOf("/") + 1)) &&
    isDisposable({ text: pathText(path), isKnown: true, isGlob: false }, place) &&
    !isLittle([{ path }]);
}

/**
 * Whether a folder in which anything may be destroyed is left out: what a tool makes again, unless people may have made it and
 * it is little.
 */
export function isLeftOut(call: CallEffects): (path: BytePath) => boolean {
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (MADE_FOLDERS.has(name)) return true;
    if (!MAY_BE_MADE.has(name)) return false;
    const isMade = isDisposable({ text: pathText(path), isKnown: true, isGlob: false }, call.place);
    return isMade && !isLittle([{ path }]);
  };
}

/** What git throws away; what may be made by a tool is left out where that is not little. */
function knownByGit(effect: Effect, call: CallEffects, context: LossContext, project: BytePath): Losses {
  const { paths, refs } = lossByGit(effect, call, context);
  const without = (isMade: (piece: string) => boolean) =>
    paths.filter(({ path }) => !path.slice(project.length).split("/").some(isMade));
  const kept = without((piece) => MADE_FOLDERS.has(piece));
  const own = isLittle(kept) ? kept : without(isMadeName);
  return { paths: own.map((one) => inProject(one, project)), refs };
}

/** What is checked out before a command of git whose doings are known only when it runs. */
function headBefore({ command: at }: Effect, call: CallEffects, { cwd, store }: LossContext): Losses["refs"] {
  const command = at === undefined ? undefined : call.commands[at];
  if (command === undefined) return [];
  const folder = resolve(cwd, command.folder.includes(GAP) ? "" : command.folder);
  const taken = asFarAsKnown(() => ({ paths: [], refs: stashTaken(command, folder) }));
  return [...(taken?.refs ?? []), ...headOf(folder, store)];
}

function lossByGit({ command: at }: Effect, call: CallEffects, { cwd, store }: LossContext): Losses {
  const command = at === undefined ? undefined : call.commands[at];
  if (at === undefined || command === undefined) throw new Unclear("what git throws away is not known");
  refuseOtherRepository(call);
  refuseEarlier(call, at);
  // After another command of git, other files may be ignored.
  const isAfter = call.effects.some((one) => losesByGit(one) && one.command !== undefined && one.command < at);
  return gitLoss(command, resolve(cwd, command.folder), store, isAfter);
}

function lossIfStayed(effect: Effect, { commands }: CallEffects, { cwd, store }: LossContext): Losses {
  const command = commands[effect.command ?? -1];
  if (command === undefined || command.folder.includes(GAP) || !losesByGit(effect)) return NO_LOSSES;
  return command.folder === "." ? NO_LOSSES : gitLoss(command, cwd, store);
}

/** What gets another mode or owner, as far as that is known. */
function modesLost(effect: PathEffect, call: CallEffects, context: LossContext, project: BytePath) {
  const known = asFarAsKnown(() => {
    const lost = lostAt(effect, call, context).filter(({ path }) => isThere(path));
    // What a symlink leads to gets the mode, and not the symlink.
    const behind = lost
      .filter(({ path }) => entryAt(path)?.isSymbolicLink())
      .map((one) => ({ ...one, path: bytePath(realPathBytes(bytesOf(one.path))), isTree: false }));
    const all = [...lost, ...behind.filter(({ path }) => isInside(path, project) && isThere(path))];
    return { paths: all.map((one) => inProject({ ...one, loss: "access" }, project)), refs: [] };
  });
  return known?.paths ?? [];
}

/** What can be made again is kept where it is little, and holds up no call where it is not. */
function keptIfFew(
  effect: PathEffect,
  call: CallEffects,
  context: LossContext,
  project: BytePath,
): readonly LostPath[] {
  const known = asFarAsKnown(() => {
    const lost = lostAt(effect, call, context).map((one) => inProject(one, project));
    return { paths: isLittle(lost) ? lost : [], refs: [] };
  });
  return known?.paths ?? [];
}

/** An empty list if it is known that nothing can be kept; undefined if it is not known what is destroyed. */
function asFarAsKnown(look: () => Losses): Losses | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    if (error instanceof NotKept) return NO_LOSSES;
    throw error;
  }
}

/** Whether a path has such a name in it, without the project's own folder, whose name tells nothing about what is in it. */
function hasMadeName(text: string, root: string): boolean {
  return (text.startsWith(`${root}/`) ? text.slice(root.length) : text).split("/").some(isMadeName);
}

function isMadeName(piece: string): boolean {
  return MADE_FOLDERS.has(piece) || MAY_BE_MADE.has(piece);
}

function isThere(path: BytePath): boolean {
  return attempt(() => entryAt(path) !== undefined) ?? true;
}

/** Files of another machine, of a container or of a disk that is not mounted here cannot be kept here. */
function refuseElsewhere(effect: Effect, { commands }: CallEffects): void {
  const around = commands[effect.command ?? -1]?.via ?? [];
  const outer = around.find((one) => ELSEWHERE.some((trait) => isProgram(trait, one.split(" ", 1)[0] ?? "")));
  if (outer !== undefined) throw new NotKept(`\`${outer}\` runs it in another place`);
  const mover = around.length > 0 && !isWholePath(effect) ? commands.find(movesElsewhere) : undefined;
  if (mover !== undefined) throw new NotKept(`\`${mover.program?.text}\` chooses by itself in which folder it runs`);
  if (isPathEffect(effect) && process.platform !== "win32" && ON_DRIVE.test(effect.path.text))
    throw new NotKept(`${effect.path.text} is on a drive of Windows`);
}

/** Whether a search runs what it is told in each folder that it finds, or code goes to a folder of its own. */
function movesElsewhere({ args, source }: SimpleCommand): boolean {
  return args.some(({ text }) => /^-(?:exec|ok)dir$/.test(text)) || MOVES.test(source);
}

function isWholePath(effect: Effect): boolean {
  return isPathEffect(effect) && (/^[/~]/.test(effect.path.text) || effect.path.isGlob);
}

function lostAt(effect: PathEffect, call: CallEffects, { cwd, home }: LossContext): readonly LostPath[] {
  const { commands } = call;
  const { text, isKnown, isGlob } = effect.path;
  if (text.includes(GAP) || (!isKnown && !isGlob)) throw new Unclear("a path is known only when the command runs");
  const whole = wholePath(text, cwd, home);
  const isDeletion = effect.does === "delete";
  const loss = isDeletion ? "removed" : "overwritten";
  // What is moved takes its whole folder along.
  const isTree = effect.isTree || effect.by === "move" || effect.by === "replace";
  // Git makes a clone or a work tree only where nothing exists.
  if (effect.by === "unpack" && isProgram("version-control", effect.program) && !isThere(bytePath(whole))) return [];
  if (effect.by === "unpack") return unpackedOver(effect, commands[effect.command], whole, cwd);
  const listed = isGlob ? listedByGit(effect, commands, cwd) : undefined;
  if (listed !== undefined) return listed.map((one) => ({ path: one.replace(/\/$/, ""), loss, isTree }));
  const isMeant = meantBy(effect, call, (name) => wholePath(name, cwd, home));
  if (isGlob || isBelowGlob(effect, commands))
    return matching(whole, commands.some(matchesHidden), isMeant).map((path) => ({ path, loss, isTree }));
  const path = bytePath(whole);
  const copied = effect.source?.text.split("/").pop();
  const inFolder = effect.landsIn && copied ? [{ path: `${path}/${bytePath(copied)}`, loss, isTree } as const] : [];
  return [{ path, loss, isTree: isTree && !(effect.landsIn && !isDeletion && effect.by === "copy") }, ...inFolder];
}

/** `for d in *; do (cd "$d" && > a); done`: the folder of the command is any that fits. */
function isBelowGlob({ path: { text }, command }: PathEffect, commands: CallEffects["commands"]): boolean {
  const { folder = "" } = commands[command] ?? {};
  return /[*?[]/.test(folder) && text.startsWith(folder);
}

/** The files that an archive has other content for; folders as well where they are removed first. */
function unpackedOver(
  { source, stripped = 0 }: PathEffect,
  command: SimpleCommand | undefined,
  folder: string,
  cwd: string,
): readonly LostPath[] {
  const names = source?.isKnown ? archiveNames(resolve(cwd, source.text), "latin1") : undefined;
  if (names === undefined || names.length === 0)
    throw new Unclear("what an archive holds is known only when it is unpacked");
  const isTree = command?.args.some(({ text }) => REMOVES_FIRST.test(text)) === true;
  return names.flatMap((name): LostPath[] => {
    const path: BytePath = resolve(bytePath(folder), name.split(/\/+/).slice(stripped).join("/"));
    if (!isThere(path)) return [];
    // A folder that is there gets the mode and the time that the archive has for it.
    if (name.endsWith("/") && !isTree)
      return isInside(path, bytePath(cwd)) ? [{ path, loss: "access", isTree: false }] : [];
    return [{ path, loss: "overwritten", isTree }];
  });
}

/** Programs that run others on another machine, or in a container. */
const ELSEWHERE = ["remote-shell", "holds-services"] as const;
const MOVES = /\bcwd\s*[:=]|\bchdir\b|\bcurrent_dir\b/;
const ON_DRIVE = /^["']?[A-Za-z]:/;
/** Options by which an archive takes the place of whole folders. */
const REMOVES_FIRST = /^--recursive-u|^--unlink|^-[a-zA-Z]*U/;
const NO_LOSSES: Losses = { paths: [], refs: [] };
