import type { Hook, Layer } from "../hook/hook.ts";
import { warn } from "../problem/problem.ts";
import { loadLayers } from "./load.ts";
import { LAYER_FILES } from "./locate.ts";
import { saveLayer, saveTarget } from "./save.ts";

/** How hooks are loaded from files. */
export interface HookLoadOptions {
  /** Throws the problem of a file, instead of warning about it and continuing. */
  readonly strict?: boolean;
}

/** Hooks in files: the user's own, and those of a project. */
// biome-ignore lint/complexity/noStaticOnlyClass: this is the name and the shape that users know.
export class HookConfig {
  /** The user's file, as seen from the folder for configuration (`$XDG_CONFIG_HOME`, else `~/.config`). */
  static readonly GLOBAL_FILE: string = LAYER_FILES.user[1];
  /** A project's file, as seen from its root. */
  static readonly PROJECT_FILE: string = LAYER_FILES.project[1];

  /** The file that new hooks of the user go to: the first that is there, else `GLOBAL_FILE`. */
  static getGlobalPath(): string {
    return saveTarget("user", undefined);
  }

  /** The file that new hooks of a project go to: the first that is there, else `PROJECT_FILE`. */
  static getProjectPath(root: string | null | undefined): string | null {
    return root ? saveTarget("project", root) : null;
  }

  /** The hooks of the user's files. */
  static loadGlobal(options: HookLoadOptions = {}): Hook[] {
    return load(undefined, ["user"], options);
  }

  /** The hooks of a project's files; what one developer keeps out of git (`hooks.local.*`) is only in `loadAll`. */
  static loadProject(root: string, options: HookLoadOptions = {}): Hook[] {
    return load(root, ["project"], options);
  }

  /** The hooks of every layer: managed, user, project, local; also those of a project that the user has not approved. */
  static loadAll(root?: string | null, options: HookLoadOptions = {}): Hook[] {
    return load(root ?? undefined, undefined, options);
  }

  /** Makes these the hooks of the user's files. What did not change stays as it was written. */
  static saveGlobal(hooks: readonly (Hook | object)[]): void {
    saveLayer("user", undefined, hooks);
  }

  /** Makes these the hooks of a project's files. What did not change stays as it was written. */
  static saveProject(root: string, hooks: readonly (Hook | object)[]): void {
    saveLayer("project", root, hooks);
  }
}

function load(root: string | undefined, layers: readonly Layer[] | undefined, options: HookLoadOptions): Hook[] {
  const { hooks, errors } = loadLayers(root, { ...options, ...(layers && { layers }) });
  for (const problem of errors) warn(problem);
  return [...hooks];
}
