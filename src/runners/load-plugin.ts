import { readFileSync, statSync } from "node:fs";
import { dirname, extname, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Jiti } from "jiti";
import { importInstalled } from "../fs/import-package.ts";
import { realPath } from "../fs/resolve-path.ts";
import { getLatestAssistantMessage, getText, isToolOperation } from "../request/message.ts";
import { definePlugin, misspeltMethod } from "../request/plugin.ts";
import { HookRequest } from "../request/request.ts";
import { writeOutput } from "../request/standard-streams.ts";
import { modulesBeside } from "../trust/code-modules.ts";
import { loadCompiler } from "./typescript.ts";

/** The plugin that a file exports: loaded once, and again when the file or one that it brought along has changed. */
export function loadPlugin(path: string): Promise<object> {
  const file = realPath(path);
  const known = LOADED.get(file);
  if (known?.files.every((one) => stampOf(one.path) === one.stamp)) return known.plugin;
  const stale = known?.files.map((one) => one.path) ?? [file];
  const files = [{ path: file, stamp: stampOf(file) }];
  const plugin = load(file, stale, (brought) => files.push({ path: brought, stamp: stampOf(brought) }));
  LOADED.set(file, { plugin, files });
  // What failed is tried again: whatever it lacked may be there the next time.
  plugin.catch(() => LOADED.delete(file));
  return plugin;
}

interface Loaded {
  readonly plugin: Promise<object>;
  readonly files: readonly { readonly path: string; readonly stamp: string }[];
}

const LOADED = new Map<string, Loaded>();

async function load(file: string, stale: readonly string[], brings: (path: string) => void): Promise<object> {
  const modules = modulesOf(file).filter((path) => IMPORTED_BY_NODE.includes(extname(path)));
  for (const path of modules) if (path !== file) brings(path);
  const isOutdated = modules.some((path) => (IMPORTED.get(path) ?? stampOf(path)) !== stampOf(path));
  if (!isOutdated) for (const path of modules) IMPORTED.set(path, stampOf(path));
  const imported = isOutdated ? undefined : await importedByNode(file);
  const outdated = isOutdated ? modules : [];
  return pluginIn(imported ?? (await compiled(file, [...stale, ...outdated], isOutdated, brings)), file);
}

/** Node itself imports what the compiler would only pass on to it; where that fails, the compiler tries, and says why. */
async function importedByNode(file: string): Promise<unknown> {
  if (!NEVER_COMPILED.includes(extname(file))) return undefined;
  return importInstalled(pathToFileURL(file).href).catch(() => undefined);
}

async function compiled(
  file: string,
  stale: readonly string[],
  isOutdated: boolean,
  brings: (path: string) => void,
): Promise<unknown> {
  const compiler = loadCompiler();
  if (compiler === undefined) throw new Error("jiti, which loads plugins, is not installed beside Sluice");
  const { createJiti, options } = compiler;
  const isInstalled = createJiti(file, options).esmResolve("sluice", { try: true }) !== undefined;
  const jiti = createJiti(file, { ...options, interopDefault: false, virtualModules: doors(isInstalled) });
  for (const path of stale) delete jiti.cache[path];
  const before = new Set(Object.keys(jiti.cache));
  const module = await (isOutdated ? withoutNode(file, jiti) : jiti.import(file));
  for (const path of Object.keys(jiti.cache)) {
    if (!before.has(path) && path !== file && !isInPackage(path)) brings(path);
  }
  return module;
}

/**
 * Node keeps what it has imported for as long as the process lives, so that a changed module has to be compiled. What is
 * loaded in one go is compiled with all that it imports; a module that waits at its top is compiled alone.
 */
async function withoutNode(file: string, jiti: Jiti): Promise<unknown> {
  try {
    const exported: unknown = jiti(file);
    const isModule = extname(file) === ".mjs" || Object.hasOwn(Object(exported), "__esModule");
    return isModule ? exported : { default: exported };
  } catch {
    const module = { id: file, filename: file, ext: extname(file), async: true, forceTranspile: true } as const;
    return jiti.evalModule(readFileSync(file, "utf8"), module);
  }
}

/** A file and the modules beside it that it loads, as its text says, and those that they load; packages never change. */
function modulesOf(file: string): string[] {
  const found = new Set([file]);
  for (const path of found) {
    const code = { path, text: isInPackage(path) ? "" : codeIn(path), language: "javascript" } as const;
    for (const one of modulesBeside(code, [dirname(path)], isFile))
      if (found.size < MOST_MODULES) found.add(realPath(one));
  }
  return [...found];
}

/** Nothing where it cannot be read: that is told by what loads it. */
function codeIn(path: string): string {
  try {
    return CODE.test(path) ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function isInPackage(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`);
}

/** What Node has imported of plugins, as it was then. */
const IMPORTED = new Map<string, string>();
/** The endings of modules that the compiler hands to Node without a look at their text. */
const NEVER_COMPILED: readonly string[] = [".mjs", ".cjs"];
const IMPORTED_BY_NODE: readonly string[] = [...NEVER_COMPILED, ".js", ".json"];
const CODE = /\.[cm]?[jt]s$/;
const MOST_MODULES = 1000;

/** What a plugin imports of Sluice is in this process already; so it may lie where Sluice is not installed. */
function doors(isInstalled: boolean): Record<string, object> {
  const door = { definePlugin, getLatestAssistantMessage, getText, HookRequest, isToolOperation, writeOutput };
  return isInstalled ? { "sluice/plugin": door } : { sluice: door, "sluice/plugin": door };
}

/** The default export, also of a module that was compiled to CommonJS. */
function pluginIn(module: unknown, file: string): object {
  const exported = defaultOf(module, file);
  const inner =
    typeof exported === "object" && exported !== null && "default" in exported ? exported.default : exported;
  if (typeof inner !== "object" || inner === null) throw new Error(`${file} has no plugin as its default export`);
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

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.mtimeMs} ${stats.size}`;
}
