import type { CallPlace, Effect, PathChange } from "./effect.ts";
import { effectsOf } from "./effects-by-command.ts";
import { type Going, LinkMap, type Way } from "./link-map.ts";
import { linksMade, type MadeLink } from "./made-links.ts";
import { GAP, type Lookups, type SimpleCommand } from "./parse/command.ts";
import { climbsBehindName, isAtOrUnder, nameOf, pathsInWord, resolvedPath } from "./paths.ts";

/**
 * What the effects of a line come to through links that the line makes itself: the same effects at the places where the
 * links lead, and a doubt where something is changed through a link whose target is not known. Commands may
 * run again in loops and functions, so it does not matter which came first.
 */
export function symlinkEffects(
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
  place: CallPlace,
  around: Lookups,
): readonly Effect[] {
  const made = linksMade(commands);
  if (made.length === 0) return [];
  // So many links in one line are made to hide one of them.
  if (made.length > MAX_LINKS) return [tooMany(made.length)];
  const links = movedLinks(made, effects, commands);
  const map = new LinkMap(links.slice(0, MAX_LINKS), effects, place, around);
  const winding = windingWords(commands);
  const more = new Map<string, Effect>();
  for (const effect of effects) {
    if (!isTouch(effect)) continue;
    if (map.isSpent || more.size >= MAX_EFFECTS) break;
    for (const way of waysOf(effect, map, winding, () => sourcesOf(effect.command, effects, made))) {
      if (!isSameUnknown(way.link, effect, commands)) continue;
      const [key, told] = toldThrough(effect, way);
      if (told !== undefined) more.set(key, told);
    }
  }
  if (links.length >= MAX_LINKS || more.size >= MAX_EFFECTS || map.isSpent) more.set("", tooMany(links.length));
  return [...more.values()];
}

function tooMany(count: number): Effect {
  const what = `where ${count} links lead`;
  return { does: "unknown", doubt: { why: "too many commands", what }, command: undefined };
}

type Touch = Extract<Effect, { isTree: boolean } | { does: "flow" }>;

function isTouch(effect: Effect): effect is Touch {
  return effect.does === "read" || effect.does === "write" || effect.does === "delete" || effect.does === "flow";
}

function waysOf(
  effect: Touch,
  map: LinkMap,
  winding: ReadonlyMap<string, readonly string[]>,
  sources: () => readonly string[],
): readonly Way[] {
  const { does, command, path } = effect;
  if (path === undefined) return [];
  const by = does === "flow" ? undefined : effect.by;
  const isPut = does === "write" && by !== undefined && PUTS.has(by);
  const isFollowed = does !== "delete" && by !== "move" && !(isPut && by !== "copy");
  const going: Going = { command, isFollowed, isDelete: does === "delete", isGlob: path.isGlob };
  const ways = [...map.ways(path.text, going)];
  for (const written of winding.get(path.text) ?? [])
    ways.push(...map.ways(written, { ...going, isFollowed: isFollowed || written.endsWith("/") }));
  if (!isPut) return ways;
  // A folder that only the line makes may be there by then.
  for (const source of sources()) ways.push(...map.ways(`${path.text}/${nameOf(source)}`, { ...going, isGlob: true }));
  if (by === "copy" && does === "write" && effect.isTree) ways.push(...map.waysBelow(path.text, command));
  return ways;
}

function toldThrough(effect: Touch, { link, place }: Way): readonly [key: string, told: Effect | undefined] {
  const { does, command, path } = effect;
  if (place !== undefined && path !== undefined) {
    const isGlob = path.isGlob || link.isGlob;
    return [`${does} ${command} ${place}`, { ...effect, path: { text: place, isKnown: path.isKnown, isGlob } }];
  }
  const what = `where ${link.name.replaceAll(GAP, "…")} leads`;
  const isChange = does === "write" || does === "delete";
  return [what, isChange ? unknownLink(what, command) : undefined];
}

