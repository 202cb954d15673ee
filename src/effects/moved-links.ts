import type { SimpleCommand } from "./parse/command.ts";
import type { Effect } from "./effect.ts";
import type { MadeLink } from "./made-links.ts";
import { isAtOrUnder, nameOf, resolvedPath } from "./paths.ts";

/** Links with what they are called after a command moved or copied them, or a folder that they lie in. */
export function movedLinks(
  made: readonly MadeLink[],
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
): readonly MadeLink[] {
  const all = [...made];
  for (const [at, command] of commands.entries()) {
    const own = effects.filter((effect) => effect.command === at);
    const kind = kindOf(command, own);
    if (kind === undefined) continue;
    const from = own.flatMap((effect) => (effect.does === "read" ? [resolvedPath("", effect.path.text)] : []));
    const to = own.flatMap((effect) => (effect.does === "write" ? [effect.path.text] : []));
    for (const link of all.slice(0)) {
      if (all.length >= MOST_LINKS) return all;
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
export const MOST_LINKS = 120;
