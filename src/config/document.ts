import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { type Problem, problems } from "../problem/problem.ts";
import { type Format, parseDocumentWith, parsePlain, type ReadDocument, readDocumentWith } from "./read-document.ts";
import type { ReadBounds } from "./read-text.ts";
import { readYaml } from "./read-yaml.ts";
import { type ConfigTree, DEEPEST, type ParsedConfig, TOO_DEEP } from "./tree.ts";

export type { ConfigDocument, ReadDocument } from "./read-document.ts";

/** Reads one file of hooks. */
export function readDocument(path: string, bounds: ReadBounds = {}): ReadDocument {
  return readDocumentWith(parseText, path, bounds);
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

/** Reads JSON with comments and trailing commas. */
export function readJson(text: string): ParsedConfig {
  const deep = tooDeepAt(text);
  if (deep !== undefined) return { fault: { at: deep, problem: TOO_DEEP } };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) return { fault: { at: first.offset, problem: syntaxProblem(first) } };
  return { tree: root === undefined ? { kind: "scalar", at: 0, value: null } : treeOf(root) };
}

/** Where the nesting gets too deep: checked before anything recurses into it. */
function tooDeepAt(text: string): number | undefined {
  if ((text.match(/[[{]/g)?.length ?? 0) <= DEEPEST) return undefined;
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    if (scanner.getTokenLength() > 1) continue;
    const char = text[scanner.getTokenOffset()];
    if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth > DEEPEST) return scanner.getTokenOffset();
  }
  return undefined;
}

function treeOf(node: Node): ConfigTree {
  const at = node.offset;
  switch (node.type) {
    case "object":
      return { kind: "map", at, members: (node.children ?? []).flatMap(memberOf) };
    case "array":
      return { kind: "list", at, items: (node.children ?? []).map(treeOf) };
    default:
      return { kind: "scalar", at, value: node.value };
  }
}

function memberOf({ children: [key, value] = [] }: Node) {
  return key === undefined || value === undefined
    ? []
    : [{ key: String(key.value), at: key.offset, value: treeOf(value) }];
}

function syntaxProblem({ error }: ParseError): Problem {
  return PROBLEMS.json({ what: EXPLAINED[printParseErrorCode(error)] ?? "something else is expected" });
}

const EXPLAINED: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not a value; strings need double quotes",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing } is expected",
  CloseBracketExpected: "a closing ] is expected",
  EndOfFileExpected: "the file should have ended before this",
  UnexpectedEndOfComment: "the comment has no end",
  UnexpectedEndOfString: "the string has no closing quote",
  UnexpectedEndOfNumber: "the number is not complete",
  InvalidUnicode: "this \\u escape is not complete",
  InvalidEscapeCharacter: "JSON has no such \\ escape",
  InvalidCharacter: "this character has to be escaped",
};

const PROBLEMS = problems("config", {
  json: ({ what }: { what: string }) => ({
    what: `This is not JSON: ${what}. None of the file's hooks are active.`,
    fix: "Correct it; comments and trailing commas are fine.",
  }),
});

const READERS = { yaml: readYaml, json: readJson };
