import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { CallEffects } from "../../effects/effect.ts";
import type { SimpleCommand } from "../../effects/parse/command.ts";
import { homeDir } from "../../fs/home-dir.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { type GitCommand, runGit } from "../../fs/run-git.ts";
import { isModified } from "./modified-by-hash.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import type { ProtectedWrite } from "./written-protected-paths.ts";

/** A protected place that a command of git would take away or put back to another state: git itself is asked. */
export function overwrittenByGit(
  { commands, place }: Pick<CallEffects, "commands" | "place">,
  protectedPaths: Pick<ProtectedPaths, "places">,
  root: string,
): ProtectedWrite | undefined {
  const { cwd } = place;
  for (const command of cwd === undefined ? [] : commands) {
    if (command.program?.text !== "git") continue;
    const within = () => protectedPaths.places.filter(({ path }) => isWithin(root, path));
    const start = resolve(cwd ?? root, command.folder);
    const found = swapped(command, start, within) ?? aroundWorkTree(command, start, protectedPaths);
    if (found !== undefined) return { place: found, how: "takes away or replaces, with git," };
  }
  return undefined;
}

/** A place in which the folder lies whose files git is told to write. */
function aroundWorkTree(
  { args, assignments }: SimpleCommand,
  start: string,
  protectedPaths: Pick<ProtectedPaths, "places">,
): ProtectedPlace | undefined {
  const words = args.map(({ text }) => text);
  const at = Math.max(verbAt(words), 0);
  const options = words.slice(0, at);
  const isTold =
    assignments.GIT_WORK_TREE !== undefined || options.some((word) => /^(?:--work-tree|core\.worktree)\b/i.test(word));
  if (!isTold || !(SWAPS.has(words[at]) || BRINGS.has(words[at]))) return undefined;
  const folder = folderOf(options, start, assignments);
  return protectedPaths.places.find(({ path }) => isWithin(path, folder));
}

/** Where the verb stands among the words of git. */
export function verbAt(words: readonly string[]): number {
  return words.findIndex((word, index) => !word.startsWith("-") && !TAKES_WORD.test(words[index - 1] ?? ""));
}

function swapped(
  { args, assignments }: SimpleCommand,
  start: string,
  placesWithin: () => readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const words = args.map(({ text }) => text);
  const at = verbAt(words);
  const [verb, ...given] = words.slice(Math.max(at, 0));
  // Finding all places takes milliseconds: most commands of git leave the files alone.
  if (!SWAPS.has(verb) && !BRINGS.has(verb)) return undefined;
  const places = placesWithin();
  const folder = folderOf(words.slice(0, Math.max(at, 0)), start, assignments);
  const rest = withListedPaths(given, folder);
  const options = rest.filter((word) => word.startsWith("-"));
  const isGiven = (letter: string, ...names: string[]) =>
    options.some((word) => names.includes(word) || new RegExp(`^-\\w*${letter}`).test(word));
  const paths = places.map(({ path }) => path);
  const there = SWAPS.has(verb) ? places.filter(({ path }) => existsSync(path)) : [];
  switch (verb) {
    case "clean": {
      if (!isGiven("f", "--force") || isGiven("n", "--dry-run")) return undefined;
      const { kept, paths: cleaned } = withoutExcludes(rest);
      const rules = [...(isGiven("[xX]") ? [] : ["--exclude-standard"]), ...kept.map((one) => `--exclude=${one}`)];
      return there
        .filter(({ path }) => isMeant(path, cleaned, folder))
        .find((place) => isListed(place, folder, ["--others"], rules));
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
      return there.find(
        (place) => isChanged(place, folder) || (withUntracked && isListed(place, folder, ["--others"], [])),
      );
    }
    case "checkout":
    case "switch":
    case "reset":
    case "restore": {
      const named = pathsNamed(verb, rest);
      const isTouched = ({ path }: ProtectedPlace) => named.length === 0 || isMeant(path, named, folder);
      if (isGiven("f", "--hard", "--force", "--discard-changes") || rest.includes(".") || rest.includes(":/")) {
        const undone = there.find((place) => isTouched(place) && isChanged(place, folder));
        if (undone !== undefined) return undone;
      }
      return differing(rest, folder, places.filter(isTouched));
    }
    case "rm":
      if (rest.length === given.length || isGiven("n", "--cached", "--dry-run")) return undefined;
      return there.find((place) => isMeant(place.path, rest, folder));
    case "merge":
    case "rebase":
    case "read-tree":
      return differing(rest, folder, places);
    case "cherry-pick":
    case "revert":
      return brought(rest, folder, places);
    case "pull":
      return pulled(rest, folder, places);
    default:
      return undefined;
  }
}

