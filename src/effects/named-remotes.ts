import type { Effect, NamedRemote } from "./effect.ts";
import { hostOf } from "./hosts.ts";
import { GAP, type Lookups, type SimpleCommand } from "./parse/command.ts";

/**
 * Repositories that git knows by a name, as the hosts that git would talk to. A line that may change what the name means
 * leaves it unknown.
 */
export function withNamedRemotes(
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
  return (!isKnown && text.includes(GAP)) || CONFIGURATION.test(text);
}

const CONFIGURATION =
  /(?:^|\/)(?:\.gitconfig|\.git|\.git\/(?:config(?:\.worktree)?|HEAD|worktrees\b.*)|git\/config|gitconfig)$/;

/** Whether a variable is set, for one command or for all, that leads git to another configuration. */
function setsGit({ assignments, args }: SimpleCommand): boolean {
  return (
    Object.keys(assignments).some((name) => VARIABLE.test(name)) ||
    args.some(({ text }) => VARIABLE.test(text.split("=", 1)[0] ?? "") && text.includes("="))
  );
}

const VARIABLE = /^(?:GIT_(?!AUTHOR_|COMMITTER_|EDITOR$|PAGER$|TERMINAL_PROMPT$|TRACE)\w+|HOME|XDG_CONFIG_HOME)$/;
