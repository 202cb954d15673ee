import { type Effect, isPathEffect, type NamedRemote, type PathEffect } from "./effect.ts";
import { GAP, type Lookups, type SimpleCommand } from "./parse/command.ts";
import {
  climbsBehindName,
  hostOf,
  isAtOrUnder,
  isDevice,
  nameOf,
  pathsInWord,
  resolvedPath,
  withoutLastSlash,
} from "./paths.ts";

/**
 * Effects as they are on the disk: a path that leads elsewhere through a link is reported at both places, a file that does
 * not exist yet loses nothing when it is emptied, and a named remote of git becomes its host.
 */
export function asOnDisk(
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
  { real, inProject, isMissing, isFolder, remoteUrls }: Lookups,
): readonly Effect[] {
  const here = inProject === undefined ? effects : withProjectNames(effects, inProject);
  const named = remoteUrls === undefined ? here : withNamedRemotes(here, commands, remoteUrls);
  const landed = isFolder === undefined ? named : landedIn(named, isFolder);
  const checked = isMissing === undefined || !landed.some(empties) ? landed : withoutLosses(landed, isMissing);
  if (real === undefined || !checked.some(isPathEffect)) return checked;
  const isUnmade = beginsUnmade(isMissing);
  const written = climbingWords(commands, isUnmade);
  const more: Effect[] = [];
  const seen = new Map<string, ReadonlySet<string | undefined>>();
  for (const effect of checked) {
    if (!isPathEffect(effect) || !isPlain(effect.path.text)) continue;
    const { text } = effect.path;
    const climbing = written.get(text);
    if (climbing === undefined && (seen.size >= MAX_LOOKUPS || isUnmade(text))) continue;
    const key = `${effect.does === "delete"} ${text}`;
    const places =
      seen.get(key) ?? new Set([...(climbing ?? [text])].map((one) => real(one, effect.does !== "delete")));
    seen.set(key, places);
    for (const place of places)
      if (place !== undefined && place !== text) more.push({ ...effect, path: { ...effect.path, text: place } });
  }
  return more.length === 0 ? checked : [...checked, ...more];
}

/** The folder of a project may have several names, such as `/tmp/p` and `/private/tmp/p`: its files have one. */
function withProjectNames(
  effects: readonly Effect[],
  inProject: (path: string) => string | undefined,
): readonly Effect[] {
  const seen = new Map<string, string | undefined>();
  return effects.map((effect) => {
    if (!isPathEffect(effect) || !effect.path.text.startsWith("/") || !isPlain(effect.path.text)) return effect;
    const { text } = effect.path;
    if (!seen.has(text) && seen.size < MAX_LOOKUPS) seen.set(text, inProject(text));
    const known = seen.get(text);
    return known === undefined ? effect : { ...effect, path: { ...effect.path, text: known } };
  });
}

/**
 * What is copied, moved or linked to a folder that is there is put into it, under its own name. A folder that the line
 * takes away may not be one by then, and a name may be known only at run time: both paths are reported then.
 */
function landedIn(effects: readonly Effect[], isFolder: (path: string) => boolean): readonly Effect[] {
  if (!effects.some(mayLand)) return effects;
  const gone = effects.flatMap((effect) => (effect.does === "delete" ? [effect.path.text] : []));
  return effects.flatMap((effect): readonly Effect[] => {
    if (!mayLand(effect) || effect.source === undefined || !isPlain(effect.path.text)) return [effect];
    const { path, source } = effect;
    const name = nameOf(source.text);
    if (name === "" || name === "." || name === ".." || !isFolder(path.text)) return [effect];
    const text = `${withoutLastSlash(path.text)}/${name}`;
    const isKnown = path.isKnown && source.isKnown;
    const landed: Effect = { ...effect, path: { text, isKnown, isGlob: source.isGlob }, landsIn: false };
    const isOpen = name.includes(GAP) || gone.some((one) => one.includes(GAP) || isAtOrUnder(path.text, one));
    return isOpen ? [effect, landed] : [landed];
  });
}

function mayLand(effect: Effect): effect is PathEffect {
  return effect.does === "write" && effect.landsIn === true;
}

/** A name that the disk can be asked about. */
function isPlain(text: string): boolean {
  return text !== "" && !/[*?[\]\0]/.test(text) && !text.includes(GAP) && !isDevice(text) && !text.startsWith("/proc/");
}

/** Whether a path begins with a folder that is not there, below which the disk has no link; each name is asked for once. */
function beginsUnmade(isMissing: Lookups["isMissing"]): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const end = path.indexOf("/");
    if (isMissing === undefined || end <= 0 || path.startsWith("..") || path.startsWith("~")) return false;
    const name = path.slice(0, end);
    const isUnmade = known.get(name) ?? (isPlain(name) && name !== "." && isMissing(name));
    known.set(name, isUnmade);
    return isUnmade;
  };
}

