import { readFileSync } from "node:fs";
import { dirname, extname, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { attempt } from "../event/attempt.ts";
import { importInstalled } from "../fs/import-package.ts";
import { realPath } from "../fs/resolve-path.ts";
import { getLatestAssistantMessage, getText, isToolOperation } from "../request/message.ts";
import { definePlugin, misspeltMethod } from "../request/plugin.ts";
import { HookRequest } from "../request/request.ts";
import { writeOutput } from "../request/standard-streams.ts";
import { modulesBeside } from "../trust/code-modules.ts";
import { fileStamp, isFile } from "./plugin-module.ts";
import { loadCompiler } from "./typescript.ts";

/** A plugin, and the files that it was loaded from with their stamps before that. */
export interface LoadedPlugin {
  readonly plugin: object;
  readonly files: readonly (readonly [path: string, stamp: string])[];
}

/** Loads the plugin that a file exports. Runs the plugin's own code, so only the process of one plugin calls it. */
export async function loadPlugin(path: string): Promise<LoadedPlugin> {
  const file = realPath(path);
  const files = new Map(modulesOf(file).map((one) => [one, fileStamp(one)]));
  const module = (await importedByNode(file)) ?? (await compiled(file, files));
  return { plugin: pluginIn(module, file), files: [...files] };
}

/** Node itself imports what the compiler would only pass on to it; where that fails, the compiler tries, and reports why. */
async function importedByNode(file: string): Promise<unknown> {
  if (!NEVER_COMPILED.includes(extname(file))) return undefined;
  return importInstalled(pathToFileURL(file).href).catch(() => undefined);
}

async function compiled(file: string, files: Map<string, string>): Promise<unknown> {
  const compiler = loadCompiler();
  if (compiler === undefined) throw new Error("jiti, which loads plugins, is not installed beside Sluice");
  const { createJiti, options } = compiler;
  const isInstalled = createJiti(file, options).esmResolve("sluice", { try: true }) !== undefined;
  const jiti = createJiti(file, { ...options, interopDefault: false, virtualModules: doors(isInstalled) });
  const module = await jiti.import(file);
  for (const path of Object.keys(jiti.cache))
    if (!files.has(path) && !isInPackage(path)) files.set(path, fileStamp(path));
  return module;
}

/** A file and the modules beside it that it loads, as its text states, and those that they load; packages never change. */
function modulesOf(file: string): string[] {
  const found = new Set([file]);
  for (const path of found) {
    const code = { path, text: isInPackage(path) ? "" : codeIn(path), language: "javascript" } as const;
    for (const one of modulesBeside(code, [dirname(path)], isFile))
      if (found.size < MAX_MODULES) found.add(realPath(one));
  }
  return [...found];
}

/** Empty if it cannot be read: loading it reports why. */
function codeIn(path: string): string {
  return attempt(() => (CODE.test(path) ? readFileSync(path, "utf8") : "")) ?? "";
}

function isInPackage(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`);
}

/** The endings of modules that the compiler hands to Node without a look at their text. */
const NEVER_COMPILED: readonly string[] = [".mjs", ".cjs"];
const CODE = /\.[cm]?[jt]s$/;
const MAX_MODULES = 1000;

/** What a plugin imports of Sluice is in this process already; so it may be in a folder where Sluice is not installed. */
function doors(isInstalled: boolean): Record<string, object> {
  const door = { definePlugin, getLatestAssistantMessage, getText, HookRequest, isToolOperation, writeOutput };
  return isInstalled ? { "sluice/plugin": door } : { sluice: door, "sluice/plugin": door };
}

/** The default export, also of a module that was compiled to CommonJS. */
function pluginIn(module: unknown, file: string): object {
  const exported = defaultOf(module, file);
  const inner =
    typeof exported === "object" && exported !== null && "default" in exported ? exported.default : exported;
  if (typeof inner !== "object" || inner === null)
    throw new Error(`${file} does not have a plugin as its default export`);
  const wrong = misspeltMethod(inner);
  if (wrong) throw new Error(`${file} has a method "${wrong.method}"; did you mean "${wrong.meant}"?`);
  return inner;
}

/** The compiler gives what a CommonJS module in TypeScript exports as it is: `module.exports =` makes its default. */
function defaultOf(module: unknown, file: string): unknown {
  if (typeof module !== "object" || module === null) return undefined;
  if ("default" in module) return module.default;
  return extname(file) === ".cts" && Object.keys(module).length > 0 ? module : undefined;
}
