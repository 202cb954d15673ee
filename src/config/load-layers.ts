import { dirname, join } from "node:path";
import { WorkBudget } from "../event/work-budget.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { type Hook, LAYERS, type Layer } from "../hook/hook.ts";
import { formatPlace, type Place, Problem } from "../problem/problem.ts";
import { type FoundFile, type LayerFiles, type OpenPack, readLayerFiles } from "./layer-files.ts";
import {
  type Candidate,
  isOfProject,
  isThere,
  LAYER_FILES,
  locate,
  lookalikes,
  noFolders,
  presence,
  scriptFolders,
  type Whereabouts,
} from "./locate.ts";
import {
  agedNotice,
  ageOf,
  type CurrentBundle,
  currentBundleFile,
  isBelowFloor,
  type LostBundle,
  lostBundle,
  managedFolder,
  PACKED_BUNDLE,
  readBundleFloor,
  readCurrentBundle,
  readManagedSettings,
  unnamedBundle,
} from "./managed-bundle.ts";
import { merge } from "./merge.ts";
import { WRONG_PROTECTION } from "./protection.ts";
import type { ParseText } from "./read-document.ts";
import { lowersGuards, type Settings, type Statement, settle, statedLowering, statedRungs } from "./settings.ts";
import type { FileShape } from "./shape.ts";

/** How the layers are read. */
export interface LoadOptions extends Whereabouts {
  /** Throws the first problem that costs a hook or a setting, instead of continuing without it. */
  readonly strict?: boolean;
  /** Only these layers; all of them when left out. */
  readonly layers?: readonly Layer[];
  /** Files that are used instead of those of the same layers, and of the project's folder of scripts. */
  readonly instead?: readonly Candidate[];
  /** The user who has to own managed files; root when left out. */
  readonly managedOwner?: number | "any";
  /** Texts that are read instead of what their files hold: texts of an editor, for example. */
  readonly drafts?: ReadonlyMap<string, string> | undefined;
  /** Opens the packs that files extend; none is used when left out. */
  readonly openPack?: OpenPack;
  /** Verifies the packed bytes of a managed bundle, and returns its files; they are not verified if it is left out. */
  readonly verifyBundle?: VerifyBundle | undefined;
  /** Whether hooks are also searched for harmless mistakes; a call does not report them. */
  readonly wantsWarnings?: boolean;
  /** What reading may cost; as much as a command may take when left out. */
  readonly budget?: Pick<WorkBudget, "isSpent"> | undefined;
}

/** Opens a bundle that one of these keys has signed; throws the problem of any other. */
type VerifyBundle = (
  packed: Buffer,
  keys: readonly string[],
) => {
  readonly hash: string;
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
};

/** Everything that is configured. */
export interface Loaded {
  /** In layer order; switched-off ones included. */
  readonly hooks: readonly Hook[];
  /** In place of entries that cannot be read: each asks about the calls that its entry may have guarded. */
  readonly shut: readonly Hook[];
  readonly settings: Settings;
  /** What costs a file, a hook or a setting. */
  readonly errors: readonly Problem[];
  /** What is most likely a mistake and costs nothing. */
  readonly warnings: readonly Problem[];
  readonly files: readonly FoundFile[];
  /** Settings of the project that lower a protection: they apply once the user has approved them (`isSettingApproved`). */
  readonly lowering: readonly Statement[];
  /** Hooks that a `disabled` list turned off, and the place of that list. */
  readonly disabledBy: ReadonlyMap<Hook, Place>;
  /** Built-in guards that the user's own files switch off, by the names of their hooks. */
  readonly disabledGuards: ReadonlyMap<string, Place>;
  /** What the user's own files and those of the project ask for, apart from hooks. */
  readonly stated?: { readonly user: StatedProtection; readonly project: StatedProtection };
  /** The question that every gate asks because a guard may be missing. */
  readonly notices: readonly string[];
  /** Files besides `files` that change what is read here. */
  readonly watched?: readonly string[];
  /** When it has to be read again although no file has changed, in milliseconds. */
  readonly until?: number | undefined;
}

/** What some files ask for besides hooks: the rungs of settings that protect, and what lowers guards. */
interface StatedProtection {
  readonly rungs: readonly string[];
  readonly lowered: readonly string[];
}