/** Words with `..` after what may be a link, by the paths that their text resolves to, which may not be where they lead. */
function climbingWords(
  commands: readonly SimpleCommand[],
  isUnmade: (path: string) => boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { args, redirects, folder } of commands)
    for (const word of [...args, ...redirects.map(({ target }) => target)]) {
      if (!word.text.includes("..") && !folder.includes("..")) continue;
      for (const text of pathsInWord(word.text)) {
        const whole = /^[/~]/.test(text) || folder === "" ? text : `${folder}/${text}`;
        if ((isUnmade(whole) && staysBelow(folder, text)) || !climbsBehindName(whole)) continue;
        const path = resolvedPath(folder, text);
        found.set(path, (found.get(path) ?? new Set<string>()).add(whole));
      }
    }
  return found;
}

/** Whether no `..` of a path leads out of the first name of its folder. */
function staysBelow(folder: string, path: string): boolean {
  if (folder.includes("..")) return false;
  let at = -1;
  for (let climbs = path.split("..").length - 1; climbs > 0; climbs--) {
    at = folder.indexOf("/", at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Whether something is emptied that the disk knows more about. */
function empties(effect: Effect): effect is Extract<Effect, { does: "run" }> {
  return effect.does === "run" && effect.roles.includes("overwrite") && !effect.roles.includes("disk");
}

function withoutLosses(effects: readonly Effect[], isMissing: (path: string) => boolean): Effect[] {
  const writes = new Map<number, PathEffect[]>();
  const firstWriter = new Map<string, number>();
  for (const effect of effects) {
    if (effect.does !== "write") continue;
    const { text } = effect.path;
    const own = writes.get(effect.command);
    if (own === undefined) writes.set(effect.command, [effect]);
    else own.push(effect);
    firstWriter.set(text, Math.min(firstWriter.get(text) ?? effect.command, effect.command));
  }
  const missing = new Map<string, boolean>();
  const isNew = ({ path: { text }, command }: PathEffect) => {
    if (!isPlain(text) || OF_OTHERS.test(text) || (firstWriter.get(text) ?? command) < command) return false;
    const known = missing.get(text) ?? isMissing(text);
    missing.set(text, known);
    return known;
  };
  return effects.map((effect) => {
    const written = empties(effect) ? writes.get(effect.command) : undefined;
    if (written === undefined || !empties(effect) || !written.every(isNew)) return effect;
    return { ...effect, roles: effect.roles.filter((role) => role !== "overwrite") };
  });
}

/**
 * Repositories that git knows by a name, as the hosts that git would talk to. A line that may change what the name means
 * leaves it unknown.
 */
function withNamedRemotes(
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
  remoteUrls: NonNullable<Lookups["remoteUrls"]>,
): readonly Effect[] {
  if (!effects.some(isNamed) || effects.some(changesRemotes) || commands.some(setsGit)) return effects;
  return effects.flatMap((effect): readonly Effect[] => {
    if (!isNamed(effect)) return [effect];
    const { folder, name } = effect.remote;
    const urls = folder.includes(GAP) ? undefined : remoteUrls(folder, name, effect.way === "out" ? "out" : "in");
    const hosts = urls?.map((text) => hostOf({ text, isKnown: true, isGlob: false }));
    return hosts === undefined || hosts.includes(undefined) ? [effect] : hosts.map((host) => ({ ...effect, host }));
  });
}

type NetworkEffect = Extract<Effect, { does: "network" }>;

function isNamed(effect: Effect): effect is NetworkEffect & { readonly remote: NamedRemote } {
  return effect.does === "network" && effect.host === undefined && effect.remote !== undefined;
}

/** Whether something is written that may be a configuration of git. */
function changesRemotes(effect: Effect): boolean {
  if (effect.does !== "write" && effect.does !== "delete") return false;
  const { text, isKnown } = effect.path;
  return (!isKnown && text.includes(GAP)) || CONFIGURATION().test(text);
}

const CONFIGURATION = () =>
  /(?:^|\/)(?:\.gitconfig|\.git|\.git\/(?:config(?:\.worktree)?|HEAD|worktrees\b.*)|git\/config|gitconfig)$/;

/** Whether a variable is set, for one command or for all, that leads git to another configuration. */
function setsGit({ assignments, args }: SimpleCommand): boolean {
  return (
    Object.keys(assignments).some((name) => VARIABLE.test(name)) ||
    args.some(({ text }) => VARIABLE.test(text.split("=", 1)[0] ?? "") && text.includes("="))
  );
}

const VARIABLE = /^(?:GIT_(?!AUTHOR_|COMMITTER_|EDITOR$|PAGER$|TERMINAL_PROMPT$|TRACE)\w+|HOME|XDG_CONFIG_HOME)$/;

/** Outside of the project, hidden files and files of the system belong to another program, which makes them again. */
const OF_OTHERS = /^\/(?:var|etc|run|proc|sys|usr)\/|^(?:\/|~|\.\.\/).*\/\.[^./]/;
const MAX_LOOKUPS = 64;
