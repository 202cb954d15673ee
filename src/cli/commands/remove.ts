import { readPackLock } from "../../config/pack-lock.ts";
import { packsExtendedIn, removePack } from "../../packs/installation.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { visible } from "../show/terminal-text.ts";
import { homeOf } from "./pack-home.ts";

/** Takes packs out again: from `extends`, from the lock, from the disk. */
export function run(input: CommandInput): Exit {
  const { io, words } = input;
  if (words.length === 0) throw USAGE_PROBLEMS.noPackGiven(undefined);
  const home = homeOf(input);
  const known = [...Object.keys(readPackLock(home.folder).packs), ...packsExtendedIn(home).map(({ name }) => name)];
  const unknown = words.find((name) => !known.includes(name));
  if (unknown !== undefined) throw PROBLEMS.notThere({ name: unknown, known: [...new Set(known)] });
  for (const name of words) {
    if (!input.has("dry-run")) removePack(home, name);
    if (!input.has("json"))
      io.out(
        `${visible(name)} ${input.has("dry-run") ? "would be" : "is"} removed from ${shortPath(home.hooksFile, io)}; its rules count no more.`,
      );
  }
  if (input.has("json")) io.out(JSON.stringify({ removed: words }, null, 2));
  return "done";
}

const USAGE_PROBLEMS = problems("usage", {
  noPackGiven: () => ({
    what: "`sluice remove` needs the name of a pack.",
    fix: "`sluice packs` lists them.",
  }),
});
const PROBLEMS = problems("pack", {
  notThere: ({ name, known }: { name: string; known: readonly string[] }) => ({
    what: `No pack "${name}" is used here.`,
    fix: `${didYouMean(name, known)} ${known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`}`.trim(),
  }),
});
