import { type Loaded, loadLayers } from "../config/load.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import { traceFolder } from "../trace/change/trace-paths.ts";

/** What the files of a project and its user say, with the guards they ask for; nothing is taken out of it yet. */
export interface Layers extends Loaded {
  /** No trace is kept in the project; the layers are read again when one comes. Left out where nobody looked. */
  readonly isTraceMissing?: boolean;
}

/** Reads the layers of a project. */
export function readLayers(root: string, strict = false): Layers {
  return withGuards(loadLayers(root, { strict }));
}

/** The same for whoever keeps them until one of their files comes, changes or goes, or one of `signsIn` comes. */
export function layersToKeep(root: string, signs: { readonly isMissing: boolean }): Layers {
  return { ...readLayers(root), isTraceMissing: signs.isMissing };
}

/** What changes a call when it comes, and is no file of a layer. */
export function signsIn(root: string): readonly string[] {
  return [traceFolder(root)];
}