/** The patterns of what `git clean` keeps, apart from its other arguments: `-e pattern`, `--exclude=pattern`. */
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

/** With the paths of a list in a file; where that cannot be read, they may be all. */
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

/** The paths that a command is limited to; none where it may reach everywhere. */
export function pathsNamed(verb: string, rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf("--");
  if (dashes >= 0) return rest.slice(dashes + 1);
  if (verb !== "restore") return [];
  return rest.filter((word, at) => !word.startsWith("-") && !/^(?:-s|--source)$/.test(rest[at - 1] ?? ""));
}

/** Whether one of the paths that a command names is this one, or lies above it or in it; without any, all are meant. */
export function isMeant(path: string, words: readonly string[], folder: string): boolean {
  const named = words.filter((word) => word !== "--" && !word.startsWith("-"));
  if (named.length === 0 || named.some((word) => word.startsWith(":") || /[*?[]/.test(word))) return true;
  return named.map((word) => resolve(folder, word)).some((one) => isWithin(one, path) || isWithin(path, one));
}

/** Where git works: every `-C` goes on from the one before, and a tree of files may lie elsewhere. */
export function folderOf(options: readonly string[], start: string, { GIT_WORK_TREE: tree }: Variables): string {
  let folder = start;
  let files = tree?.text;
  for (const [at, option] of options.entries()) {
    const next = options[at + 1] ?? ".";
    if (option === "-C") folder = resolve(folder, atHome(next));
    else if (option === "--work-tree") files = next;
    else if (option.startsWith("--work-tree=")) files = option.slice("--work-tree=".length);
    else if (option === "-c" && /^core\.worktree=/i.test(next)) files ??= next.slice("core.worktree=".length);
  }
  return files === undefined ? folder : resolve(folder, atHome(files));
}

/** The variables that are set for a command. */
type Variables = SimpleCommand["assignments"];

function atHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, () => homeDir());
}

/** Without asking git, which would run the filters that the repository names. */
function isChanged({ path }: ProtectedPlace, folder: string): boolean {
  const lines = askGit(folder, ["ls-files", "--stage", "-z", "--", path]).split("\0").slice(0, MOST_FILES);
  return lines.some((line) => {
    const [, hash, name] = /^\d+ ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
    return hash !== undefined && name !== undefined && isModified({ path: resolve(folder, name), hash });
  });
}

function isListed(
  { path }: ProtectedPlace,
  folder: string,
  kinds: readonly string[],
  rules: readonly string[],
): boolean {
  return askGit(folder, ["ls-files", ...kinds, ...rules, "--", path]) !== "";
}

