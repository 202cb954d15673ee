import { dirname, isAbsolute, resolve } from "node:path";
import type { Layer } from "../hook/hook.ts";
import { type Place, Problem, problems } from "../problem/problem.ts";
import { readDocument } from "./document.ts";
import type { Candidate } from "./locate.ts";
import { findPack, type Pack } from "./pack.ts";
import { protectionsOfBrokenFile } from "./protections-of-broken-file.ts";
import type { Statement } from "./settings.ts";
import { type FileShape, type PlacedText, shapeOf } from "./shape.ts";

/** A file that was found, and what became of it. */
export interface FoundFile {
  readonly layer: Layer;
  readonly path: string;
  readonly state: "read" | "corrupt" | "ignored";
  /** The package that it came with. */
  readonly pack?: { readonly name: string; readonly version: string };
}

/** All files of the layers, in reading order, with what they extend before them. */
export interface LayerFiles {
  readonly files: readonly FoundFile[];
  readonly shapes: readonly FileShape[];
  /** What files say about settings that could not be read otherwise. */
  readonly rescued: readonly Statement[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads the candidates that are there and the files they extend; each file counts once in a layer. */
export function readLayerFiles(candidates: readonly Candidate[], managedOwner = 0): LayerFiles {
  const files: FoundFile[] = [];
  const shapes: FileShape[] = [];
  const rescued: Statement[] = [];
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const seen = new Set<string>();
  for (const { layer, path } of candidates) visit(path, layer, []);
  return { files, shapes, rescued, errors, warnings };

  function visit(path: string, layer: Layer, above: readonly string[], from?: Place, pack?: Pack): void {
    const id = `${layer} ${path}`;
    if (seen.has(id)) return;
    const read = readDocument(path, layer === "managed" ? managedOwner : undefined);
    if (read.state === "missing") {
      if (from !== undefined) errors.push(PROBLEMS.extendsNothing({ path }, { place: from }));
      return;
    }
    seen.add(id);
    const packed = pack && { pack: { name: pack.name, version: pack.version } };
    if (read.state !== "read") {
      files.push({ layer, path, state: read.state, ...packed });
      (read.state === "ignored" ? warnings : errors).push(read.problem);
      if (read.state === "corrupt") rescue(read.text ?? "", layer, read.problem.place ?? { file: path });
      return;
    }
    const shape = { ...shapeOf(read.document, layer), ...(pack && { pack }) };
    for (const extended of shape.extends) follow(extended, shape, [...above, path], pack);
    files.push({ layer, path, state: shape.list.corrupt === undefined ? "read" : "corrupt", ...packed });
    if (shape.list.corrupt === undefined) shapes.push(shape);
    else {
      errors.push(shape.list.corrupt);
      rescue(read.document.text, layer, shape.list.corrupt.place ?? { file: path });
    }
    errors.push(...shape.errors);
    warnings.push(...shape.warnings);
  }

  function rescue(text: string, layer: Layer, place: Place): void {
    rescued.push(...protectionsOfBrokenFile(text, layer, place));
  }

  function follow({ text, place }: PlacedText, shape: FileShape, above: readonly string[], outer?: Pack): void {
    const folder = dirname(shape.document.path);
    const isFile = isAbsolute(text) || /^\.\.?[\\/]/.test(text);
    const pack = isFile ? outer : findPack(text, folder);
    if (pack instanceof Problem) return void errors.push(pack.at(place));
    const path = isFile ? resolve(folder, text) : (pack?.file ?? "");
    if (isFile && outer !== undefined && !outer.holds(path)) errors.push(PROBLEMS.leavesPack({ text }, { place }));
    else if (above.includes(path)) errors.push(PROBLEMS.extendsItself({ text }, { place }));
    else if (above.length > DEEPEST) errors.push(PROBLEMS.extendsTooDeep(undefined, { place }));
    else if (files.length >= MOST_FILES) errors.push(PROBLEMS.tooManyFiles({ path }, { place }));
    else visit(path, shape.layer, above, place, pack);
  }
}

const DEEPEST = 16;
const MOST_FILES = 64;

const PROBLEMS = problems("config", {
  extendsNothing: ({ path }: { path: string }) => ({
    what: `\`extends\` names ${path}, which is not there. Its hooks are missing.`,
    fix: "Correct the path; it is seen from this file's folder.",
  }),
  leavesPack: ({ text }: { text: string }) => ({
    what: `This file of a pack extends ${text}, which lies outside the pack. Its hooks are missing.`,
    fix: "A pack may extend its own files and other packs; tell its authors.",
  }),
  extendsItself: ({ text }: { text: string }) => ({
    what: `\`extends\` names ${text}, which extends this file: a circle.`,
    fix: "Remove one of the two.",
  }),
  extendsTooDeep: () => ({
    what: `More than ${DEEPEST} files extend each other here. The rest is not read.`,
    fix: "Name the files directly.",
  }),
  tooManyFiles: ({ path }: { path: string }) => ({
    what: `${path} is not read: ${MOST_FILES} files of hooks have been read already.`,
    fix: "Put several of them together.",
  }),
});
