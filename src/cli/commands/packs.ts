import { dirname } from "node:path";
import { type LockedPack, lockFile, readPackLock } from "../../config/pack-lock.ts";
import type { Configuration } from "../../decide/project.ts";
import { shippedPacks } from "../../packs/find-candidate.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { originText } from "../show/pack-text.ts";
import { columns, paintFor, visible } from "../show/terminal-text.ts";
import { homeOf, shippedIn } from "./pack-home.ts";

/** Lists the packs that files of hooks extend, what each brings, and those that cannot be used. */
export function run(input: CommandInput): Exit {
  const { io } = input;
  const configuration = configurationOf(input);
  const packs = packsIn(configuration);
  const locks = new Set([...packs.map(({ folder }) => folder), homeOf(input).folder].map(lockFile));
  const broken = configuration.errors.filter(
    ({ code, place }) => code.startsWith("pack/") || locks.has(place?.file ?? ""),
  );
  if (input.has("json")) {
    const listed = packs.map(({ folder: _, ...pack }) => pack);
    io.out(
      JSON.stringify(broken.length === 0 ? listed : [...listed, ...broken.map((problem) => ({ problem }))], null, 2),
    );
    return broken.length === 0 ? "done" : "problem";
  }
  const paint = paintFor(io);
  const rows = packs.map(({ name, version, layer, file, hooks, ...pack }) => [
    paint.name(visible(name)),
    visible(version),
    layer,
    visible(hooks.join(", ")) || paint.dim("no hooks"),
    paint.dim(pack.resolved === undefined ? shortPath(file, io) : originText(pack)),
  ]);
  for (const line of columns(rows, io.width)) io.out(line);
  for (const problem of broken) io.out(`${paint.bad("✗")} ${visible(problem.format())}`);
  if (packs.length === 0 && broken.length === 0) {
    const shipped = shippedPacks({ shipped: shippedIn(io) });
    const known = shipped.length === 0 ? "" : ` These come with Sluice: ${shipped.join(", ")}.`;
    io.out(`No packs here. \`sluice add <name>\` or \`sluice add ./folder\` adds one.${known}`);
  }
  return broken.length === 0 ? "done" : "problem";
}

function packsIn({ files, written }: Configuration) {
  return files.flatMap(({ layer, path, pack }) => {
    if (pack === undefined) return [];
    const { name, version } = pack;
    const hooks = written.filter(({ origin }) => origin?.place.file === path && origin.layer === layer);
    const folder = dirname(dirname(dirname(path)));
    const { integrity, resolved, published, provenance }: Partial<LockedPack> =
      (pack.isInstalled && readPackLock(folder).packs[name]) || {};
    const locked = { integrity, resolved, published, provenance };
    return [{ name, version, layer, file: path, hooks: hooks.map((hook) => hook.name), ...locked, folder }];
  });
}
