import { dirname, join } from "node:path";

/** Where the modules may lie that a Python file imports: beside it, or in a folder above, where its package lies. */
export function importedFiles(text: string, homes: readonly string[]): string[] {
  const folders = [...new Set(homes.flatMap((home) => above(home, MOST_FOLDERS)))];
  const modules = [...text.matchAll(IMPORT)].flatMap(([, from, names = ""]) => modulesOf(from, names));
  return [...new Set(modules)].flatMap((module) => folders.flatMap((folder) => filesOf(folder, module)));
}

/** What stands behind `import` may be a module of the one behind `from`. */
function modulesOf(from: string | undefined, names: string): string[] {
  const listed = names.split(",").map((name) => /[\w.]+/.exec(name)?.[0] ?? "");
  const home = (from ?? "").replace(/^\.+/, "");
  return [home, ...listed.map((name) => (home === "" ? name : `${home}.${name}`))].filter((name) => name !== "");
}

function filesOf(folder: string, module: string): string[] {
  const parts = module.split(".").filter((part) => part !== "");
  const steps = parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)));
  return [...steps.map((step) => join(step, "__init__.py")), `${join(folder, ...parts)}.py`];
}

function above(folder: string, most: number): string[] {
  const parent = dirname(folder);
  return most <= 1 || parent === folder ? [folder] : [folder, ...above(parent, most - 1)];
}

const MOST_FOLDERS = 4;
const IMPORT = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]{0,2000}\)|[^\n#]{1,500})/gm;
