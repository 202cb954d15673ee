import { statSync } from "node:fs";
import { sep } from "node:path";
import { realPath } from "../fs/resolve-path.ts";
import { getLatestAssistantMessage, getText, isToolOperation } from "../request/message-text.ts";
import { definePlugin, misspeltMethod } from "../request/plugin.ts";
import { HookRequest } from "../request/request.ts";
import { writeOutput } from "../request/write-output.ts";
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
  const compiler = loadCompiler();
  if (compiler === undefined) throw new Error("jiti, which loads plugins, is not installed beside Sluice");
  const { createJiti, options } = compiler;
  const isInstalled = createJiti(file, options).esmResolve("sluice", { try: true }) !== undefined;
  const jiti = createJiti(file, { ...options, interopDefault: false, virtualModules: doors(isInstalled) });
  for (const path of stale) delete jiti.cache[path];
  const before = new Set(Object.keys(jiti.cache));
  const module = await jiti.import(file);
  for (const path of Object.keys(jiti.cache)) {
    if (!before.has(path) && path !== file && !path.includes(`${sep}node_modules${sep}`)) brings(path);
  }
  return pluginIn(module, file);
}

/** What a plugin imports of Sluice is in this process already; so it may lie where Sluice is not installed. */
function doors(isInstalled: boolean): Record<string, object> {
  const door = { definePlugin, getLatestAssistantMessage, getText, HookRequest, isToolOperation, writeOutput };
  return isInstalled ? { "sluice/plugin": door } : { sluice: door, "sluice/plugin": door };
}

/** The default export, also of a module that was compiled to CommonJS. */
function pluginIn(module: unknown, file: string): object {
  const exported = defaultOf(module);
  const inner =
    typeof exported === "object" && exported !== null && "default" in exported ? exported.default : exported;
  if (typeof inner !== "object" || inner === null) throw new Error(`${file} has no plugin as its default export`);
  const wrong = misspeltMethod(inner);
  if (wrong) throw new Error(`${file} has a method "${wrong.method}"; did you mean "${wrong.meant}"?`);
  return inner;
}

function defaultOf(module: unknown): unknown {
  return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.mtimeMs} ${stats.size}`;
}
