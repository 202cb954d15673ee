import { GAP, type GlobOptions, type SimpleCommand } from "../parse/command.ts";

/** How the shell expands globs when a command of a line runs; undefined if that is not known. */
export function shellOptionsAt(
  at: number,
  commands: readonly SimpleCommand[],
): Pick<GlobOptions, "hasDots" | "isDeep"> | undefined {
  let [hasDots, isDeep] = [false, undefined as boolean | undefined];
  for (const { program, args, assignments } of commands.slice(0, at + 1)) {
    if ("GLOBIGNORE" in assignments) return undefined;
    const words = args.map(({ text }) => text);
    if (program?.text === "set" && words.some((word) => /^[-+](?:\w*f\w*|o)$/.test(word))) return undefined;
    if (program !== undefined && OF_OTHER_SHELLS.has(program.text)) return undefined;
    if (program?.text !== "shopt") continue;
    const isSet = words.some((word) => /^-\w*s/.test(word));
    for (const word of words) {
      if (word === "dotglob") hasDots ||= isSet;
      else if (word === "globstar") isDeep = isSet || undefined;
      else if (word === "nocaseglob" || word === "extglob" || word.includes(GAP)) return undefined;
    }
  }
  return { hasDots, isDeep };
}

const OF_OTHER_SHELLS: ReadonlySet<string> = new Set(["setopt", "unsetopt", "emulate"]);
