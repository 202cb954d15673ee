import { statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hook } from "../hook/hook.ts";
import { loadCompiler } from "./typescript.ts";
import { fromHome } from "./working-directory.ts";

/** The file of a plugin hook's module: a path, or a package; `undefined` when neither is there. */
export function moduleFile(hook: Hook, cwd: string): string | undefined {
  const module = fromHome((hook.module ?? "").replace(/^file:(?:\/\/)?/, ""));
  const folders = foldersFor(hook, cwd);
  const endings = isPath(module) ? ENDINGS : [""];
  const files = folders.flatMap((folder) => endings.map((ending) => resolve(folder, module) + ending));
  return files.find(isFile) ?? (isPath(module) ? undefined : packageFile(module, folders));
}

/**
 * Where a module is looked for. A file that configures hooks means its own neighbours: a plugin of the user is never
 * taken from the project that happens to be open.
 */
function foldersFor({ origin }: Hook, cwd: string): readonly string[] {
  if (origin === undefined) return [cwd];
  const own = dirname(resolve(origin.place.file));
  return origin.layer === "project" || origin.layer === "local" ? [own, dirname(own), cwd] : [own];
}

function isPath(module: string): boolean {
  return isAbsolute(module) || module.startsWith("./") || module.startsWith("../");
}

function packageFile(name: string, folders: readonly string[]): string | undefined {
  const compiler = loadCompiler();
  for (const folder of name === "" || compiler === undefined ? [] : folders) {
    const found = compiler?.createJiti(join(folder, "plugin.js"), compiler.options).esmResolve(name, { try: true });
    if (found?.startsWith("file:")) return fileURLToPath(found);
  }
  return undefined;
}

/** Whether there is a file under a path, also through a symlink. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Changes when a file of a plugin does. */
export function fileStamp(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"] as const;
