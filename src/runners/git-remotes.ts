import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt } from "../event/attempt.ts";
import { type GitFolders, gitFile, gitFoldersAt } from "../fs/git-folders.ts";
import { homeDir } from "../fs/home-dir.ts";
import { foldersAbove } from "../fs/resolve-path.ts";

/**
 * The addresses that git would talk to for a remote by its name, or for none: what the configuration of the repository
 * and of the user configures. Undefined if that is not known for every address.
 */
export function remoteUrls(folder: string, name: string | undefined, way: "in" | "out"): readonly string[] | undefined {
  const repository = repositoryOf(folder);
  if (repository === undefined) return undefined;
  const { own: gitDir, shared: commonDir } = repository;
  // What is fetched may lead on to the remotes of submodules.
  if (way === "in" && hasEntries(join(commonDir, "modules"))) return undefined;
  const settings = settingsOf(gitDir, commonDir);
  if (settings === undefined) return undefined;
  const remote = name ?? defaultRemote(settings, branchOf(gitDir), way);
  const all = (key: string) => settings.flatMap(([one, value]) => (one === key ? [value] : []));
  if (all(`remotes.${remote}`).length > 0 || all(`remote.${remote}.vcs`).length > 0) return undefined;
  const urls = all(`remote.${remote}.url`);
  const pushed = all(`remote.${remote}.pushurl`);
  const chosen = way === "in" ? urls.slice(0, 1) : pushed.length > 0 ? pushed : urls;
  const isRewritten = way === "in" || pushed.length > 0 ? ["insteadof"] : ["pushinsteadof", "insteadof"];
  const found = chosen.map((url) => rewritten(url, settings, isRewritten));
  // `ext::` and its like start programs; a path is not an address.
  const isAddress = (url: string) =>
    !/^[\w+-]+::/.test(url) && (/^[a-z+]+:\/\/[^/]/.test(url) || /^[^/\\]+:/.test(url));
  return found.length > 0 && found.every(isAddress) ? found : undefined;
}

/**
 * The same text for every checkout of a repository, from the address of its remote `origin`: `github.com/acme/app`, and the folder
 * in it where that is not the top. Undefined for a folder without such a remote.
 */
