import { basename, dirname, isAbsolute, join } from "node:path";
import type { OwnPlugin } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { configHome, LAYER_FILES } from "../../config/locate.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { LAYERS } from "../../hook/hook.ts";
import { witnessFolder } from "../../trust/inventory.ts";
import { CLIENT_PACKAGE, LOADED_PACKAGES, modulesOf } from "./client-modules.ts";
import type { ProtectionContext } from "./protection-context.ts";

/** A file, or a folder with everything in it, that no agent may change; it need not exist. */
export interface ProtectedPlace {
  readonly path: string;
  readonly kind: "file" | "tree";
  /** A description for the agent. */
  readonly what: string;
  /** The base of its path: the home directory, the project, the user's configuration. */
  readonly base: string;
}

/** Everything that connects agents with their hooks. */
export function protectedPlaces(context: ProtectionContext): ProtectedPlace[] {
  const { root, home, env, files = [] } = context;
  const config = configHome({ env, home });
  const state = stateDir({ env, home });
  const cache = join(absolute(env.XDG_CACHE_HOME) ?? join(home, ".cache"), "sluice");
  const runtime = absolute(env.XDG_RUNTIME_DIR);
  return [
    tree(join(root, ".sluice"), CONFIGURATION, root),
    ...PROJECT_FILES.map((file) => seen(root, file, CONFIGURATION)),
    tree(join(config, "sluice"), CONFIGURATION, config),
    ...LAYER_FILES.user.map((file) => seen(config, file, CONFIGURATION)),
    tree("/etc/sluice", CONFIGURATION, "/etc"),
    ...MACHINE.map((path) => tree(path, "the settings of an agent for this machine", dirname(path))),
    tree(state, "what Sluice remembers", dirname(state)),
    tree(witnessFolder(state), "what Sluice remembers", dirname(state)),
    tree(cache, "what Sluice remembers", dirname(cache)),
    ...(runtime === undefined ? [] : [tree(join(runtime, "sluice"), "the engine of Sluice", runtime)]),
    ...ORCHESTRATION.map((file) => seen(root, file, "the record of intents")),
    ...agentPlaces("user", home),
    ...agentPlaces("project", root),
    tree(join(root, "node_modules", "sluice"), PROGRAM, root),
    seen(root, join("node_modules", ".bin", "sluice"), PROGRAM),
    tree(join(root, "node_modules", CLIENT_PACKAGE), PROGRAM, root),
    ...ADAPTERS.flatMap(({ ownPlugin }) => (ownPlugin === undefined ? [] : pluginPlaces(ownPlugin, home))),
    ...programPlaces(context.program),
    ...files.map(
      (path) => ({ path, kind: "file", what: "a file that hooks are made of", base: dirname(path) }) as const,
    ),
  ];
}

/** The configuration files of a project, in any folder: the nearest folder that has them is the project. */
export const PROJECT_FILES: readonly string[] = [
  ...new Set(LAYERS.flatMap((layer) => (layer === "project" || layer === "local" ? LAYER_FILES[layer] : []))),
];

/** The settings files of agents, relative to a project or the home directory. */
export function agentFiles(scope: Scope): string[] {
  const found = ADAPTERS.flatMap(({ recipe, escapes }) => {
    const beside = escapes?.files?.[scope] ?? [];
    if (recipe === undefined) return beside;
    if (recipe.kind === "files") return [...recipe.files(scope, [], ["sluice"]).map(({ path }) => path), ...beside];
    const { files, tables, script } = recipe;
    return [files[scope], ...(tables ? [tables[scope]] : []), ...(script ? [script] : []), ...beside];
  });
  return [...new Set(found)];
}

function agentPlaces(scope: Scope, base: string): ProtectedPlace[] {
  return agentFiles(scope).map((file) => seen(base, file, "the settings through which an agent calls its hooks"));
}

function pluginPlaces({ folder, lists }: OwnPlugin, home: string): ProtectedPlace[] {
  return [tree(join(home, folder), PROGRAM, home), ...lists.map((list) => seen(home, list, AGENT_PLUGINS))];
}

/** The running command with the files beside it, if it is in its own folder. */
function programPlaces(program: string | undefined): ProtectedPlace[] {
  if (program === undefined || !/^sluice(?:\.[cm]?js)?$/.test(basename(program))) return [];
  const real = realPath(program);
  const folder = dirname(real);
  if (basename(folder) !== "dist") return [file(real), file(program)];
  const own = dirname(folder);
  return [
    tree(folder, PROGRAM, own),
    ...modulesOf(own).flatMap((modules) => [
      tree(join(modules, CLIENT_PACKAGE), PROGRAM, modules),
      ...LOADED_PACKAGES.map((name) => tree(join(modules, name), "a package that Sluice loads", modules)),
    ]),
    file(program),
  ];
}

function file(path: string): ProtectedPlace {
  return { path, kind: "file", what: PROGRAM, base: dirname(path) };
}

function tree(path: string, what: string, base: string): ProtectedPlace {
  return { path, kind: "tree", what, base };
}

function seen(base: string, name: string, what: string): ProtectedPlace {
  return { path: join(base, name), kind: "file", what, base };
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** The description of places that the command consists of. */
export const PROGRAM = "Sluice itself";
const AGENT_PLUGINS = "the list of an agent's plugins, one of which calls its hooks";
const CONFIGURATION = "the configuration of Sluice";
const ORCHESTRATION = [".orchestration/active_intents.yaml", ".orchestration/agent_trace.jsonl", ".intentignore"];
/** Where administrators configure agents. */
const MACHINE: readonly string[] = [...new Set(ADAPTERS.flatMap(({ escapes }) => escapes?.machine ?? []))];
