import { Hook, type Layer } from "../hook/hook.ts";
import { problems } from "../problem/problem.ts";
import { isDiscovered } from "./discover.ts";
import { edit } from "./edit.ts";
import { readLayerFiles } from "./layer-files.ts";
import { isThere, locate, type Whereabouts } from "./locate.ts";
import { planSave } from "./save-plan.ts";
import { writeAtomic } from "../fs/write-atomic.ts";

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
  given: readonly (Hook | object)[],
  where: Whereabouts = {},
): void {
  const hooks = hooksIn(given);
  if (!root && (layer === "project" || layer === "local")) throw PROBLEMS.noRoot(undefined);
  const path = saveTarget(layer, root, where);
  const { shapes, errors } = readLayerFiles(locate(root, [layer], where));
  const target = shapes.find(({ document }) => document.path === path);
  const { plans, homeless } = planSave(
    shapes,
    hooks.filter((hook) => !isDiscovered(hook)),
    target,
  );
  // A link to a file that is not there yet makes that file.
  const isNew = target === undefined && !isThere(path);
  if (target === undefined && !isNew && homeless.length > 0) {
    const cause = errors.find(({ place }) => place?.file === path);
    throw PROBLEMS.targetUnreadable(
      { path, why: cause?.message ?? "" },
      { place: cause?.place ?? { file: path }, cause },
    );
  }
  const drafts = plans
    .filter(({ isChanged }) => isChanged)
    .map(({ shape: { document, list }, steps }) => ({
      path: document.path,
      text: document.mark + edit(document, list.path, steps),
    }));
  for (const draft of drafts) write(draft.path, draft.text);
  if (isNew) write(path, `${JSON.stringify({ hooks: homeless.map((hook) => hook.toJSON()) }, null, 2)}\n`);
}

/** Hooks, or what a file would say of them. */
function hooksIn(given: readonly (Hook | object)[]): readonly Hook[] {
  if (!Array.isArray(given)) throw PROBLEMS.noHooks(undefined);
  return given.map((hook) => (hook instanceof Hook ? hook : Hook.fromJSON(hook)));
}

function write(path: string, text: string): void {
  try {
    writeAtomic(path, text);
  } catch (cause) {
    throw PROBLEMS.notWritten({ path, cause: cause as NodeJS.ErrnoException }, { place: { file: path }, cause });
  }
}

/** Why a file could not be written, and what ends that. */
const UNWRITABLE: Readonly<Record<string, readonly [why: string, step: string]>> = {
  ENOTDIR: ["a part of its path is a file, where a folder is needed", "Rename that file"],
  EACCES: ["its permissions forbid it", "Make it writable for you"],
  EPERM: ["its permissions forbid it", "Make it writable for you"],
  EROFS: ["it lies where nothing can be written", "Choose another folder"],
  ENOSPC: ["the disk is full", "Make room"],
};

const PROBLEMS = problems("config", {
  noHooks: () => ({
    what: "Nothing was saved, because no list of hooks was handed over.",
    fix: "Hand over a list; an empty one removes the hooks that are there.",
  }),
  noRoot: () => ({
    what: "Nothing was saved, because the hooks belong to a project and its folder was not named.",
    fix: 'Hand over the project\'s folder: saveProject("/path/of/the/project", hooks).',
  }),
  notWritten: ({ path, cause: { code = "", message } }: { path: string; cause: NodeJS.ErrnoException }) => {
    const [why, step] = UNWRITABLE[code] ?? [message, "Make it possible to write there"];
    return { what: `${path} was not saved: ${why}.`, fix: `${step}, then save again.` };
  },
  targetUnreadable: ({ path, why }: { path: string; why: string }) => ({
    what: `Nothing was saved, because ${path} cannot be read: ${why}`,
    fix: "Correct the file first; `sluice check` shows it.",
  }),
});
