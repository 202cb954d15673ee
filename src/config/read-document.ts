import type { Place, Problem } from "../problem/problem.ts";
import { readPlainJson } from "./plain-json.ts";
import { isOrdinary } from "./plain-text.ts";
import { afterSpaces, DEEPEST_BRACKETS, isBracket, isOver, keyAt, valueAt } from "./plain-yaml-line.ts";
import { MARK, type ReadBounds, readText } from "./read-text.ts";
import { type ConfigTree, DEEPEST, type ParsedConfig, type TreeMember } from "./tree.ts";

/** The notations a file may be in. */
export type Format = "yaml" | "json";

/** A file that could be read, with the place of everything in it. */
export interface ConfigDocument {
  readonly path: string;
  readonly format: Format;
  readonly text: string;
  /** The byte order mark before the text; empty where the file has none. */
  readonly mark: string;
  readonly tree: ConfigTree;
  place(at: number): Place;
}

/** What reading a file gave. */
export type ReadDocument =
  | { readonly state: "missing" }
  | { readonly state: "ignored"; readonly problem: Problem }
  | { readonly state: "corrupt"; readonly problem: Problem; readonly text?: string }
  | { readonly state: "read"; readonly document: ConfigDocument };

/** Makes a tree of a text. */
export type ParseText = (format: Format, text: string) => ParsedConfig;

/** Reads one file of hooks. */
export function readDocumentWith(parse: ParseText, path: string, bounds: ReadBounds = {}): ReadDocument {
  const file = readText(path, bounds);
  if (file.state !== "read") return file;
  return parseDocumentWith(parse, path, file.text, file.hasMark ? MARK : "");
}

/** Reads the text of a file, as it is or as it would be. */
export function parseDocumentWith(
  parse: ParseText,
  path: string,
  text: string,
  mark = "",
): Exclude<ReadDocument, { state: "missing" | "ignored" }> {
  const place = placesIn(path, text);
  const format = formatOf(path);
  const { tree, fault } = parse(format, text);
  if (fault !== undefined) return { state: "corrupt", problem: fault.problem.at(place(fault.at)), text };
  return { state: "read", document: { path, format, text, mark, tree, place } };
}

function formatOf(path: string): Format {
  return /\.ya?ml$/i.test(path) ? "yaml" : "json";
}

/** The tree of a text in the simple notation of most files; `undefined` if it is not in that notation. */
export function parsePlain(format: Format, text: string): ConfigTree | undefined {
  return PLAIN_READERS[format](text);
}

const PLAIN_READERS = { yaml: readPlainYaml, json: readPlainJson };

/** Finds line and column of an offset; the lines are counted once, and only when a place is asked for. */
function placesIn(file: string, text: string): (at: number) => Place {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

/**
 * Reads the YAML that most files are made of, at a fraction of the library's cost on a cold start.
 * Returns `undefined` if it cannot decide about a text: then the library reads or refuses it.
 */
export function readPlainYaml(text: string): ConfigTree | undefined {
  if (!isOrdinary(text) || text.includes("\t") || text.includes("\r")) return undefined;
  // The line being read: where its content begins, in which column, and where it ends.
  let at = 0;
  let column = NOTHING;
  let end = -1;

  toNextLine();
  if (column === NOTHING) return { kind: "scalar", at: 0, value: null };
  const tree = block(1);
  // A line that lines up with nothing above it ends every list and object, and is left over.
  return column === NOTHING ? tree : undefined;

  /** Goes on to the next line that is neither blank nor a comment. */
  function toNextLine(): void {
    for (let start = end + 1; start < text.length; start = end + 1) {
      end = endOfLine(start);
      at = afterSpaces(text, start, end);
      column = at - start;
      if (!isOver(text, at, end)) return;
    }
    column = NOTHING;
  }

  function endOfLine(start: number): number {
    const found = text.indexOf("\n", start);
    return found === -1 ? text.length : found;
  }

  function block(depth: number): ConfigTree | undefined {
    if (depth >= DEEPEST) return undefined;
    return isDash() ? list(column, depth) : map(column, depth);
  }

  function isDash(): boolean {
    return text[at] === "-" && (at + 1 === end || text[at + 1] === " ");
  }

  function list(own: number, depth: number): ConfigTree | undefined {
    const start = at;
    const items: ConfigTree[] = [];
    while (column === own && isDash()) {
      const item = itemAfter(afterSpaces(text, at + 1, end), own, depth);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: "list", at: start, items };
  }

  function itemAfter(from: number, own: number, depth: number): ConfigTree | undefined {
    if (isOver(text, from, end)) return below(from, own, depth);
    if (keyAt(text, from, end) === undefined) return beside(from, own, depth);
    column += from - at;
    at = from;
    return block(depth + 1);
  }

  function map(own: number, depth: number): ConfigTree | undefined {
    const start = at;
    const members: TreeMember[] = [];
    const known = new Set<string>();
    while (column === own) {
      const member = memberAt(own, depth);
      if (member === undefined || known.has(member.key)) return undefined;
      known.add(member.key);
      members.push(member);
    }
    return { kind: "map", at: start, members };
  }

  function memberAt(own: number, depth: number): TreeMember | undefined {
    const start = at;
    const found = keyAt(text, start, end);
    if (found === undefined) return undefined;
    const from = afterSpaces(text, found.end, end);
    // The dashes of a list may be right under the key it belongs to.
    const value = isOver(text, from, end) ? below(from, own, depth, isDash) : beside(from, own, depth);
    return value && { key: found.value, at: start, value };
  }

  /** A value on the lines below, if they belong to it; else there is none, and its place would have been `near`. */
  function below(near: number, own: number, depth: number, alsoHere = () => false): ConfigTree | undefined {
    toNextLine();
    const isValue = column > own || (column === own && alsoHere());
    return isValue ? block(depth + 1) : { kind: "scalar", at: near, value: null };
  }

  /** A value that begins on the line of its key or dash, and is not a block of its own. */
  function beside(from: number, own: number, depth: number): ConfigTree | undefined {
    if (text[from] === "|") return literal(from, own);
    if (depth >= DEEPEST - DEEPEST_BRACKETS && isBracket(text[from])) return undefined;
    const value = valueAt(text, from, end);
    toNextLine();
    return value;
  }

  /** The lines below, as they are, without their indentation. */
  function literal(from: number, own: number): ConfigTree | undefined {
    const header = text.slice(from, end);
    if (header !== "|" && header !== "|-") return undefined;
    let value = "";
    let breaks = "";
    let indent = NOTHING;
    for (let start = end + 1; start < text.length; start = end + 1) {
      const stop = endOfLine(start);
      const width = afterSpaces(text, start, stop) - start;
      // Lines of nothing but spaces are ambiguous.
      if (start + width === stop && width > 0) return undefined;
      if (start < stop) {
        if (indent === NOTHING) indent = width;
        if (width < indent || width <= own) break;
        value += breaks + text.slice(start + indent, stop);
        breaks = "";
      }
      breaks += "\n";
      end = stop;
    }
    if (value === "") return undefined;
    toNextLine();
    return { kind: "scalar", at: from, value: header === "|" ? `${value}\n` : value };
  }
}

const NOTHING = -1;
