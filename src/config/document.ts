import { type Format, parseDocumentWith, parsePlain, type ReadDocument, readDocumentWith } from "./read-document.ts";
import { readJson } from "./read-json.ts";
import { readYaml } from "./read-yaml.ts";
import type { ParsedConfig } from "./tree.ts";

export type { ConfigDocument, ReadDocument } from "./read-document.ts";

/** Reads one file of hooks; an `owner` is the only user whose file counts. */
export function readDocument(path: string, owner?: number): ReadDocument {
  return readDocumentWith(parseText, path, owner);
}

/** Reads the text of a file, as it is or as it would be. */
export function parseDocument(path: string, text: string, mark = ""): ReturnType<typeof parseDocumentWith> {
  return parseDocumentWith(parseText, path, text, mark);
}

/** Makes a tree of any text: the libraries know all of their notation and are slow; most files need neither. */
export function parseText(format: Format, text: string): ParsedConfig {
  const tree = parsePlain(format, text);
  return tree === undefined ? READERS[format](text) : { tree };
}

const READERS = { yaml: readYaml, json: readJson };
