import { parseText } from "./document.ts";
import { openInstalledPack } from "./installed-pack.ts";
import { type Loaded, type LoadOptions, loadLayersWith } from "./load-layers.ts";

export type { Loaded, LoadOptions } from "./load-layers.ts";

/** Reads all layers that hold for a project, in whatever notation. One bad file or entry never drops the others. */
export function loadLayers(root: string | undefined, options: LoadOptions = {}): Loaded {
  return loadLayersWith(parseText, root, { openPack: openInstalledPack, ...options });
}