/** Reads all layers that hold for a project. One bad file or entry never drops the others. */
export function loadLayersWith(parse: ParseText, root: string | undefined, options: LoadOptions = {}): Loaded {
  const { instead = [] } = options;
  const replaced = instead.some(({ layer }) => isOfProject(layer)) ? OF_PROJECT : instead.map(({ layer }) => layer);
  const layers = (options.layers ?? LAYERS).filter((layer) => !replaced.includes(layer));
  const isPresent = presence(root);
  const present = ({ path }: { readonly path: string }) => isPresent(path);
  const candidates = [...locate(root, layers, options), ...instead]
    .sort(byLayer)
    .filter((one) => present(one) || options.drafts?.has(one.path));
  const { wantsWarnings = true, budget = new WorkBudget(COMMAND_MS) } = options;
  const own = readLayerFiles(candidates, parse, options.managedOwner, options.drafts, options.openPack, budget);
  const read: LayerFiles & Partial<ReturnType<typeof withManagedBundle>> = layers.includes("managed")
    ? withManagedBundle(own, parse, options, layers.includes("user") && instead.length === 0)
    : own;
  const merged = merge(read.shapes, scriptFolders(root, layers, options).filter(present), { budget, wantsWarnings });
  const statements = [...read.shapes.flatMap((shape) => shape.statements), ...read.rescued].sort(byLayer);
  const { settings, warnings } = settle(statements);
  const isOfFolder = (folder: string) => read.files.some(({ path }) => dirname(path) === folder);
  const lost = noFolders(root, layers, options, isOfFolder);
  const files = [...lost.map(({ found }) => ({ ...found, state: "corrupt" as const })), ...read.files];
  const inOrder = inReadingOrder(files);
  // A file with another name may be read after all: one that is extended.
  const isRead = ({ place }: Problem) => read.files.some(({ path }) => path === place?.file);
  const unread = lookalikes(root, layers, options, isPresent).filter((problem) => !isRead(problem));
  const errors = [...lost.map(({ problem }) => problem), ...read.errors, ...merged.errors].sort(inOrder);
  if (options.strict && errors[0] !== undefined) throw named(errors[0]);
  return {
    hooks: merged.hooks,
    shut: merged.shut,
    settings,
    errors,
    warnings: [...unread, ...read.warnings, ...merged.warnings, ...warnings].sort(inOrder),
    files,
    lowering: (settings.guardStatements ?? []).filter(
      ({ layer, value, isAged }) => isOfProject(layer) && !isAged && lowersGuards(value),
    ),
    stated: {
      user: protectionOf(statements.filter(({ layer }) => layer === "user")),
      project: protectionOf(statements.filter(({ layer, isAged }) => isOfProject(layer) && !isAged)),
    },
    disabledBy: merged.disabledBy,
    disabledGuards: merged.disabledGuards,
    notices: [...noticesFor(errors), ...(read.notices ?? [])],
    ...(read.watched && { watched: read.watched, until: read.until }),
  };
}

function protectionOf(statements: readonly Statement[]): StatedProtection {
  return { rungs: statedRungs(statements), lowered: statedLowering(statements) };
}

/** A problem that is thrown is often all that is shown, so its message begins with the place. */
function named(problem: Problem): Problem {
  const { place, fix } = problem;
  const what = place ? `${formatPlace(place)}: ${problem.message}` : problem.message;
  return new Problem(problem.code, { what, ...(fix && { fix }) }, { place, cause: problem });
}

/** What reading may cost a command, which also looks for mistakes. */
const COMMAND_MS = 3500;
const OF_PROJECT: readonly Layer[] = LAYERS.filter(isOfProject);

function byLayer(one: { readonly layer: Layer }, other: { readonly layer: Layer }): number {
  return LAYERS.indexOf(one.layer) - LAYERS.indexOf(other.layer);
}

/** By file, then by line: the order in which a person goes through them. */
function inReadingOrder(files: readonly FoundFile[]): (one: Problem, other: Problem) => number {
  const turn = ({ place }: Problem) => files.findIndex(({ path }) => path === place?.file);
  return (one, other) => turn(one) - turn(other) || (one.place?.line ?? 0) - (other.place?.line ?? 0);
}

