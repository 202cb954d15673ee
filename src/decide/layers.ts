import { openBundle } from "../bundle/open-bundle.ts";
import { type LoadOptions, loadLayers as loadUnverified } from "../config/load.ts";
import { readForCall, readWhenWritten } from "../config/written-files.ts";
import { WorkBudget } from "../event/work-budget.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import type { Layers, ProcessEnvironment } from "./project.ts";

/** Every decision is made with a managed bundle whose bytes were verified when they were loaded. */
function loadLayers(root: string, options: LoadOptions = {}): ReturnType<typeof loadUnverified> {
  return loadUnverified(root, { verifyBundle: openBundle, ...options });
}

/** Reads the layers of a project, and adds the guards that they ask for. */
export function readLayers(root: string, strict = false): Layers {
  return withGuards(strict ? loadLayers(root, { strict }) : readWhenWritten(() => loadLayers(root)));
}

/** The same for a call, which must not pass while a file of the user is missing for a short time. */
export function readLayersForCall(root: string, budget = new WorkBudget()): Layers {
  return withGuards(readForCall((drafts) => loadLayers(root, { drafts, wantsWarnings: false, budget }), root));
}

/** Reads layers of which some are other files than those that lie there. */
export function readLayersInstead(
  root: string,
  instead: LoadOptions["instead"] & object,
  env: ProcessEnvironment,
): Layers {
  return withGuards(loadLayers(root, { instead, env }));
}

/** The same for a cache that keeps them until one of their files appears, changes or goes, or one of `signsIn` appears. */
export function layersToKeep(root: string, budget: WorkBudget, signs: { readonly isMissing: boolean }): Layers {
  return { ...readLayersForCall(root, budget), isTraceMissing: signs.isMissing };
}

/** The same as they would be, were these texts saved under these paths. */
export function layersWithDrafts(root: string, drafts: ReadonlyMap<string, string>, where: LoadOptions = {}): Layers {
  return withGuards(loadLayers(root, { ...where, drafts }));
}
