import type { Lookups } from "../parse/command.ts";
import { resolvedPath } from "../paths.ts";
import { packageTask, RECIPES, readRecipes, recipeTask } from "../task-files.ts";

/**
 * What the reader may look up about files. Paths are absolute if the folder of the call is known. Without a view nothing
 * is looked up, and scripts and tasks are reported as unknown.
 */
export interface FileSystemView {
  /** Returns the text of a file; undefined if there is no such file or it is not text. */
  readText(path: string): string | undefined;
  /** Returns what is at a path; undefined if nothing is. */
  kindOf?(path: string): "file" | "folder" | "link" | undefined;
  /** Returns a path without symbolic links; undefined if it cannot be resolved. */
  realPath?(path: string): string | undefined;
}

/** Answers the questions of the engine from a view of files. */
export function lookupsIn(
  files: FileSystemView,
  { cwd, home }: { readonly cwd?: string | undefined; readonly home?: string | undefined },
): Lookups {
  const at = (path: string) => {
    const opened = home === undefined ? path : path.replace(/^~(?=\/|$)/, () => home);
    return cwd === undefined ? opened : resolvedPath(cwd, opened);
  };
  // Without a home folder nothing is known about `~`.
  const script = (path: string) => (at(path).startsWith("~") ? undefined : files.readText(at(path)));
  const kindOf = files.kindOf?.bind(files);
  const realPath = files.realPath?.bind(files);
  return {
    script,
    task: (runner, name, folder) => taskIn(files, runner, name, at(folder)),
    ...(kindOf && {
      isFolder: (path: string) => kindOf(at(path)) === "folder",
      isMissing: (path: string) => kindOf(at(path)) === undefined && kindOf(folderOf(at(path))) === "folder",
    }),
    ...(realPath && {
      real: (path: string, isFollowed: boolean) => {
        const whole = at(path);
        const folder = folderOf(whole);
        const name = whole.slice(whole.lastIndexOf("/") + 1);
        const parent = isFollowed ? undefined : realPath(folder);
        const real = isFollowed ? realPath(whole) : parent && `${parent.replace(/\/$/, "")}/${name}`;
        if (real === undefined || real === whole) return undefined;
        const base = cwd === undefined ? undefined : (realPath(cwd) ?? cwd);
        const seen = base !== undefined && real.startsWith(`${base}/`) ? real.slice(base.length + 1) : real;
        return seen === path ? undefined : seen;
      },
    }),
  };
}

function taskIn(files: FileSystemView, runner: string, name: string, folder: string): string | undefined {
  const recipes = RECIPES[runner];
  if (recipes !== undefined) {
    for (const file of recipes.files) {
      const text = files.readText(`${folder}/${file}`);
      if (text !== undefined) return recipeTask(readRecipes(text, recipes), name);
    }
    return undefined;
  }
  for (let at = folder; ; at = folderOf(at)) {
    const text = files.readText(at === "/" ? "/package.json" : `${at}/package.json`);
    if (text !== undefined) return packageTask(objectIn(text), name);
    if (folderOf(at) === at) return undefined;
  }
}

function objectIn(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  if (end < 0) return ".";
  return end === 0 ? "/" : path.slice(0, end);
}
