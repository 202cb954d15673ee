import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { CallEffects, SimpleCommand } from "../../effects/index.ts";
import { homeDir } from "../../fs/home-dir.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { type GitCommand, runGit } from "../../fs/run-git.ts";
import { hasBlob } from "../../fs/work-tree.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import type { ProtectedWrite } from "./written-protected-paths.ts";

/** The protected place that a git command would remove or replace, as determined by asking git. */
export function overwrittenByGit(
  { commands, place }: Pick<CallEffects, "commands" | "place">,
  protectedPaths: Pick<ProtectedPaths, "places">,
  root: string,
): ProtectedWrite | undefined {
  const { cwd } = place;
  const earlier: GitRun[] = [];
  for (const command of cwd === undefined ? [] : commands) {
    const run = command.program?.text === "git" ? gitRun(command, resolve(cwd ?? root, command.folder)) : undefined;
    // Finding all places takes milliseconds, and most git commands do not change files.
    if (run !== undefined && TAKES.has(run.verb)) earlier.push(run);
    if (run === undefined || !(SWAPS.has(run.verb) || BRINGS.has(run.verb))) continue;
    const { places } = protectedPaths;
    const found =
      swapped(
        run,
        places.filter(({ path }) => isWithin(root, path)),
        earlier,
      ) ?? (run.setsWorkTree ? places.find(({ path }) => isWithin(path, run.folder)) : undefined);
    if (found !== undefined) return { place: found, how: "takes away or replaces, with git," };
  }
  return undefined;
}

/** A git command: its verb, the arguments after it, and the folder in which it works. */
export interface GitRun {
  readonly verb: string;
  readonly rest: readonly string[];
  readonly folder: string;
  /** An option or a variable names the work tree. */
  readonly setsWorkTree: boolean;
}

/** Takes a git command apart that starts in a folder. */
export function gitRun({ args, assignments }: SimpleCommand, start: string): GitRun {
  const words = args.map(({ text }) => text);
  const isVerb = (word: string, index: number) => !word.startsWith("-") && !TAKES_WORD.test(words[index - 1] ?? "");
  const at = Math.max(words.findIndex(isVerb), 0);
  const [verb = "", ...rest] = words.slice(at);
  const options = words.slice(0, at);
  const setsWorkTree =
    assignments.GIT_WORK_TREE !== undefined || options.some((word) => /^(?:--work-tree|core\.worktree)\b/i.test(word));
  return { verb, rest, folder: folderOf(options, start, assignments.GIT_WORK_TREE?.text), setsWorkTree };
}

function swapped(
  { verb, rest: given, folder }: GitRun,
  places: readonly ProtectedPlace[],
  earlier: readonly GitRun[],
): ProtectedPlace | undefined {
  const rest = withListedPaths(given, folder);
  const options = rest.filter((word) => word.startsWith("-"));
  const isGiven = (letter: string, ...names: string[]) =>
    options.some((word) => names.includes(word) || new RegExp(`^-\\w*${letter}`).test(word));
  const paths = places.map(({ path }) => path);
  const there = SWAPS.has(verb) || verb === "read-tree" ? places.filter(({ path }) => existsSync(path)) : [];
  const isLost = (place: ProtectedPlace) => isChanged(place, folder) || isTaken(place, folder, earlier);
  switch (verb) {
    case "clean": {
      if (!isGiven("f", "--force") || isGiven("n", "--dry-run")) return undefined;
      const { kept, paths: cleaned } = withoutExcludes(rest);
      const rules = [...(isGiven("[xX]") ? [] : ["--exclude-standard"]), ...kept.map((one) => `--exclude=${one}`)];
      return there
        .filter(({ path }) => isMeant(path, cleaned, folder))
        .find((place) => isUntracked(place, folder, rules));
    }
    case "stash": {
      const [part, ...stashes] = rest.filter((word) => !word.startsWith("-"));
      if (part === "pop" || part === "apply" || part === "branch") {
        const name = stashes[part === "branch" ? 1 : 0] ?? "stash@{0}";
        const stash = /^\d+$/.test(name) ? `stash@{${name}}` : name;
        return among(askGit(folder, [...NAMES, `${stash}^1`, stash, "--", ...paths]), places);
      }
      if (!["push", "save", undefined].includes(rest.find((word) => !word.startsWith("-")))) return undefined;
      const withUntracked = isGiven("[ua]", "--include-untracked", "--all");
      return there.find((place) => isLost(place) || (withUntracked && isUntracked(place, folder, [])));
    }
    case "checkout":
    case "switch":
    case "reset":
    case "restore": {
      const named = pathsNamed(verb, rest);
      const isTouched = ({ path }: ProtectedPlace) => named.length === 0 || isMeant(path, named, folder);
      if (isGiven("f", "--hard", "--force", "--discard-changes") || rest.includes(".") || rest.includes(":/")) {
        const undone = there.find((place) => isTouched(place) && isLost(place));
        if (undone !== undefined) return undone;
      }
      // What the line commits first is not in the commit that it goes to.
      const isLeft =
        earlier.some((run) => run.verb === "commit") &&
        rest.some((word) => !word.startsWith("-") || word === "-") &&
        (verb === "reset" ? isGiven("-", "--keep", "--merge") : !isGiven("[bBcC]", "--create", "--orphan"));
      const left = isLeft ? there.find((place) => isTouched(place) && isTaken(place, folder, earlier)) : undefined;
      return left ?? differing(rest, folder, places.filter(isTouched));
    }
    case "rm":
      if (rest.length === given.length || isGiven("n", "--cached", "--dry-run")) return undefined;
      return there.find((place) => isMeant(place.path, rest, folder));
    case "merge":
    case "rebase":
      return differing(rest, folder, places);
    case "read-tree":
      return (isGiven("u") ? there.find(isLost) : undefined) ?? differing(rest, folder, places);
    case "cherry-pick":
    case "revert":
      return brought(rest, folder, places);
    case "pull":
      return pulled(rest, folder, places);
    default:
      return undefined;
  }
}

