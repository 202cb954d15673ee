import { createRequire } from "node:module";
import { importInstalled } from "../../fs/import-package.ts";
import { realPath } from "../../fs/resolve-path.ts";
import type { Grammar } from "./grammar.ts";
import { FIXED, leaf, type Parse, type Tree } from "./syntax-tree.ts";

/** Loads a grammar of tree-sitter; undefined if the optional packages are not installed. */
export async function loadTreeSitter(grammar: Grammar): Promise<Parse | undefined> {
  const name = "web-tree-sitter";
  try {
    const library = (await importInstalled(name)) as Library;
    READY ??= library.Parser.init();
    await READY;
    const here: string | undefined = import.meta.url;
    const file = createRequire(here ?? realPath(process.argv[1] ?? "")).resolve(
      `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar.wasm}.wasm`,
    );
    const language = await library.Language.load(file);
    return (_, text) => {
      const parser = new library.Parser();
      parser.setLanguage(language);
      const parsed = parser.parse(text);
      try {
        const root = parsed?.rootNode;
        if (root === undefined || root.hasError) return undefined;
        const directives: string[] = [];
        const tree = treeOf(root, "", "", "", { grammar, directives, text });
        return { tree, directives };
      } finally {
        parsed?.delete();
        parser.delete();
      }
    };
  } catch {
    return undefined;
  }
}

/** The little of the library that is used. */
interface Library {
  readonly Parser: { init(): Promise<void>; new (): SitterParser };
  readonly Language: { load(file: string): Promise<unknown> };
}

interface SitterParser {
  setLanguage(language: unknown): void;
  parse(text: string): { readonly rootNode: SitterNode; delete(): void } | null;
  delete(): void;
}

interface SitterNode {
  readonly type: string;
  readonly text: string;
  readonly isNamed: boolean;
  readonly hasError: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly (SitterNode | null)[];
  fieldNameForChild(index: number): string | null;
}

interface Reading {
  readonly grammar: Grammar;
  readonly directives: string[];
  readonly text: string;
}

function treeOf(node: SitterNode, field: string, parent: string, grandparent: string, reading: Reading): Tree {
  const { grammar } = reading;
  const parts = node.children.flatMap((child, index) =>
    child === null ? [] : [{ child, field: node.fieldNameForChild(index) ?? "" }],
  );
  if (parts.length === 0) return leafOf(node, field, parent, grandparent, grammar);
  const isText = TEXTS.test(node.type);
  const kids: Tree[] = [];
  let at = node.startIndex;
  const gap = (end: number) => {
    const between = reading.text.slice(at, end);
    if (isText ? between !== "" : between.trim() !== "") kids.push(leaf("gap", isText ? between : between.trim(), ""));
  };
  for (const [index, { child, field: inner }] of parts.entries()) {
    gap(child.startIndex);
    at = child.endIndex;
    if (COMMENT.test(child.type)) {
      if (grammar.directives.test(child.text)) reading.directives.push(child.text.trim());
      continue;
    }
    if (
      isNeedless(
        child,
        parts.slice(index + 1).map((part) => part.child),
        node.type,
      )
    )
      continue;
    kids.push(treeOf(child, inner, node.type, parent, reading));
  }
  gap(node.endIndex);
  const plain = isText ? plainQuotes(kids) : kids;
  return { kind: node.type, text: "", kids: plain, field, isVariable: false, binds: false };
}

function leafOf(node: SitterNode, field: string, parent: string, grandparent: string, grammar: Grammar): Tree {
  const { variables = [], names = [], binders = [], fixed = [] } = grammar;
  const isNamedBy = (list: readonly string[]) =>
    list.includes(parent) || (field !== "" && list.includes(`${parent}.${field}`));
  const isVariable = variables.includes(node.type) && !isNamedBy(names);
  // Several targets of one assignment are in a list of their own.
  const isListed = LISTS.has(parent) && binders.some((binder) => binder.startsWith(`${grandparent}.`));
  const binds = isVariable && (isNamedBy(binders) || isListed);
  const text = TEXTS.test(node.type) ? node.text : node.text.trim();
  const isFixed = variables.includes(node.type) && isNamedBy(fixed);
  return { kind: isFixed ? FIXED : node.isNamed ? node.type : "token", text, kids: [], field, isVariable, binds };
}

/** A trailing comma and a line's end have no meaning, with the exceptions below. */
function isNeedless(child: SitterNode, following: readonly SitterNode[], parent: string): boolean {
  if (child.isNamed) return false;
  if (child.text.trim() === "") return true;
  const next = following.find(({ type }) => !COMMENT.test(type));
  return child.text === "," && next !== undefined && /^[)\]}]$/.test(next.text) && !MEANT_COMMAS.has(parent);
}

/** The kind of quotes around a string has no meaning if it contains neither quotes nor escapes. */
function plainQuotes(kids: readonly Tree[]): readonly Tree[] {
  const [first, last] = [kids[0], kids.at(-1)];
  if (first?.kind !== "string_start" || last?.kind !== "string_end") return kids;
  if (kids.slice(1, -1).some((kid) => keyText(kid).match(/["'\\]/))) return kids;
  const plain = (kid: Tree) => ({ ...kid, text: kid.text.replaceAll("'", '"') });
  return [plain(first), ...kids.slice(1, -1), plain(last)];
}

function keyText({ text, kids }: Tree): string {
  return text + kids.map(keyText).join("");
}

let READY: Promise<void> | undefined;
const COMMENT = /comment/;
/** Nodes in which every blank is significant. */
const TEXTS =
  /string|char|heredoc|template|regex|raw|content|quoted|symbol_array|string_array|preproc_arg|system_lib|subshell|escape/;
const MEANT_COMMAS = new Set(["subscript", "token_tree", "block_parameters", "pattern_list", "expression_list"]);
const LISTS = new Set(["expression_list", "pattern_list", "tuple_pattern", "left_assignment_list"]);