/** The first place that is another one in a commit that the command names. */
function differing(
  words: readonly string[],
  folder: string,
  places: readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const names = words
    .filter((word) => !word.startsWith("-") || word === "-")
    .map((word) => (word === "-" ? "@{-1}" : word));
  const paths = places.map(({ path }) => path);
  // Without a path, git would look at everything.
  if (paths.length === 0) return undefined;
  for (const name of [...names, ...sourcesIn(words)].slice(0, MOST_NAMES)) {
    const found = among(askGit(folder, [...NAMES, "HEAD", name, "--", ...paths]), places);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The commits that an option names in one argument with it: `--source=a`, `-Wsa`. What begins with a dash is not a commit, and git would read it as an option. */
export function sourcesIn(words: readonly string[]): string[] {
  return words.flatMap((word) => /^(?:--source=|-[A-Z]*s)([^-].*)/s.exec(word)?.[1] ?? []);
}

/** The first place that commits themselves change, one by one or as a range. */
function brought(
  words: readonly string[],
  folder: string,
  places: readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const paths = places.map(({ path }) => path);
  for (const name of words.filter((word) => !word.startsWith("-")).slice(0, MOST_NAMES)) {
    const names = name.includes("..")
      ? askGit(folder, ["log", "-m", "--format=", "--name-only", name, "--", ...paths])
      : askGit(folder, [...NAMES, "-m", "--root", "--no-commit-id", name, "--", ...paths]);
    const found = among(names, places);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a pull would merge, as far as it is here: from this repository, from another folder, or what was fetched before. */
function pulled(
  words: readonly string[],
  folder: string,
  places: readonly ProtectedPlace[],
): ProtectedPlace | undefined {
  const [from = "origin", ...named] = words.filter((word) => !word.startsWith("-"));
  const names = named.map((name) => name.replace(/^\+?([^:]*).*$/s, "$1"));
  const other = resolve(
    folder,
    from.replace(/^file:\/\//, "").replace(/^~(?=\/)/, () => homeDir()),
  );
  if (!existsSync(other))
    return differing(names.length === 0 ? ["@{upstream}"] : names.map((name) => `${from}/${name}`), folder, places);
  return (names.length === 0 ? ["HEAD"] : names)
    .map((name) => places.find((place) => treeAt(other, name, place) !== treeAt(folder, "HEAD", place)))
    .find((place) => place !== undefined);
}

/** What a commit holds at a place; the same text for the same content. */
function treeAt(folder: string, name: string, { path, base }: ProtectedPlace): string {
  return askGit(folder, ["rev-parse", "--verify", "--quiet", `${name}:${relative(base, path)}`]).trim();
}

function among(names: string, places: readonly ProtectedPlace[]): ProtectedPlace | undefined {
  const [first] = names.split("\n").filter(Boolean);
  return first === undefined ? undefined : (places.find((place) => isAbout(first, place)) ?? places[0]);
}

/** Whether a name that git gave, seen from wherever its work begins, is this place or lies in it. */
function isAbout(name: string, { path, base }: ProtectedPlace): boolean {
  return `/${name}/`.includes(`/${relative(base, path)}/`);
}

/** Thrown where git does not answer in time, or says more than is read: what it would bring is unknown then. */
export class GitSilence extends Error {
  constructor() {
    super("git does not say in time what this call would bring into the project");
  }
}

/** What git prints; empty if it fails, as for a commit that is not there. */
export function askGit(folder: string, args: readonly [GitCommand, ...string[]]): string {
  const answer = runGit(folder, args, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  if (answer.kind === "no answer" && answer.isStarted) throw new GitSilence();
  return answer.kind === "printed" ? answer.bytes.toString() : "";
}

/** Options of git itself whose value is the next word. */
const TAKES_WORD = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix))$/;
const SWAPS: ReadonlySet<string | undefined> = new Set([
  "clean",
  "stash",
  "checkout",
  "switch",
  "reset",
  "restore",
  "rm",
]);
const LISTS_PATHS = /^--pathspec-from-file=/;
/** Commands that bring what other commits hold. */
const BRINGS: ReadonlySet<string | undefined> = new Set([
  "merge",
  "rebase",
  "read-tree",
  "cherry-pick",
  "revert",
  "pull",
]);
const NAMES = ["diff-tree", "-r", "--name-only"] as const;
const MOST_NAMES = 4;
const MOST_FILES = 500;
const TIMEOUT_MS = 2000;
const MAX_BYTES = 1024 * 1024;
