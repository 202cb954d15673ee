import { dirname, isAbsolute, resolve } from "node:path";
import type { WorkBudget } from "../event/work-budget.ts";
import { isInProject } from "../fs/project-bounds.ts";
import { realPath } from "../fs/resolve-path.ts";
import type { Layer } from "../hook/hook.ts";
import { type Place, Problem, problems } from "../problem/problem.ts";
import type { Candidate } from "./locate.ts";
import { nothingKnown } from "./misplaced-hooks.ts";
import { findPack, type Pack } from "./pack.ts";
import { countsAs, type Protects, partNamed, tightening, unreadSetting } from "./protection.ts";
import { type ParseText, parseDocumentWith, readDocumentWith } from "./read-document.ts";
import { protectionMeant, type Statement } from "./settings.ts";
import { type ExtendedText, type FileShape, firstOf, isConfiguration, shapeOf } from "./shape.ts";

/** A file that was found, and what became of it. */
export interface FoundFile {
  readonly layer: Layer;
  readonly path: string;
  readonly state: "read" | "corrupt" | "ignored";
  /** The package that it came with. */
  readonly pack?: { readonly name: string; readonly version: string; readonly isInstalled?: true };
}

/** Which pack a file extends, and how. */
export interface PackRequest {
  readonly name: string;
  /** The folder of the file that extends it. */
  readonly folder: string;
  readonly layer: Layer;
  /** Where the file names it. */
  readonly place: Place;
  /** Whether it is written as `{ pack: name }`; a bare name may mean a package of `node_modules` too. */
  readonly isPack: boolean;
  /** The values of its parameters. */
  readonly given: unknown;
  /** The project in which its files have to be. */
  readonly root?: string | undefined;
}

/** An installed pack, or a placeholder for one that cannot be used. */
export interface OpenedPack {
  readonly shape: FileShape;
  /** Its file of hooks; undefined if it cannot be used. */
  readonly file: string | undefined;
  readonly version: string;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Files and folders whose change changes the pack. */
  readonly watched: readonly string[];
}

/** Opens a pack that is installed; nothing for a name that may be a package of `node_modules`. */
export type OpenPack = (request: PackRequest) => OpenedPack | undefined;

