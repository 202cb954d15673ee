import { dirname, isAbsolute, join, resolve } from "node:path";
import { shellWord } from "../effects/parse/shell-word.ts";
import type { StateHome } from "../fs/state-dir.ts";
import type { Hook } from "../hook/hook.ts";
import { fromHome } from "../runners/working-directory.ts";
import { type Fingerprint, fingerprint, type HookCode } from "../trust/fingerprint.ts";
import { type TrustEntry, lookUp, type Standing, standing } from "../trust/ledger.ts";
import type { Loaded } from "./load.ts";
import { isOfProject } from "./locate.ts";
import { isDenyOnly } from "./deny-only.ts";

/** What a project wants to do, the bytes it would do it with, and what the user said about them. */
export interface Examined {
  readonly print: Fingerprint;
  readonly entry: TrustEntry;
  readonly state: Standing;
  /** The hooks that need the user's approval. */
  readonly waiting: readonly Hook[];
}

/** Looks at everything of a project that could run, and runs nothing. */
export function examine(loaded: Loaded, folder: string, where: StateHome = {}): Examined {
  const root = resolve(folder);
  const hooks = projectHooks(loaded);
  const sources = loaded.sources.filter(({ layer }) => isOfProject(layer));
  const acts = hooks.flatMap(({ parts }) => parts).filter(runsFiles);
  const print = fingerprint(
    root,
    sources,
    acts.map((part) => hookCode(part, root)),
  );
  const entry = lookUp(root, where);
  const said = standing(entry, print.hash);
  const state = said === "trusted" && print.unread.length > 0 ? "modified" : said;
  return { print, entry, state, waiting: waitingHooks(loaded) };
}

/** The hooks of a project that need its user's approval. */
export function waitingHooks(loaded: Loaded): Hook[] {
  return waitingAmong(projectHooks(loaded));
}

/** Those of them that do more than deny and ask. */
export function waitingAmong(hooks: readonly Hook[]): Hook[] {
  return hooks.filter((hook) => !isDenyOnly(hook));
}

/** Whether a hook runs or loads files of the disk. */
export function runsFiles({ type }: Hook): boolean {
  return type === "command" || type === "plugin";
}

function projectHooks({ hooks }: Loaded): Hook[] {
  return hooks.filter(({ layer }) => isOfProject(layer));
}

/** What one hook, that is no combination, runs or loads when it stands in one of these folders. */
export function hookCode(part: Hook, root: string, standing: readonly string[] = [root]): HookCode {
  const { command, args, shell, script, module, env = {}, workingDir = "", origin } = part;
  const home = dirname(origin?.place.file ?? join(root, "."));
  const folders = [...new Set([...standing.map((folder) => resolve(folder, fromHome(workingDir))), ...standing])];
  const around = [...new Set([...folders, home, dirname(home)])];
  const given = Object.entries(env)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join("");
  return {
    files: [
      ...(script === undefined ? [] : around.map((folder) => resolve(folder, fromHome(script)))),
      ...(module === undefined ? [] : modulePaths(module, [...around, root])),
    ],
    texts: [command, shell, asLine(args), asLine(script === undefined ? undefined : ["sh", fromHome(script)])]
      .filter((text) => text !== undefined)
      .map((text) => given + text),
    folders: around,
  };
}

/** Arguments as a shell would read them back. */
function asLine(args: readonly string[] | undefined): string | undefined {
  return args?.map(shellWord).join(" ");
}

/** Where a module may lie: a file, or a package in a `node_modules` above. */
function modulePaths(module: string, folders: readonly string[]): string[] {
  const files = folders.map((folder) => resolve(folder, fromHome(module.replace(/^file:(?:\/\/)?/, ""))));
  const ended = files.flatMap((file) => MODULE_ENDINGS.map((ending) => file + ending));
  if (isAbsolute(module) || /^(?:\.|file:|~)/.test(module)) return ended;
  const [scope = "", name = ""] = module.split("/");
  const packageName = scope.startsWith("@") ? `${scope}/${name}` : scope;
  const homes = [...new Set(folders.flatMap(ancestors))].map((folder) => join(folder, "node_modules", packageName));
  return [...ended, ...homes.flatMap((home) => PACKAGE_FILES.map((file) => join(home, file)))];
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

const MODULE_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", "/index.js", "/index.ts", "/package.json"];
const PACKAGE_FILES = ["package.json", "index.js", "index.mjs", "index.cjs", "dist/index.js", "dist/index.mjs"];
