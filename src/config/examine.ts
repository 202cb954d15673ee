import { resolve } from "node:path";
import type { Hook } from "../hook/hook.ts";
import { type Fingerprint, fingerprint } from "../trust/fingerprint.ts";
import { type Entry, lookUp, type Standing, standing } from "../trust/ledger.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { hookCode } from "./hook-code.ts";
import type { Loaded } from "./load.ts";
import { isOfProject } from "./project-layer.ts";
import { onlyTightens } from "./tighten.ts";

/** What a project wants to do, the bytes it would do it with, and what the user said about them. */
export interface Examined {
  readonly print: Fingerprint;
  readonly entry: Entry;
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
  return hooks.filter((hook) => !onlyTightens(hook));
}

/** Whether a hook runs or loads files of the disk. */
export function runsFiles({ type }: Hook): boolean {
  return type === "command" || type === "plugin";
}

function projectHooks({ hooks }: Loaded): Hook[] {
  return hooks.filter(({ layer }) => isOfProject(layer));
}
