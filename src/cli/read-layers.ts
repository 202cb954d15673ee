import { type Loaded, loadLayers } from "../config/load.ts";
import { withGuards } from "../guards/with-guards.ts";

/** What the files of a project and its user say, with the guards they ask for; nothing is taken out of it yet. */
export type Layers = Loaded;

/** Reads the layers of a project. */
export function readLayers(root: string, strict = false): Layers {
  return withGuards(loadLayers(root, { strict }));
}
