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
    const kind = kindOf(command);
    if (kind === undefined) continue;
    const own = effects.filter((effect) => effect.command === at);
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

function kindOf({ program, args }: SimpleCommand): "moves" | "copies" | undefined {
  const name = nameOf(program?.text ?? "");
  if (/^g?mv$/.test(name) || (name === "git" && args.some(({ text }) => text === "mv"))) return "moves";
  const keepsLinks = /^(?:g?cp|rsync)$/.test(name) && args.some(({ text }) => KEEPS_LINKS.test(text));
  return keepsLinks || name === "ditto" ? "copies" : undefined;
}

const KEEPS_LINKS = /^-[a-zA-Z]*[adlPRr]|^--(?:archive|recursive|links|no-dereference|preserve)/;
/** So many links are followed, and no more. */
export const MOST_LINKS = 120;