/** The questions of gates while guards may be missing or are mistyped: one sentence for each file with a problem. */
function noticesFor(errors: readonly Problem[]): string[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of errors) {
    const file = problem.place?.file ?? "";
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [problem]);
    else known.push(problem);
  }
  return [...byFile.values()].map((problems) => {
    const costly = problems.find(({ code }) => code !== WRONG_PROTECTION);
    const told = costly ?? problems[0];
    const place = told?.place === undefined ? "the configuration" : formatPlace(told.place);
    const what = (told?.message ?? "").replace(/\.$/, "");
    const rest = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
    const fact = costly === undefined ? "A protection is mistyped" : "A guard may be missing";
    return `${fact}: ${place}: ${what}${rest}. \`sluice check\` shows it.`;
  });
}

/** The layers with the organisation's bundle among them. */
interface WithBundle extends LayerFiles {
  readonly notices?: readonly string[];
  readonly watched?: readonly string[];
  readonly until?: number;
}

/**
 * Adds the bundle that was fetched last to the managed layer, after the files in `/etc` and never instead of them. If no
 * file has `managed`, there is no bundle. A bundle that is too old only tightens: its approvals have ended.
 */
function withManagedBundle(own: LayerFiles, parse: ParseText, where: LoadOptions, isWhole: boolean): WithBundle {
  const stated = statedIn(own.shapes);
  // Whether a configuration names a bundle is known only if all of it was read.
  if (stated === undefined && !isWhole) return own;
  const floor = readBundleFloor(where);
  if (stated === undefined)
    return floor === undefined ? own : { ...own, errors: [...own.errors, unnamedBundle(floor, where)] };
  const settings = readManagedSettings(stated.value);
  const bundle = readCurrentBundle(where);
  const watched = [...(own.watched ?? []), currentBundleFile(where)];
  const lost = (kind: LostBundle): WithBundle => ({
    ...own,
    errors: [...own.errors, lostBundle(settings.url, kind, stated.place.file)],
    watched,
  });
  if (bundle === undefined) return lost(floor === undefined ? (settings.required ? "required" : "never") : "gone");
  if (isBelowFloor(bundle, floor)) return lost("older");
  const folder = join(managedFolder(where), bundle.folder, "files");
  const candidates = LAYER_FILES.managed.map((name) => ({ layer: "managed" as const, path: join(folder, name) }));
  const present = candidates.filter(({ path }) => isThere(path));
  if (present.length === 0) return lost("damaged");
  const keys = [...settings.keys, ...(floor === undefined ? [] : [floor.key])];
  if (where.verifyBundle && !isSigned(bundle, folder, keys, where.verifyBundle)) return lost("damaged");
  const read = readLayerFiles(present, parse, "any");
  const { why, until } = ageOf(bundle, settings);
  const shapes = read.shapes.map((shape) => fromBundle(shape, String(bundle.version), why !== undefined));
  const position = own.shapes.filter(({ layer }) => layer === "managed").length;
  return {
    files: [...own.files, ...read.files],
    shapes: own.shapes.toSpliced(position, 0, ...shapes),
    rescued: [...own.rescued, ...read.rescued],
    errors: [...own.errors, ...read.errors],
    warnings: [...own.warnings, ...read.warnings],
    notices: why === undefined ? [] : [agedNotice(why)],
    watched: [...watched, join(dirname(folder), PACKED_BUNDLE)],
    ...(why === undefined && { until }),
  };
}

/** Whether the files on the disk are those of a bundle that one of these keys has signed. */
function isSigned({ hash }: CurrentBundle, folder: string, keys: readonly string[], verify: VerifyBundle): boolean {
  try {
    const bundle = verify(readRegularFile(join(dirname(folder), PACKED_BUNDLE)), keys);
    return (
      bundle.hash === hash &&
      bundle.files.every(({ path, content }) => readRegularFile(join(folder, path)).equals(content))
    );
  } catch {
    return false;
  }
}

/** The administrator's setting has priority over the user's; files come in layer order. */
function statedIn(shapes: readonly FileShape[]): Statement | undefined {
  for (const { statements } of shapes)
    for (const statement of statements) if (statement.setting === "managed") return statement;
  return undefined;
}

/** The source of bundles is configured outside of them. Settings of an old bundle apply like a project's: they only tighten. */
function fromBundle(shape: FileShape, version: string, isAged: boolean): FileShape {
  const statements = shape.statements.filter(({ setting }) => setting !== "managed");
  const packed = { ...shape, pack: { name: "managed bundle", version } };
  if (!isAged) return { ...packed, statements };
  const aged = statements.map((statement) => ({ ...statement, layer: "local" as const, isAged: true as const }));
  return { ...packed, statements: aged, disabled: [], isAged };
}
