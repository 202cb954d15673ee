import type { Hook, Layer } from "../hook/hook.ts";
import { problems } from "../problem/problem.ts";
import { isDiscovered } from "./discover.ts";
import { edit } from "./edit.ts";
import { readLayerFiles } from "./layer-files.ts";
import { isThere, locate, type Whereabouts } from "./locate.ts";
import { planSave } from "./save-plan.ts";
import { writeAtomic } from "./write-atomic.ts";

/** The file of a layer that new hooks go to: the first that is there, else `hooks.json`. */
export function saveTarget(layer: Layer, root: string | undefined, where: Whereabouts = {}): string {
  const paths = locate(root, [layer], where).map(({ path }) => path);
  const [first = "", second = first] = paths;
  return paths.find(isThere) ?? second;
}

/**
 * Makes these the hooks of a layer. Each goes back to the file it came from, new ones to `saveTarget`; entries whose
 * hook is no longer in the list go, entries that cannot be read stay. Hooks of other layers are copied into this one;
 * scripts that are hooks by their name need no entry.
 */
export function saveLayer(
  layer: Layer,
  root: string | undefined,
  hooks: readonly Hook[],
  where: Whereabouts = {},
): void {
  const path = saveTarget(layer, root, where);
  const { shapes, files, errors } = readLayerFiles(locate(root, [layer], where));
  const target = shapes.find(({ document }) => document.path === path);
  const { plans, homeless } = planSave(
    shapes,
    hooks.filter((hook) => !isDiscovered(hook)),
    target,
  );
  const isNew = target === undefined && !files.some((file) => file.path === path);
  if (target === undefined && !isNew && homeless.length > 0) {
    const cause = errors.find(({ place }) => place?.file === path);
    throw PROBLEMS.targetUnreadable({ why: cause?.message ?? "" }, { place: cause?.place ?? { file: path }, cause });
  }
  const drafts = plans
    .filter(({ isChanged }) => isChanged)
    .map(({ shape: { document, list }, steps }) => ({
      path: document.path,
      text: document.mark + edit(document, list.path, steps),
    }));
  for (const draft of drafts) writeAtomic(draft.path, draft.text);
  if (isNew) writeAtomic(path, `${JSON.stringify({ hooks: homeless.map((hook) => hook.toJSON()) }, null, 2)}\n`);
}

const PROBLEMS = problems("config", {
  targetUnreadable: ({ why }: { why: string }) => ({
    what: `Nothing was saved, because this file cannot be read: ${why}`,
    fix: "Correct the file first; `sluice check` shows it.",
  }),
});
