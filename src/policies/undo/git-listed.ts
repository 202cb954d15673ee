import { resolve } from "node:path";
import {
  GAP,
  giversOf,
  isProgram,
  type PathEffect,
  type SimpleCommand,
  takesWordsFromInput,
} from "../../effects/index.ts";
import { changedFiles } from "../../fs/work-tree.ts";
import { type BytePath, bytePath } from "./byte-path.ts";
import { gitPaths } from "./git.ts";
import { isGit } from "./git-losses.ts";

/**
 * The files that `git ls-files` prints for a command that takes its words from a pipe: `git ls-files -o | xargs rm`. A search in
 * between lets some of them through. Undefined where the words come from elsewhere too, or a name may be taken for several.
 */
export function listedByGit(
  effect: PathEffect,
  commands: readonly SimpleCommand[],
  cwd: string,
): BytePath[] | undefined {
  const by = commands[effect.command];
  if (
    by === undefined ||
    by.via.length === 0 ||
    effect.path.isKnown ||
    /[*?[{$`]/.test(by.source.replace(/^.*\|/s, ""))
  )
    return undefined;
  const chains = giversOf(effect.command, commands);
  const [chain = []] = chains;
  const lister = chain.at(-1);
  if (chains.length !== 1 || lister === undefined || !chain.slice(0, -1).every(isSearch)) return undefined;
  const taker = commands.slice(0, effect.command).findLast(({ program }) => takesWordsFromInput(program?.text));
  if (taker === undefined || !isPlainTaker(taker, by)) return undefined;
  const [verb, ...words] = lister.args;
  if (!isGit(lister) || verb?.text !== "ls-files" || lister.folder.includes(GAP)) return undefined;
  if (words.some(({ text, isKnown }) => !isKnown || (text.startsWith("-") && !LISTS.test(text)))) return undefined;
  const folder = resolve(cwd, lister.folder);
  if (resolve(cwd, by.folder) !== folder) return undefined;
  const found = pathsListed(
    folder,
    words.map(({ text }) => text),
  );
  const isWhole = words.some(({ text }) => /^-[a-z]*z/.test(text));
  return isWhole || found?.every((path) => !SPLITS.test(path)) ? found : undefined;
}

/** What `git ls-files` prints. Which files are modified is compared without git, which would run filters for that. */
function pathsListed(folder: string, args: readonly string[]): BytePath[] | undefined {
  const isModified = args.some((one) => MODIFIED.test(one));
  const others = args.map((one) => (/^-[a-z]+$/.test(one) ? one.replaceAll("m", "") : one));
  const kept = others.filter((one) => one !== "-" && one !== "--modified");
  const chooses = kept.some((one) => /^-[a-z]*[cdo]|^--(?:cached|deleted|others)$/.test(one));
  const found = isModified && !chooses ? [] : gitPaths(folder, ["ls-files", "-z", ...kept]);
  if (!isModified) return found;
  const where = args.filter((one) => !one.startsWith("-"));
  const modified = changedFiles(folder, { where })?.map((path) => `${bytePath(folder)}/${path}`);
  return found === undefined || modified === undefined ? undefined : [...new Set([...found, ...modified])];
}

/** A search for one pattern that prints whole lines of its input. */
function isSearch({ program, args }: SimpleCommand): boolean {
  const operands = args.filter(({ text }) => !/^-[viEFPwx]+$/.test(text));
  return isProgram("text-search", program?.text ?? "") && operands.length === 1 && !operands[0]?.text.startsWith("-");
}

/** Whether the words follow those of the command, unchanged. */
function isPlainTaker({ args }: SimpleCommand, { program }: SimpleCommand): boolean {
  const own = args.slice(
    0,
    args.findIndex(({ text }) => text === program?.text),
  );
  return own.every(({ text }) => /^(?:-[0rt]+|-[nPL]?\d*|--null|--no-run-if-empty)$/.test(text));
}

const MODIFIED = /^(?:-[a-z]*m[a-z]*|--modified)$/;
/** Options that choose among files, and change nothing about how they are named. */
const LISTS =
  /^(?:-[cdomiz]+|--(?:cached|deleted|modified|others|ignored|exclude-standard|directory|no-empty-directory)|--)$/;
/** What a reader of words splits names at, or reads as quotes; git quotes other names by itself. */
const SPLITS = /[\s"'\\]|[^\x20-\x7e]/;
