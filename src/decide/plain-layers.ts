import { loadLayersWith } from "../config/load-layers.ts";
import { parsePlain } from "../config/read-document.ts";
import { readForCall } from "../config/written-files.ts";
import { WorkBudget } from "../event/work-budget.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import type { Layers } from "./project.ts";

/**
 * Reads the layers of a project for one cold call. Most files are written simply; only where one is not, the libraries that
 * read all of YAML and JSON are loaded, and the layers are read again with them.
 */
export async function readLayersOnce(root: string, budget = new WorkBudget()): Promise<Layers> {
  const plain = readForCall((drafts) => readPlainLayers(root, budget, drafts));
  return plain ?? (await import("./layers.ts")).readLayersForCall(root, budget);
}

function readPlainLayers(
  root: string,
  budget: WorkBudget,
  drafts: ReadonlyMap<string, string> = new Map(),
): Layers | undefined {
  let isPlain = true;
  // Packs are compared with their lock, byte by byte; what that takes is loaded where one is used.
  const openPack = () => {
    isPlain = false;
    return undefined;
  };
  const layers = loadLayersWith(
    (format, text) => {
      const tree = parsePlain(format, text);
      isPlain &&= tree !== undefined;
      return { tree: tree ?? EMPTY };
    },
    root,
    { openPack, drafts, wantsWarnings: false, budget },
  );
  return isPlain ? withGuards(layers) : undefined;
}

/** Stands for a text that is read again. */
const EMPTY = { kind: "scalar", at: 0, value: null } as const;
