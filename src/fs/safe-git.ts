import { delimiter, isAbsolute } from "node:path";

/**
 * How git is asked about a project without running what the project configures: no hooks, no file-system monitor, no
 * fetching, no other repository. Commands that print patches are told separately to use no external diff and no textconv.
 */
export const SAFE_GIT: readonly string[] = [
  "-c",
  "core.fsmonitor=",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.untrackedCache=false",
  "-c",
  "core.alternateRefsCommand=",
  "-c",
  "submodule.recurse=false",
];

/** The environment without what would lead git elsewhere, or make it start a program. */
export function gitEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };
  for (const [name, value] of Object.entries(env)) if (!name.startsWith("GIT_")) clean[name] = value;
  // A folder that is not absolute lies in the project that is asked about, and so would the git in it.
  if (clean.PATH !== undefined)
    clean.PATH = clean.PATH.split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .join(delimiter);
  return clean;
}

/** Options that take filters away, made from what `git config --get-regexp --name-only` lists of them. */
export function withoutFilters(names: string): string[] {
  const filters = new Set(
    [...names.matchAll(/^(filter\..+)\.(?:clean|smudge|process|required)$/gm)].map(([, name]) => name),
  );
  return [...filters].flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `${name}.${setting}`]),
  );
}

/** The words of git that list filters. */
export const LIST_FILTERS: readonly string[] = ["config", "--name-only", "--get-regexp", "^filter\\."];
