import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import type { createJiti, JitiOptions } from "jiti";
import { homeDir } from "../fs/home-dir.ts";
import { realPath } from "../fs/resolve-path.ts";
import { isOwnDir } from "../fs/state-dir.ts";

/**
 * The program and first arguments that run a TypeScript file, whose path follows; undefined if no compiler is installed.
 * What was compiled is kept in a folder of the user's own: by default the compiler believes what it finds in the project
 * or in the system's folder for temporary files, and a program that writes there would run in the script's place.
 */
export function typescriptInterpreter(
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] | undefined {
  const compiler = compilerPath();
  if (compiler === undefined) return undefined;
  return [process.execPath, "-e", starter(compiler, compilerOptions(env)), "--"];
}

/** The same compiler with the same care, for modules that are loaded into this process. */
export function loadCompiler(): { readonly createJiti: typeof createJiti; readonly options: JitiOptions } | undefined {
  const compiler = compilerPath();
  if (compiler === undefined) return undefined;
  const loaded = createRequire(compiler)(compiler) as { readonly createJiti: typeof createJiti };
  return { createJiti: loaded.createJiti, options: compilerOptions(process.env) };
}

/** `process.argv[1]` is the script, as in any program. What it throws ends it with exit code 1. */
function starter(compiler: string, options: JitiOptions): string {
  const made = `require(${JSON.stringify(compiler)}).createJiti(file, ${JSON.stringify(options)})`;
  return `const file = process.argv[1]; ${made}.import(file);`;
}

function compilerOptions(env: Readonly<Record<string, string | undefined>>): JitiOptions {
  const folder = cacheFolder(env);
  return { fsCache: isOwnDir(folder) ? folder : false, tryNative: false };
}

/** The command is one file in which a module does not know its path; there the path of the started program is used. */
function compilerPath(): string | undefined {
  try {
    const here: string | undefined = import.meta.url;
    return createRequire(here ?? realPath(process.argv[1] ?? "")).resolve("jiti");
  } catch {
    return undefined;
  }
}

function cacheFolder({ XDG_CACHE_HOME: stated }: Readonly<Record<string, string | undefined>>): string {
  const home = stated !== undefined && isAbsolute(stated) ? stated : join(homeDir(), ".cache");
  return join(home, "sluice", "typescript");
}