/** Separates the patterns that `git clean` keeps from its other arguments: `-e pattern`, `--exclude=pattern`. */
function withoutExcludes(rest: readonly string[]): { readonly kept: string[]; readonly paths: string[] } {
  const kept: string[] = [];
  const paths: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const [, glued] = /^(?:-[a-zA-Z]*e|--exclude(?:=|$))(.*)$/s.exec(rest[at] ?? "") ?? [];
    if (glued === undefined) paths.push(rest[at] ?? "");
    else kept.push(glued === "" ? (rest[++at] ?? "") : glued);
  }
  return { kept, paths };
}

/** Adds the paths that a file lists; a file that cannot be read may list all. */
function withListedPaths(words: readonly string[], folder: string): readonly string[] {
  const list = words.find((word) => LISTS_PATHS.test(word))?.replace(LISTS_PATHS, "");
  if (list === undefined) return words;
  try {
    const lines = readRegularFile(resolve(folder, atHome(list)))
      .toString()
      .slice(0, MAX_BYTES)
      .split(/[\n\0]/);
    return [...words, "--", ...lines.map((line) => line.trim()).filter(Boolean)];
  } catch {
    return [...words, "."];
  }
}

/** The paths to which a command is limited; empty if it may change any file. */
export function pathsNamed(verb: string, rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf("--");
  if (dashes >= 0) return rest.slice(dashes + 1);
  if (verb !== "restore") return [];
  return rest.filter((word, at) => !word.startsWith("-") && !/^(?:-s|--source)$/.test(rest[at - 1] ?? ""));
}

/** Whether one of the named paths is this one, contains it or is in it; without named paths, all are meant. */
export function isMeant(path: string, words: readonly string[], folder: string): boolean {
  const named = words.filter((word) => word !== "--" && !word.startsWith("-"));
  if (named.length === 0 || named.some((word) => word.startsWith(":") || /[*?[]/.test(word))) return true;
  return named.map((word) => resolve(folder, word)).some((one) => isWithin(one, path) || isWithin(path, one));
}

/** Where git works: every `-C` is relative to the one before, and the work tree may be elsewhere. */
function folderOf(options: readonly string[], start: string, workTree: string | undefined): string {
  let folder = start;
  let files = workTree;
  for (const [at, option] of options.entries()) {
    const next = options[at + 1] ?? ".";
    if (option === "-C") folder = resolve(folder, atHome(next));
    else if (option === "--work-tree") files = next;
    else if (option.startsWith("--work-tree=")) files = option.slice("--work-tree=".length);
    else if (option === "-c" && /^core\.worktree=/i.test(next)) files ??= next.slice("core.worktree=".length);
  }
  return files === undefined ? folder : resolve(folder, atHome(files));
}

function atHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, () => homeDir());
}

/** Does not ask git to compare, because it would run the repository's filters. */
function isChanged({ path }: ProtectedPlace, folder: string): boolean {
  const lines = askGit(folder, ["ls-files", "--stage", "-z", "--", path]).split("\0").slice(0, MAX_FILES);
  return lines.some((line) => {
    const [, hash, name] = /^\d+ ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
    return hash !== undefined && name !== undefined && !hasBlob(resolve(folder, name), hash);
  });
}

/** Whether the index has something of a place that the last commit does not have, or has it once earlier commands of the line have run. */
function isTaken(place: ProtectedPlace, folder: string, earlier: readonly GitRun[]): boolean {
  if (askGit(folder, ["diff-index", "--name-only", "HEAD", "--", place.path]) !== "") return true;
  return earlier.some(({ verb, rest, folder: from }) => {
    const isGiven = (pattern: RegExp) => rest.some((word) => pattern.test(word));
    if (verb === "commit") return isGiven(/^-\w*a|^--all$/) && isChanged(place, folder);
    if (isGiven(/^-\w*n|^--dry-run$/) || !isMeant(place.path, rest, from)) return false;
    const rules = isGiven(/^-\w*f|^--force$/) ? [] : ["--exclude-standard"];
    return isChanged(place, folder) || (!isGiven(/^-\w*u|^--update$/) && isUntracked(place, folder, rules));
  });
}

