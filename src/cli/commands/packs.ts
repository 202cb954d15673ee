import type { Configuration } from "../../decide/project.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, paintFor, visible } from "../show/terminal-text.ts";

/** Lists the packages that files of hooks extend, and what each brings. */
export function run(input: CommandInput): Exit {
  const { io } = input;
  const packs = packsIn(configurationOf(input));
  if (input.has("json")) {
    io.out(JSON.stringify(packs, null, 2));
    return "done";
  }
  const paint = paintFor(io);
  const rows = packs.map(({ name, version, layer, file, hooks }) => [
    paint.name(visible(name)),
    visible(version),
    layer,
    visible(hooks.join(", ")) || paint.dim("no hooks"),
    paint.dim(shortPath(file, io)),
  ]);
  for (const line of columns(rows, io.width)) io.out(line);
  if (packs.length === 0) io.out("No packs here. `extends: [some-pack]` in a file of hooks uses an installed package.");
  return "done";
}

function packsIn({ files, written }: Configuration) {
  return files.flatMap(({ layer, path, pack }) => {
    if (pack === undefined) return [];
    const hooks = written.filter(({ origin }) => origin?.place.file === path && origin.layer === layer);
    return [{ ...pack, layer, file: path, hooks: hooks.map(({ name }) => name) }];
  });
}
