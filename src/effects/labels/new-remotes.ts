import { type CallEffects, isPathEffect } from "../effect.ts";
import { GAP, type SimpleCommand } from "../parse/command.ts";
import { isDisposable } from "../path-class.ts";
import { resolvedPath } from "../paths.ts";
import { isProgram } from "../programs/program-name.ts";
import type { Run } from "./effect-index.ts";

/**
 * Whether a push goes to a repository that the same line makes in a temporary folder: by its path, or as the origin of a clone
 * that the line makes of it. Nobody else's commits are there.
 */
export function pushesToNew({ command: at }: Run, act: CallEffects): boolean {
  const push = act.commands[at];
  if (push === undefined || act.commands.slice(0, at + 1).some(setsRemotes)) return false;
  const [verb, remote] = operandsOf(push);
  if (verb === undefined || push.folder.includes(GAP)) return false;
  const isNamed = remote === undefined || remote === "origin";
  const target = isNamed ? originOf(push.folder, at, act) : resolvedPath(push.folder, remote);
  return target !== undefined && isMade(target, "init", at, act);
}

/** What a clone was made of in whose folder a command runs. */
function originOf(folder: string, at: number, act: CallEffects): string | undefined {
  for (const [index, command] of act.commands.slice(0, at).entries()) {
    const [verb, source] = operandsOf(command);
    if (verb !== "clone" || source === undefined || !isMade(folder, verb, at, act, index)) continue;
    return resolvedPath(command.folder, source);
  }
  return undefined;
}

/** Whether a command of git before another one makes a repository at a path, and what it writes is temporary, also through links. */
function isMade(path: string, verb: "init" | "clone", before: number, act: CallEffects, only?: number): boolean {
  return act.commands.slice(0, before).some((command, index) => {
    if ((only !== undefined && index !== only) || operandsOf(command)[0] !== verb) return false;
    const written = act.effects.flatMap((one) => (isPathEffect(one) && one.command === index ? [one.path] : []));
    return (
      written.some(({ text }) => text === path) && written.every((one) => one.isKnown && isDisposable(one, act.place))
    );
  });
}

/** The arguments of a command of git that are not options; empty if an option may change what they mean. */
function operandsOf({ program, args }: SimpleCommand): readonly string[] {
  if (!isProgram("version-control", program?.text ?? "") || args[0]?.text.startsWith("-")) return [];
  if (args.some(({ isKnown, text }) => !isKnown || (args[0]?.text !== "init" && TAKES_VALUE.test(text)))) return [];
  return args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
}

/** Options of clone and push whose value is a separate argument, or that lead elsewhere. */
const TAKES_VALUE =
  /^(?:-[bcjou]|--(?:branch|config|depth|exec|filter|jobs|origin|receive-pack|reference|repo|separate-git-dir|shallow-\w+|template|upload-pack).*)$/;

/** Settings, variables and links may lead a push elsewhere than its arguments name. */
function setsRemotes({ program, args, assignments }: SimpleCommand): boolean {
  if (Object.keys(assignments).some((name) => name.startsWith("GIT_"))) return true;
  const isOfGit = isProgram("version-control", program?.text ?? "");
  return args.some(({ text }) => /GIT_|insteadof|pushurl/i.test(text) || (isOfGit && /^(?:remote|config)$/.test(text)));
}
