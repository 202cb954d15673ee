import { join } from "node:path";
import type { LayerFiles } from "./layer-files.ts";
import { readLayerFiles } from "./layer-files.ts";
import { isThere, LAYER_FILES, type Whereabouts } from "./locate.ts";
import {
  ageOf,
  agedNotice,
  currentBundleFile,
  lostBundle,
  managedFolder,
  readCurrentBundle,
  readManagedSettings,
} from "./managed-bundle.ts";
import type { ParseText } from "./read-document.ts";
import type { Statement } from "./settings.ts";
import type { FileShape } from "./shape.ts";

/** The layers with the organisation's bundle among them. */
export interface WithBundle extends LayerFiles {
  readonly notices?: readonly string[];
  readonly watched?: readonly string[];
  readonly until?: number;
}

/**
 * Adds the bundle that was fetched last to the managed layer, behind the files in `/etc` and never instead of them. Where no
 * file says `managed`, nothing is looked for. A bundle that is too old only tightens: its approvals have ended.
 */
export function withManagedBundle(own: LayerFiles, parse: ParseText, where: Whereabouts = {}): WithBundle {
  const stated = statedIn(own.shapes);
  if (stated === undefined) return own;
  const settings = readManagedSettings(stated.value);
  const bundle = readCurrentBundle(where);
  const watched = [...(own.watched ?? []), currentBundleFile(where)];
  const lost = (kind: "never" | "damaged"): WithBundle => ({
    ...own,
    errors: [...own.errors, lostBundle(settings.url, kind, stated.place.file)],
    watched,
  });
  if (bundle === undefined) return lost("never");
  const folder = join(managedFolder(where), bundle.folder, "files");
  const candidates = LAYER_FILES.managed.map((name) => ({ layer: "managed" as const, path: join(folder, name) }));
  const present = candidates.filter(({ path }) => isThere(path));
  if (present.length === 0) return lost("damaged");
  const read = readLayerFiles(present, parse, "any");
  const { why, until } = ageOf(bundle, settings);
  const shapes = read.shapes.map((shape) => fromBundle(shape, String(bundle.version), why !== undefined));
  const behind = own.shapes.filter(({ layer }) => layer === "managed").length;
  return {
    files: [...own.files, ...read.files],
    shapes: own.shapes.toSpliced(behind, 0, ...shapes),
    rescued: [...own.rescued, ...read.rescued],
    errors: [...own.errors, ...read.errors],
    warnings: [...own.warnings, ...read.warnings],
    notices: why === undefined ? [] : [agedNotice(why)],
    watched,
    ...(why === undefined && { until }),
  };
}

/** The administrator's word counts before the user's; files come in layer order. */
function statedIn(shapes: readonly FileShape[]): Statement | undefined {
  for (const { statements } of shapes)
    for (const statement of statements) if (statement.setting === "managed") return statement;
  return undefined;
}

/** Where bundles come from is said outside of them. The statements of an old one count as a project's: they only tighten. */
function fromBundle(shape: FileShape, version: string, isAged: boolean): FileShape {
  const statements = shape.statements.filter(({ setting }) => setting !== "managed");
  const packed = { ...shape, pack: { name: "managed bundle", version } };
  if (!isAged) return { ...packed, statements };
  const aged = statements.map((statement) => ({ ...statement, layer: "local" as const, isAged: true as const }));
  return { ...packed, statements: aged, disabled: [], isAged };
}