/** All files of the layers, in reading order, with what they extend before them. */
export interface LayerFiles {
  readonly files: readonly FoundFile[];
  readonly shapes: readonly FileShape[];
  /** Settings found in files that could not be parsed. */
  readonly rescued: readonly Statement[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Files besides `files` that change what is read here. */
  readonly watched?: readonly string[];
}

/** Reads the candidates that are there and the files they extend; each file is read once in a layer. A draft replaces its file. */
export function readLayerFiles(
  candidates: readonly Candidate[],
  parse: ParseText,
  managedOwner: number | "any" = 0,
  drafts: ReadonlyMap<string, string> = new Map(),
  openPack?: OpenPack,
  budget?: Pick<WorkBudget, "isSpent">,
): LayerFiles {
  const files: FoundFile[] = [];
  const shapes: FileShape[] = [];
  const rescued: Statement[] = [];
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const seen = new Set<string>();
  const watched: string[] = [];
  let length = 0;
  for (const { layer, path, root } of candidates) visit(path, layer, [], { root });
  return { files, shapes, rescued, errors, warnings, ...(watched.length > 0 && { watched }) };

  function visit(path: string, layer: Layer, above: readonly string[], { root, from, pack }: Visited): void {
    const id = `${layer} ${path}`;
    if (seen.has(id)) return;
    if (length > MAX_TEXT || budget?.isSpent()) {
      seen.add(id);
      files.push({ layer, path, state: "corrupt" });
      return void errors.push(PROBLEMS.tooMuch({ path }, { place: { file: path, line: 1, column: 1 } }));
    }
    const draft = layer === "managed" ? undefined : drafts.get(path);
    const owner = layer === "managed" && managedOwner !== "any" ? managedOwner : undefined;
    // A pack of `node_modules` may be linked from anywhere; `follow` has looked at where it is.
    const bounds = { owner, root: pack === undefined ? root : undefined };
    const read = draft === undefined ? readDocumentWith(parse, path, bounds) : parseDocumentWith(parse, path, draft);
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
    length += read.document.text.length;
    const shape = { ...shapeOf(read.document, layer), ...(pack && { pack }) };
    if (!isConfiguration(read.document.tree)) {
      const { tree, place, text } = read.document;
      const problem = (tree.kind === "scalar" && shape.list.corrupt) || nothingKnown(place(firstOf(tree)));
      files.push({ layer, path, state: "corrupt", ...packed });
      errors.push(problem);
      rescue(text, layer, problem.place ?? { file: path });
      return;
    }
    if (shape.extends.length > MAX_FILES)
      errors.push(PROBLEMS.tooManyFiles({ path }, { place: shape.extends[MAX_FILES]?.place }));
    for (const extended of shape.extends.slice(0, MAX_FILES)) follow(extended, shape, [...above, path], { root, pack });
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

  function follow(extended: ExtendedText, shape: FileShape, above: readonly string[], visited: Visited): void {
    const { text, place } = extended;
    const { root, pack: outer } = visited;
    const folder = dirname(shape.document.path);
    const isFile = extended.pack === undefined && (isAbsolute(text) || /^\.\.?[\\/]/.test(text));
    if (!isFile && outer === undefined && installed(extended, shape.layer, folder, root)) return;
    const pack = isFile ? outer : findPack(text, folder);
    if (pack instanceof Problem) return void errors.push(pack.at(place));
    const path = isFile ? resolve(folder, text) : (pack?.file ?? "");
    if (isFile && outer !== undefined && !outer.holds(path)) errors.push(PROBLEMS.leavesPack({ text }, { place }));
    else if (root !== undefined && pack !== undefined && !isPackOf(root, path))
      errors.push(PROBLEMS.packOutside({ text }, { place }));
    else if (above.includes(path)) errors.push(PROBLEMS.extendsItself({ text }, { place }));
    else if (above.length > DEEPEST) errors.push(PROBLEMS.extendsTooDeep(undefined, { place }));
    else if (files.length >= MAX_FILES) errors.push(PROBLEMS.tooManyFiles({ path }, { place }));
    else visit(path, shape.layer, above, { root, from: place, pack });
  }

  /** Whether a name means an installed pack, which is then read, or one that only `openPack` could know. */
  function installed(
    { text: name, place, pack }: ExtendedText,
    layer: Layer,
    folder: string,
    root: string | undefined,
  ): boolean {
    const isPack = pack !== undefined;
    const opened = openPack?.({ name, folder, layer, place, isPack, given: pack?.given, root });
    if (opened === undefined) return isPack;
    const id = `${layer} ${folder} pack ${name}`;
    if (seen.has(id)) return errors.push(PROBLEMS.packTwice({ name }, { place })) > 0;
    seen.add(id);
    const { version, file, shape } = opened;
    if (file !== undefined)
      files.push({ layer, path: file, state: "read", pack: { name, version, isInstalled: true } });
    shapes.push(shape);
    errors.push(...opened.errors);
    warnings.push(...opened.warnings);
    watched.push(...opened.watched);
    return true;
  }
}

/** How a file came to be read. */
interface Visited {
  /** The project in which the file has to be. */
  readonly root?: string | undefined;
  /** Where another file extends it. */
  readonly from?: Place | undefined;
  /** The package that it came with. */
  readonly pack?: Pack | undefined;
}

/** Whether a package belongs to a project: package managers may link packages from stores, in which they are in `node_modules` too. */
function isPackOf(root: string, file: string): boolean {
  return isInProject(root, file) || /[\\/]node_modules[\\/]/.test(realPath(file));
}

/** The protections in a file that cannot be parsed: one wrong character in it does not turn them off. */
export function protectionsOfBrokenFile(text: string, layer: Layer, place: Place): Statement[] {
  const seen = text.replaceAll(UNSEEN, "").replaceAll(COMMENT_LINE, "");
  const said: Statement[] = [];
  for (const found of seen.matchAll(STATED)) {
    const [whole, lead = "", key = "", word = ""] = found;
    const meant = protectionMeant(key, [], MAX_EDITS);
    if (meant === undefined) continue;
    const { setting, protects } = meant;
    const body = bodyAfter(seen, found.index + whole.length - word.length, lead.length);
    const stated = protects.whole
      ? [countsAs(word || (PRESET.exec(body)?.[1] ?? ""), protects.whole)]
      : partsIn(body, protects);
    const values = stated.map((value) => tightening(value, protects)).filter((value) => value !== undefined);
    said.push(...values.map((value) => ({ setting, value, layer, place })));
    if (said.length >= MAX_SAID) break;
  }
  return said;
}

/** The parts that are stated in the text of a setting; where there are none, nothing in it could be read. */
function partsIn(body: string, protects: Protects): unknown[] {
  const found = [...body.matchAll(STATED)].flatMap(([, , key = "", word = ""]) => {
    const name = partNamed(key, protects);
    const part = protects.parts?.[name ?? ""];
    return name === undefined || part === undefined ? [] : [{ [name]: countsAs(word, part) }];
  });
  return found.length === 0 ? [unreadSetting(protects, undefined)] : found;
}

/** Up to the end of its braces, or of the lines that are indented deeper than its key. */
function bodyAfter(text: string, from: number, depth: number): string {
  const rest = text.slice(from, from + LONGEST_BODY);
  const [braced] = /^\s*\{[^}]*/.exec(rest) ?? [];
  if (braced !== undefined) return braced;
  const [line = "", ...below] = rest.split("\n");
  const end = below.findIndex((next) => next.trim() !== "" && next.search(/[^ \t]/) <= depth);
  return [line, ...(end === -1 ? below : below.slice(0, end))].join("\n");
}

const DEEPEST = 16;
const MAX_FILES = 64;
/** Letters of all files together: as much as is read while a call waits. */
const MAX_TEXT = 4 * 1024 * 1024;

const PROBLEMS = problems("config", {
  extendsNothing: ({ path }: { path: string }) => ({
    what: `\`extends\` names ${path}, which is not there. Its hooks are missing.`,
    fix: "Correct the path; it is seen from this file's folder.",
  }),
  leavesPack: ({ text }: { text: string }) => ({
    what: `This file of a pack extends ${text}, which is outside the pack. Its hooks are missing.`,
    fix: "A pack may extend its own files and other packs; report this to its authors.",
  }),
  packOutside: ({ text }: { text: string }) => ({
    what: `The package "${text}" is linked to a folder that is neither in the project nor in a node_modules. Its hooks are missing.`,
    fix: "Install the package, or put its files into the project.",
  }),
  packTwice: ({ name }: { name: string }) => ({
    what: `The pack "${name}" is extended twice in this layer; only the first entry applies.`,
    fix: "Keep one of them, and put the values of both under its `with`.",
  }),
  extendsItself: ({ text }: { text: string }) => ({
    what: `\`extends\` names ${text}, which extends this file: a circle.`,
    fix: "Remove one of the two.",
  }),
  extendsTooDeep: () => ({
    what: `More than ${DEEPEST} files extend each other here. The rest is not read.`,
    fix: "Name the files directly.",
  }),
  tooMuch: ({ path }: { path: string }) => ({
    what: `${path} is not read: the files before it are as much as can be read while a call waits. None of its hooks are active.`,
    fix: "Remove hooks that are not needed, or put the rules of several into one.",
  }),
  tooManyFiles: ({ path }: { path: string }) => ({
    what: `${path} is not read: ${MAX_FILES} files of hooks have been read already.`,
    fix: "Put several of them together.",
  }),
});

/** What is between the letters when a text is read in another encoding than its own, and the mark before it. */
const UNSEEN = /[\0\uFEFF\uFFFD]/g;
const COMMENT_LINE = /^[ \t]*(?:#|\/\/).*$/gm;
/** A key at the beginning of a line or in braces, in either notation, and the first token of its value. */
const STATED = /(?:^|[{,])([ \t]*)["']?([A-Za-z_-]{1,40})["']?[ \t]*:[ \t]*["']?(\w*)/gm;
/** The preset of guards that are written as an object. */
const PRESET = /\bpreset["']?[ \t]*:[ \t]*["']?(\w+)/;
/** No honest text states more; one that does is an attack. */
const MAX_SAID = 100;
const LONGEST_BODY = 2000;
/** Called for nearly every token of a broken text. */
const MAX_EDITS = 1;