export function repositoryName(folder: string): string | undefined {
  const here = resolve(folder);
  const top = [here, ...foldersAbove(here)].find(isRepository);
  const repository = top === undefined ? undefined : gitFoldersAt(top);
  const settings = repository && settingsOf(repository.own, repository.shared);
  const url = settings?.find(([key]) => key === "remote.origin.url")?.[1];
  if (top === undefined || settings === undefined || url === undefined) return undefined;
  const address = rewritten(url, settings, ["insteadof"]).replace(/\/+$|\.git\/*$/, "");
  const [, host, path = ""] =
    /^[a-z+]+:\/\/(?:[^@/]*@)?([^/]*)\/+(.*)$/i.exec(address) ??
    /^(?:[^@/:]*@)?([^/:]{2,}):\/*(.*)$/.exec(address) ??
    [];
  const place = host === undefined ? address : `${host.toLowerCase().replace(/:(?:22|80|443)$/, "")}/${path}`;
  return [place, ...relative(top, here).split(sep)].filter((part) => part !== "").join("/");
}

type Settings = readonly (readonly [key: string, value: string])[];

function defaultRemote(settings: Settings, branch: string | undefined, way: "in" | "out"): string {
  const last = (key: string) => settings.findLast(([one]) => one === key)?.[1];
  const pushed = way === "out" ? (last(`branch.${branch}.pushremote`) ?? last("remote.pushdefault")) : undefined;
  const own = pushed ?? last(`branch.${branch}.remote`);
  if (own !== undefined) return own;
  const remotes = [...new Set(settings.flatMap(([key]) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? []))];
  return remotes.length === 1 ? (remotes[0] ?? "origin") : "origin";
}

/** The longest beginning that a setting replaces is replaced; of two kinds the first that replaces anything applies. */
function rewritten(url: string, settings: Settings, kinds: readonly string[]): string {
  for (const kind of kinds) {
    const rules = settings.flatMap(([key, from]) => {
      const base = key.startsWith("url.") && key.endsWith(`.${kind}`) ? key.slice(4, -kind.length - 1) : undefined;
      return base !== undefined && url.startsWith(from) ? [{ base, from }] : [];
    });
    const [longest] = rules.sort((one, other) => other.from.length - one.from.length);
    if (longest !== undefined) return longest.base + url.slice(longest.from.length);
  }
  return url;
}

/** The nearest repository above a folder, also where it is a worktree or a submodule. */
function repositoryOf(folder: string): GitFolders | undefined {
  const top = resolve(folder);
  const at = [top, ...foldersAbove(top)].find(isRepository);
  return at === undefined ? undefined : gitFoldersAt(at);
}

function isRepository(folder: string): boolean {
  const found = gitFoldersAt(folder);
  return found !== undefined && gitFile(join(found.own, "HEAD")) !== undefined;
}

function branchOf(gitDir: string): string | undefined {
  return /^ref: refs\/heads\/(.+)$/m.exec(gitFile(join(gitDir, "HEAD")) ?? "")?.[1]?.trim();
}

/** All settings in git's order, system first; undefined if a file cannot be followed to its end. */
function settingsOf(gitDir: string, commonDir: string): Settings | undefined {
  const home = homeDir();
  const files = [
    "/etc/gitconfig",
    join(process.env.XDG_CONFIG_HOME || join(home, ".config"), "git/config"),
    join(home, ".gitconfig"),
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
  ];
  const found: (readonly [string, string])[] = [];
  return files.every((file) => collect(file, home, found, 0)) ? found : undefined;
}

/** Settings of a file and of those it includes; false when an include may add an address that is not known. */
function collect(file: string, home: string, found: (readonly [string, string])[], depth: number): boolean {
  const text = gitFile(file);
  if (text === undefined) return true;
  if (depth > MAX_INCLUDES) return false;
  for (const [key, value] of pairsIn(text)) {
    const isIncluded = key === "include.path" || /^includeif\..*\.path$/.test(key);
    if (!isIncluded) {
      found.push([key, value]);
      continue;
    }
    const path = value.replace(/^~(?=\/)/, home);
    const other = isAbsolute(path) ? path : join(dirname(file), path);
    if (key === "include.path") {
      if (!collect(other, home, found, depth + 1)) return false;
      continue;
    }
    // The condition is not evaluated: its settings must not matter.
    const inner: (readonly [string, string])[] = [];
    if (!collect(other, home, inner, depth + 1) || inner.some(([one]) => /^(?:url|remote|remotes|branch)\./.test(one)))
      return false;
  }
  return true;
}

/** The settings of one text: sections and names in lower case, subsections as they are written. */
function* pairsIn(text: string): Generator<readonly [string, string]> {
  let section = "";
  for (const line of text.replaceAll(/\\\r?\n/g, "").split("\n")) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
    const rest = header === null ? line : (header[3] ?? "");
    if (header !== null) {
      const [, name = "", inner] = header;
      section = inner === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${inner.replaceAll(/\\(.)/g, "$1")}`;
    }
    const pair = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/.exec(rest);
    if (pair !== null) yield [`${section}.${pair[1]?.toLowerCase()}`, settingValue(pair[2] ?? "true")];
  }
}

/** A value without its quotes and without a comment after it. */
function settingValue(written: string): string {
  const parts = written.match(/"(?:[^"\\]|\\.)*"|\\.|[^"\\;#]+|[;#].*$/g) ?? [];
  const kept = parts.filter((part) => !/^[;#]/.test(part));
  return kept
    .map((part) => (part.startsWith('"') ? part.slice(1, -1) : part).replaceAll(/\\(["\\])/g, "$1"))
    .join("")
    .trim();
}

function hasEntries(folder: string): boolean {
  return attempt(() => readdirSync(folder).length > 0) ?? false;
}

const MAX_INCLUDES = 4;