function unknownLink(what: string, command: number): Effect {
  return { does: "unknown", doubt: { why: "unknown link", what }, command };
}

/** What a command puts somewhere: files that it reads, or what its links lead to. */
function sourcesOf(command: number, effects: readonly Effect[], made: readonly MadeLink[]): readonly string[] {
  const read = effectsOf(command, { effects }).flatMap((one) => (one.does === "read" ? [one.path.text] : []));
  return [...read, ...made.flatMap((link) => (link.command === command ? [link.to] : []))];
}

/** Two names that are known only at run time are treated as one if the same variable is part of both. */
function isSameUnknown({ name, command: made }: MadeLink, effect: Touch, commands: readonly SimpleCommand[]): boolean {
  if (!name.includes(GAP) || effect.path?.text.includes(GAP) === false) return true;
  const variables: readonly string[] = commands[effect.command]?.source.match(VARIABLES) ?? [];
  return commands[made]?.source.match(VARIABLES)?.some((variable) => variables.includes(variable)) ?? false;
}

/** Paths as they are written: `..` is taken from where a link leads, and a slash at the end goes through it. */
function windingWords(commands: readonly SimpleCommand[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { args, redirects, folder } of commands)
    for (const { text } of [...args, ...redirects.map(({ target }) => target)])
      for (const word of pathsInWord(text)) {
        const whole = /^[/~]/.test(word) ? word : `${folder}/${word}`;
        if (!climbsBehindName(whole) && !/.\/$/.test(whole)) continue;
        const path = resolvedPath(folder, word);
        found.set(path, [...(found.get(path) ?? []), whole]);
      }
  return found;
}

/** Links with what they are called after a command moved or copied them, or a folder that they lie in. */
function movedLinks(
  made: readonly MadeLink[],
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
): readonly MadeLink[] {
  const all = [...made];
  for (const [at, command] of commands.entries()) {
    const own = effectsOf(at, { effects });
    const kind = kindOf(command, own);
    if (kind === undefined) continue;
    const from = own.flatMap((effect) => (effect.does === "read" ? [resolvedPath("", effect.path.text)] : []));
    const to = own.flatMap((effect) => (effect.does === "write" ? [effect.path.text] : []));
    for (const link of all.slice(0)) {
      if (all.length >= MAX_LINKS) return all;
      if (link.command === at || (kind === "copies" && link.isHard)) continue;
      for (const name of [link.name, link.inside])
        for (const [index, source] of from.entries())
          if (name !== undefined && isAtOrUnder(resolvedPath("", name), source))
            for (const target of from.length === to.length ? to.slice(index, index + 1) : to) {
              const rest = resolvedPath("", name).slice(source.length);
              const inside = `${target}/${nameOf(source)}${rest}`;
              all.push({ ...link, name: target + rest, inside, command: at });
            }
    }
  }
  return all;
}

/** What the command does with links that lie in what it puts elsewhere. */
function kindOf({ args }: SimpleCommand, own: readonly Effect[]): "moves" | "copies" | undefined {
  const put = own.find((effect) => effect.does === "write" && effect.source !== undefined);
  if (put?.does !== "write") return undefined;
  if (put.by === "move") return "moves";
  if (put.by !== "copy" && put.by !== "replace") return undefined;
  return put.isTree || args.some(({ text }) => KEEPS_LINKS.test(text)) ? "copies" : undefined;
}

const KEEPS_LINKS = /^-[a-zA-Z]*[adlPRr]|^--(?:archive|recursive|links|no-dereference|preserve)/;
/** So many links are followed, and no more. */
const MAX_LINKS = 120;

const VARIABLES = /\$\{?\w+|\$\(|`/g;
/** What is put somewhere takes the place of a link, unless it is a copy, which is written through it. */
const PUTS: ReadonlySet<PathChange> = new Set(["copy", "replace", "move", "link"]);
const MAX_EFFECTS = 200;
