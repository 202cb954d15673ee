import { GAP, type SimpleCommand, type Surroundings } from "../shell/command.ts";
import type { Effect } from "../shell/effect.ts";
import { resolvedPath } from "../shell/paths.ts";

/**
 * Effects as the disk would have them: a path that leads elsewhere through a link is told at both places, and a file
 * that is not there yet loses nothing when it is emptied.
 */
export function asOnDisk(
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
  { real, isMissing }: Surroundings,
): readonly Effect[] {
  const told = isMissing === undefined ? effects : effects.map((effect) => withoutLoss(effect, effects, isMissing));
  if (real === undefined) return told;
  const written = climbingWords(commands);
  const more: Effect[] = [];
  const seen = new Map<string, string | undefined>();
  for (const effect of told) {
    if (!isTouch(effect) || seen.size >= MOST || !isPlain(effect.path.text)) continue;
    const { text } = effect.path;
    const key = `${effect.does === "delete"} ${text}`;
    if (!seen.has(key)) seen.set(key, real(written.get(text) ?? text, effect.does !== "delete"));
    const place = seen.get(key);
    if (place !== undefined && place !== text) more.push({ ...effect, path: { ...effect.path, text: place } });
  }
  return more.length === 0 ? told : [...told, ...more];
}

type Touch = Extract<Effect, { isTree: boolean }>;

function isTouch(effect: Effect): effect is Touch {
  return effect.does === "read" || effect.does === "write" || effect.does === "delete";
}

/** A name that the disk can be asked about. */
function isPlain(text: string): boolean {
  return text !== "" && !/[*?[\]\0]/.test(text) && !text.includes(GAP) && !/^\/(?:dev|proc)\//.test(text);
}

/** `..` behind a link leads from where the link leads; the letters of a path do not tell. */
function climbingWords(commands: readonly SimpleCommand[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (text: string, folder: string) => {
    if (text.includes("/..") && /[^./]\/\.\.(?:\/|$)/.test(text))
      found.set(resolvedPath(folder, text), /^[/~]/.test(text) || folder === "" ? text : `${folder}/${text}`);
  };
  for (const { args, redirects, folder } of commands) {
    for (const { text } of args) add(text, folder);
    for (const { target } of redirects) add(target.text, folder);
  }
  return found;
}

function withoutLoss(effect: Effect, effects: readonly Effect[], isMissing: (path: string) => boolean): Effect {
  if (effect.does !== "run" || !effect.roles.includes("overwrite") || effect.roles.includes("disk")) return effect;
  const written = effects.filter((other): other is Touch => other.does === "write" && other.command === effect.command);
  // Elsewhere, what is emptied was there for somebody else.
  const isNew = ({ path, command }: Touch) =>
    isPlain(path.text) &&
    !/^[/~]|^\.\.(?:\/|$)/.test(path.text) &&
    isMissing(path.text) &&
    !effects.some((other) => other.does === "write" && other.command < command && other.path.text === path.text);
  if (written.length === 0 || !written.every(isNew)) return effect;
  return { ...effect, roles: effect.roles.filter((role) => role !== "overwrite") };
}

const MOST = 64;
