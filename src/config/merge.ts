import { dirname, isAbsolute, resolve } from "node:path";
import type { WorkBudget } from "../event/work-budget.ts";
import { Hook, type HookSurroundings, LAYERS, type Layer } from "../hook/hook.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import { withoutApprovals } from "./deny-only.ts";
import { discoverHooks } from "./discover.ts";
import { readEntry } from "./entry.ts";
import type { Candidate } from "./locate.ts";
import type { FileShape, PlacedText } from "./shape.ts";
import { MAX_PROBLEMS, TOO_MANY_PROBLEMS } from "./tree.ts";

/** The hooks of all layers, in layer order, and who switched some of them off. */
export interface Merged {
  readonly hooks: readonly Hook[];
  /** In place of entries that cannot be read: each asks about the calls that its entry may have guarded. */
  readonly shut: readonly Hook[];
  readonly disabledBy: ReadonlyMap<Hook, Place>;
  /** Built-in guards that the user's own files switch off, by the names of their hooks. */
  readonly disabledGuards: ReadonlyMap<string, Place>;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** How far the entries of files are looked at. */
export interface MergeOptions {
  /** What is left of the work that reading may cost. */
  readonly budget?: Pick<WorkBudget, "isSpent"> | undefined;
  /** Whether mistakes that cost nothing are looked for. */
  readonly wantsWarnings?: boolean;
}

/**
 * Puts the layers together. They only tighten: a lower layer cannot change or turn off anything of a higher one.
 * A script that is a hook by its name gives way to a configured hook of that name, unless a lower layer configures it.
 */
export function merge(
  shapes: readonly FileShape[],
  folders: readonly Candidate[] = [],
  { budget, wantsWarnings = true }: MergeOptions = {},
): Merged {
  const orders = shapes.flatMap(({ layer, disabled }) => disabled.map((order) => ({ ...order, layer })));
  // Layers come in order, so the first order for a name is the highest, and reaches farthest.
  const byName = new Map(orders.toReversed().map((order) => [order.text, order]));
  const hooks: Hook[] = [];
  const shut: Hook[] = [];
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const disabledBy = new Map<Hook, Place>();
  const orderFor = (name: string, layer: Layer) => {
    const order = byName.get(name);
    return order !== undefined && reaches(order.layer, layer) ? order : undefined;
  };
  const wantsMore = () => wantsWarnings && warnings.length < MAX_PROBLEMS;
  const add = (hook: Hook, named: Map<string, Place>) => {
    hooks.push(hook);
    if (wantsMore()) warnings.push(...sameName(hook, named));
    const order = orderFor(hook.name, hook.layer);
    if (order !== undefined) disabledBy.set(hook, order.place);
  };
  const namedIn = new Map(LAYERS.map((layer) => [layer, new Map<string, Place>()]));
  for (const { document, layer, list, timeout, pack, isAged, cannotApprove } of shapes) {
    const named = namedIn.get(layer) ?? new Map();
    const isDisabled = (name: string) => orderFor(name, layer) !== undefined;
    const around = { timeout, isDisabled, ...((isAged || cannotApprove) && { cannotApprove: true as const }) };
    const already = errors.length;
    for (const entry of list.entries) {
      const isOver = errors.length - already >= MAX_PROBLEMS;
      if (isOver || budget?.isSpent()) {
        const problem = isOver ? TOO_MANY_PROBLEMS : PROBLEMS.takesTooLong(undefined);
        errors.push(problem.at(document.place(entry.tree.at)));
        break;
      }
      const read = readEntry(entry, document, layer, around, wantsMore());
      errors.push(...read.errors);
      if (read.shut !== undefined) shut.push(read.shut);
      warnings.push(...read.warnings);
      const hook = isAged && read.hook ? withoutApprovals(read.hook, around) : read.hook;
      if (hook !== undefined) add(pack ? fromPack(hook, document.path, around) : hook, named);
    }
  }
  const configured = [...hooks];
  for (const { path, layer, root } of folders) {
    const named = new Map<string, Place>();
    const found = discoverHooks(path, layer, { isDisabled: (name) => orderFor(name, layer) !== undefined }, root);
    errors.push(...found.errors);
    shut.push(...found.shut);
    warnings.push(...found.warnings);
    const isTaken = (name: string) => configured.some((hook) => hook.name === name && reaches(hook.layer, layer));
    for (const hook of found.hooks) if (!isTaken(hook.name)) add(hook, named);
  }
  hooks.sort((one, other) => LAYERS.indexOf(one.layer) - LAYERS.indexOf(other.layer));
  const [guards, others] = [orders.filter(isGuard), orders.filter((order) => !isGuard(order))];
  return {
    hooks,
    shut,
    disabledBy,
    disabledGuards: new Map(
      guards.filter(({ layer }) => reaches(layer, "user")).map(({ text, place }) => [text, place]),
    ),
    errors,
    warnings: [...warnings, ...powerless(others, hooks), ...guards.flatMap(cannotDisableGuard)],
  };
}

/** A pack is somewhere else in every project, so its scripts are seen from its own file. */
function fromPack(hook: Hook, file: string, around: HookSurroundings): Hook {
  const { script, origin } = hook;
  if (script === undefined || isAbsolute(script) || script.startsWith("~")) return hook;
  return Hook.fromJSON({ ...hook.toJSON(), script: resolve(dirname(file), script) }, origin, {
    ...around,
    isChecked: true,
  });
}

/** A layer may switch off its own hooks and those of lower layers. */
function reaches(from: Layer, to: Layer): boolean {
  return LAYERS.indexOf(from) <= LAYERS.indexOf(to);
}

function sameName(hook: Hook, named: Map<string, Place>): Problem[] {
  const { name, origin } = hook;
  if (!hook.isNamed || origin === undefined) return [];
  const first = named.get(name);
  if (first === undefined) named.set(name, origin.place);
  return first === undefined ? [] : [PROBLEMS.sameName({ name, first, place: origin.place }, { place: origin.place })];
}

/** Orders that switch nothing off, or not everything that they name. */
function powerless(orders: readonly Order[], hooks: readonly Hook[]): Problem[] {
  const highest = new Map<string, Layer>();
  for (const { name, layer } of hooks) if (!highest.has(name)) highest.set(name, layer);
  return orders.slice(0, MAX_ORDERS).flatMap(({ text: name, place, layer }) => {
    const owner = highest.get(name);
    if (owner === undefined) return [PROBLEMS.disablesNothing({ name, names: [...highest.keys()] }, { place })];
    return reaches(layer, owner) ? [] : [PROBLEMS.cannotDisable({ name, layer, owner }, { place })];
  });
}

/** Built-in guards do not come from a file; they belong to the user. */
function isGuard({ text }: PlacedText): boolean {
  return text.startsWith("guard:");
}

function cannotDisableGuard({ text: name, place, layer }: Order): Problem[] {
  return reaches(layer, "user") ? [] : [PROBLEMS.cannotDisable({ name, layer, owner: "user" }, { place })];
}

interface Order extends PlacedText {
  readonly layer: Layer;
}

/** A list of thousands of names is an attack; looking for what each might have meant would be its success. */
const MAX_ORDERS = 100;

const PROBLEMS = problems("config", {
  takesTooLong: () => ({
    what: "Reading the configuration takes longer than a call may wait. From here on none of this file's hooks are active.",
    fix: "Remove hooks that are not needed, or put the rules of several into one.",
  }),
  sameName: ({ name, first, place }: { name: string; first: Place; place: Place }) => ({
    what: `hook "${name}" has the name of the hook in line ${first.line ?? 1}${first.file === place.file ? "" : ` of ${first.file}`}. Both run.`,
    fix: "Give one of them another name, so that messages and `disabled` can distinguish them.",
  }),
  cannotDisable: ({ name, layer, owner }: { name: string; layer: Layer; owner: Layer }) => ({
    what: `\`disabled\` names "${name}", a hook of the ${owner} layer; it stays on: the ${layer} layer cannot switch it off.`,
    fix: `Disable it in the ${owner} configuration, or remove the name here.`,
  }),
  disablesNothing: ({ name, names }: { name: string; names: readonly string[] }) => ({
    what: `\`disabled\` names "${name}", and no hook is called that.`,
    fix: didYouMean(name, names) || "`sluice list` shows all names.",
  }),
});