/** Whether a place has files that the index does not have. */
function isUntracked({ path }: ProtectedPlace, folder: string, rules: readonly string[]): boolean {
  return askGit(folder, ["ls-files", "--others", ...rules, "--", path]) !== "";
}

/** The first place that differs in a commit that the command names. */
function differing(
  words: readonly string[],
  folder: string,
  places: readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const names = words
    .filter((word) => !word.startsWith("-") || word === "-")
    .map((word) => (word === "-" ? "@{-1}" : word));
  const paths = places.map(({ path }) => path);
  // Without a path, git would compare everything.
  if (paths.length === 0) return undefined;
  for (const name of [...names, ...sourcesIn(words)].slice(0, MAX_NAMES)) {
    const found = among(askGit(folder, [...NAMES, "HEAD", name, "--", ...paths]), places);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The commits in the same argument as an option: `--source=a`, `-Wsa`. A name with a leading dash would be an option. */
export function sourcesIn(words: readonly string[]): string[] {
  return words.flatMap((word) => /^(?:--source=|-[A-Z]*s)([^-].*)/s.exec(word)?.[1] ?? []);
}

/** The first place that the commits themselves change, one by one or as a range. */
function brought(
  words: readonly string[],
  folder: string,
  places: readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const paths = places.map(({ path }) => path);
  for (const name of words.filter((word) => !word.startsWith("-")).slice(0, MAX_NAMES)) {
    const names = name.includes("..")
      ? askGit(folder, ["log", "-m", "--format=", "--name-only", name, "--", ...paths])
      : askGit(folder, [...NAMES, "-m", "--root", "--no-commit-id", name, "--", ...paths]);
    const found = among(names, places);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a pull would merge, as far as it is here: from this repository, from another folder, or fetched before. */
function pulled(
  words: readonly string[],
  folder: string,
  places: readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const [from = "origin", ...named] = words.filter((word) => !word.startsWith("-"));
  const names = named.map((name) => name.replace(/^\+?([^:]*).*$/s, "$1"));
  const other = resolve(folder, atHome(from.replace(/^file:\/\//, "")));
  if (!existsSync(other))
    return differing(names.length === 0 ? ["@{upstream}"] : names.map((name) => `${from}/${name}`), folder, places);
  return (names.length === 0 ? ["HEAD"] : names)
    .map((name) => places.find((place) => treeAt(other, name, place) !== treeAt(folder, "HEAD", place)))
    .find((place) => place !== undefined);
}

/** The id of a place's content in a commit. */
function treeAt(folder: string, name: string, { path, base }: ProtectedPlace): string {
  return askGit(folder, ["rev-parse", "--verify", "--quiet", `${name}:${relative(base, path)}`]).trim();
}

function among(names: string, places: readonly ProtectedPlace[]): ProtectedPlace | undefined {
  const [first] = names.split("\n").filter(Boolean);
  return first === undefined ? undefined : (places.find((place) => isAbout(first, place)) ?? places[0]);
}

/** Whether a name that git printed, relative to any folder, is this place or is in it. */
function isAbout(name: string, { path, base }: ProtectedPlace): boolean {
  return `/${name}/`.includes(`/${relative(base, path)}/`);
}

/** Thrown if git does not answer in time or prints too much, so that the effect of the call is unknown. */
export class GitSilence extends Error {
  constructor() {
    super("git did not report in time what this call would bring into the project");
  }
}

/** The output of git; empty if it fails, as for a missing commit. */
export function askGit(folder: string, args: readonly [GitCommand, ...string[]]): string {
  const answer = runGit(folder, args, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  if (answer.kind === "no answer" && answer.isStarted) throw new GitSilence();
  return answer.kind === "printed" ? answer.bytes.toString() : "";
}

/** Options of git itself whose value is the next argument. */
const TAKES_WORD = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix))$/;
const SWAPS: ReadonlySet<string> = new Set("clean stash checkout switch reset restore rm".split(" "));
/** Commands that take files into the index or into a commit. */
const TAKES: ReadonlySet<string> = new Set(["add", "stage", "commit"]);
const LISTS_PATHS = /^--pathspec-from-file=/;
/** Commands that bring the content of other commits. */
const BRINGS: ReadonlySet<string> = new Set("merge rebase read-tree cherry-pick revert pull".split(" "));
const NAMES = ["diff-tree", "-r", "--name-only"] as const;
const MAX_NAMES = 4;
const MAX_FILES = 500;
const TIMEOUT_MS = 2000;
const MAX_BYTES = 1024 * 1024;
