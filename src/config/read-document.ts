import type { Place, Problem } from "../problem/problem.ts";
import { readPlainJson } from "./plain-json.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { MARK, readText } from "./read-text.ts";
import type { ConfigTree, ParsedConfig } from "./tree.ts";

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

/** Reads one file of hooks; an `owner` is the only user whose file counts. */
export function readDocumentWith(parse: ParseText, path: string, owner?: number): ReadDocument {
  const file = readText(path, owner);
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

/** The tree of a text in the simple notation that most files are written in; `undefined` says nothing about a text. */
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
