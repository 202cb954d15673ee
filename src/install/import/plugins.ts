import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { isObject } from "../../event/json.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { realPath } from "../../fs/resolve-path.ts";
import type { InstallContext } from "../install-context.ts";
import { filesOf } from "../targets.ts";
import { runsWhen } from "./conditions.ts";
import { type ForeignFields, type ForeignFinding, foreignHooks, jsonIn, type Left } from "./foreign-hooks.ts";
import { translate } from "./translate.ts";

/** The hooks of an agent's installed plugins in a scope; of what cannot be read or is switched off, the reason. */
export function hooksOfPlugins(adapter: Adapter, scope: Scope, around: InstallContext): ForeignFinding[] {
  const { plugins } = adapter;
  if (plugins === undefined) return [];
  const registry = join(around.home, plugins.registry);
  const listed = fieldsIn(registry)?.plugins;
  if (!isObject(listed)) return [];
  return Object.entries(listed).flatMap(([id, installs]) =>
    [installs]
      .flat()
      .filter(isObject)
      .filter((install) => isOfScope(install, scope, around.root))
      .flatMap(({ installPath }) => {
        const left = (why: string): Left => ({ kind: "left", what: `plugin ${id}`, file: registry, why });
        if (isOff(id, adapter, around)) return [left("it is switched off in the agent's settings")];
        if (typeof installPath !== "string" || !existsSync(installPath))
          return [left("its folder is gone; the agent installs it anew")];
        return hooksInPlugin(installPath, id, adapter);
      }),
  );
}

/** Whether a folder is a plugin with hooks of its own. */
export function isPlugin(folder: string): boolean {
  return existsSync(join(folder, HOOKS)) || existsSync(join(folder, MANIFEST));
}

/** The hooks of one plugin: those of `hooks/hooks.json`, and those that its manifest holds or names. */
export function hooksInPlugin(folder: string, id: string, adapter: Adapter): ForeignFinding[] {
  const manifest = join(folder, MANIFEST);
  const stated = fieldsIn(manifest)?.hooks;
  const named = isObject(stated) ? [manifest] : textsIn(stated).map((file) => resolve(folder, file));
  const files = [...new Set([join(folder, HOOKS), ...named])].filter((path) => existsSync(path));
  return files.flatMap((file) => hooksInPluginFile(file, folder, id, adapter));
}

function textsIn(value: unknown): string[] {
  return [value].flat().filter((text): text is string => typeof text === "string");
}

/** The plugin that a file of hooks belongs to by its place. */
export function pluginOf(file: string): string | undefined {
  return file.endsWith(`/${HOOKS}`) ? dirname(dirname(file)) : undefined;
}

function hooksInPluginFile(file: string, folder: string, id: string, adapter: Adapter): ForeignFinding[] {
  const left = (what: string, why: string): Left => ({ kind: "left", what: `plugin ${id}: ${what}`, file, why });
  const text = readRegularFile(file).toString();
  const hooks = foreignHooks(text, "json");
  if (hooks === undefined) return [left(file.slice(folder.length + 1), "it is not JSON")];
  const modules = fieldsIn(file)?.modules;
  const inProcess = Array.isArray(modules) ? modules.map(String) : [];
  return [
    ...hooks.map((hook) => ofPlugin(translate(hook, adapter, file), folder, id, adapter)),
    ...inProcess.map((name) => left(name, "it runs inside the agent and starts no program")),
  ];
}

/** A hook of a plugin runs with the plugin's folder in its variables, as the agent would run it. */
function ofPlugin(found: ForeignFinding, folder: string, id: string, adapter: Adapter): ForeignFinding {
  const [short = id] = id.split("@");
  if (found.kind === "left") return { ...found, what: `plugin ${id}: ${found.what}` };
  const { spec } = found;
  const roots = Object.fromEntries(ROOTS.map((name) => [name, folder]));
  const runs = spec.command !== undefined || spec.args !== undefined;
  const when = isObject(spec.when) && isObject(spec.when.then) ? spec.when : undefined;
  const text = JSON.stringify(spec);
  const missing = UNKNOWN_VARIABLES.filter((name) => text.includes(name));
  return {
    ...found,
    // The agent runs it for as long as the plugin is on, and the plugin's file is not the user's to edit.
    isNeeded: true,
    notes: [
      ...found.notes,
      `it comes with the plugin ${id}, which runs it as well while it is on; after an update of the plugin, import it again`,
      ...missing.map((name) => `Sluice does not set ${name}, which it uses`),
    ],
    spec: {
      ...spec,
      name: String(spec.name).replace(`${adapter.id}-`, `${short}-`),
      ...(runs ? { env: { ...roots, ...Object(spec.env) } } : {}),
      ...(when === undefined ? {} : runsWhen(String(when.if), withRoots(Object(when.then), roots))),
    },
  };
}

function withRoots(act: ForeignFields, roots: ForeignFields): ForeignFields {
  return act.command === undefined && act.args === undefined ? act : { ...act, env: { ...roots, ...Object(act.env) } };
}

/** An installation for one project is loaded in that project. */
function isOfScope({ scope = "user", projectPath }: ForeignFields, wanted: Scope, root: string): boolean {
  if (scope === "user") return wanted === "user";
  return wanted === "project" && typeof projectPath === "string" && realPath(projectPath) === realPath(root);
}

function isOff(id: string, adapter: Adapter, around: InstallContext): boolean {
  const files = (["user", "project"] as const).flatMap((scope) => filesOf(adapter, scope, around));
  const switches = files
    .flatMap((file) => [file, file.replace(/settings\.json$/, "settings.local.json")])
    .map((file) => fieldsIn(file)?.[adapter.plugins?.switches ?? ""]);
  return switches.findLast((on): on is ForeignFields => isObject(on) && Object.hasOwn(on, id))?.[id] === false;
}

function fieldsIn(path: string): ForeignFields | undefined {
  try {
    const value = jsonIn(readRegularFile(path).toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const HOOKS = "hooks/hooks.json";
const MANIFEST = ".claude-plugin/plugin.json";
/** The variables by which agents pass the plugin's folder to its programs. */
const ROOTS = ["CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"];
const UNKNOWN_VARIABLES = ["CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_OPTION_"];
