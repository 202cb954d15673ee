import { Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, Lexer, type Pair, Parser } from "yaml";
import { problems } from "../problem/problem.ts";
import { type ConfigTree, DEEPEST, type ParsedConfig, TOO_DEEP, type TreeMember } from "./tree.ts";

/** Reads one YAML 1.2 document of plain values. */
export function readYaml(text: string): ParsedConfig {
  const composed = compose(text);
  return composed.fault === undefined ? { tree: grow(composed.document) } : composed;
}

/** Composes the one document of a text, or reports why that is impossible. */
export function compose(
  text: string,
): { document: Document.Parsed; fault?: never } | { fault: NonNullable<ParsedConfig["fault"]>; document?: never } {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    // The composer recurses; a text that nests deeper than the stack would end the process, not throw.
    if (parser.stack.length > DEEPEST + OUTSIDE) return { fault: { at: parser.offset, problem: TOO_DEEP } };
    if (++lexemes > MAX_LEXEMES) return { fault: { at: parser.offset, problem: PROBLEMS.tooManyParts(undefined) } };
  }
  tokens.push(...parser.end());
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, keepSourceTokens: true });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  const [error] = document?.errors ?? [];
  const conflict = error === undefined ? -1 : text.search(/^<<<<<<< /m);
  if (conflict !== -1) return { fault: { at: conflict, problem: PROBLEMS.conflict(undefined) } };
  if (error !== undefined)
    return {
      fault: { at: error.pos[0], problem: PROBLEMS.yaml({ what: unquoted(error.message), code: codeOf(error, text) }) },
    };
  if (second !== undefined) return { fault: { at: second.range[0], problem: PROBLEMS.secondDocument(undefined) } };
  return document === undefined
    ? { fault: { at: 0, problem: PROBLEMS.yaml({ what: "it is empty", code: "" }) } }
    : { document };
}

/** A complaint of the library without what it quotes: the text may be that of any file. */
function unquoted(complaint: string): string {
  const [plain = ""] = complaint.split(QUOTING, 1);
  return plain;
}

/** What the library quotes begins after one of these. */
const QUOTING = /: (?!is |or )|(?<=Invalid escape sequence) |(?<=Unexpected) \S+(?= in )|, but expects/;

/** `<<: *base` brings the keys of another object that are not stated; of several, the first that has one. */
function merged(members: readonly TreeMember[]): readonly TreeMember[] {
  const [merge, ...others] = members.filter(({ key }) => key === MERGE_KEY);
  if (merge === undefined || others.length > 0) return members;
  const bases = merge.value.kind === "list" ? merge.value.items : [merge.value];
  const all = members.filter(({ key }) => key !== MERGE_KEY);
  for (const base of bases) {
    if (base.kind !== "map") return members;
    const known = new Set(all.map(({ key }) => key));
    all.push(...base.members.filter(({ key }) => !known.has(key)));
  }
  return all;
}

const MERGE_KEY = "<<";

/** Turns nodes into a tree, following aliases as far as they are harmless. */
function grow(document: Document.Parsed): ConfigTree {
  let aliases = 0;
  const tooMany = PROBLEMS.tooManyAliases(undefined);
  // An alias means the last anchor of its name before it. Nodes come in their order, save for those that an alias leads to.
  const anchors = new Map<string, unknown>();
  let isFollowing = false;
  return treeOf(document.contents, 0, 0);

  function treeOf(node: unknown, near: number, depth: number): ConfigTree {
    const at = offsetOf(node) ?? near;
    if (depth > DEEPEST) return { kind: "flaw", at, problem: TOO_DEEP };
    if (isAlias(node)) {
      if (++aliases > MAX_ALIASES) return { kind: "flaw", at, problem: tooMany };
      const named = anchors.get(node.source);
      if (named === undefined) return { kind: "flaw", at, problem: PROBLEMS.noAnchor({ name: node.source }) };
      const isInner = isFollowing;
      isFollowing = true;
      const tree = treeOf(named, at, depth + 1);
      isFollowing = isInner;
      return tree;
    }
    remember(node);
    if (hasStrangeTag(node)) return { kind: "flaw", at, problem: PROBLEMS.tag({ tag: String(node.tag) }) };
    if (isMap(node)) return { kind: "map", at, members: merged(node.items.map((pair) => memberOf(pair, at, depth))) };
    if (isSeq(node)) return { kind: "list", at, items: node.items.map((item) => treeOf(item, at, depth + 1)) };
    const value = isScalar(node) ? node.value : null;
    return isPlain(value) ? { kind: "scalar", at, value } : { kind: "flaw", at, problem: PROBLEMS.notPlain(undefined) };
  }

  function remember(node: unknown): void {
    const { anchor } = Object(node) as { anchor?: unknown };
    if (typeof anchor === "string" && !isFollowing) anchors.set(anchor, node);
  }

  function memberOf({ key, value }: Pair, near: number, depth: number): TreeMember {
    const at = offsetOf(key) ?? near;
    remember(key);
    if (isScalar(key)) return { key: String(key.value), at, value: treeOf(value, at, depth + 1) };
    return { key: "?", at, value: { kind: "flaw", at, problem: PROBLEMS.keyIsNoText(undefined) } };
  }
}

/** A tag makes something else of a value, and there is nothing else in a configuration. */
function hasStrangeTag(node: unknown): node is { tag: string } {
  const { tag } = Object(node) as { tag?: unknown };
  return typeof tag === "string" && !KNOWN_TAGS.has(tag);
}

function offsetOf(node: unknown): number | undefined {
  return (Object(node) as { range?: readonly number[] | null }).range?.[0];
}

function isPlain(value: unknown): value is string | number | boolean | null {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

/** A value that continues in the next line, although that line is a key of its own: that key is indented too far. */
function codeOf({ code, pos: [at] }: { code: string; pos: readonly [number, number] }, text: string): string {
  const [line = "", next = ""] = text.slice(at, at + MAX_LINE).split("\n", 2);
  return code === "BLOCK_AS_IMPLICIT_KEY" && !/:(?:\s|$)/.test(line) && /^ +[\w-]+:(?:\s|$)/.test(next)
    ? "KEY_TOO_DEEP"
    : code;
}

const MAX_LINE = 10_000;

/** The step for texts that YAML takes for something else, by the code of its complaint. */
const FIXES: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'Put it in quotes: an unquoted * begins the name of another value. "*" is every event.',
  BAD_SCALAR_START: "Put the text in quotes: it begins with a sign that means something in YAML.",
  BLOCK_AS_IMPLICIT_KEY: "Put the text in quotes, or begin it with `|` on the lines below: it has a colon in it.",
  KEY_TOO_DEEP: "Give the key on the next line as many spaces as this one, or put the text in quotes.",
  BAD_DQ_ESCAPE: "Put the text in single quotes, in which a backslash is a backslash, or double the backslash.",
  TAB_AS_INDENT: "Put spaces in place of the tabs at the beginning of the line.",
  MULTILINE_IMPLICIT_KEY: "Write a space between the colon and the value: `name: value`.",
  UNEXPECTED_TOKEN: "Put the text in quotes, or correct its brackets and quotes.",
};

/** The same for a code with several causes, by the text of the error. */
const MORE_FIXES: readonly (readonly [words: RegExp, fix: string])[] = [
  [/closing ['"]quote/, "Add the quote that is missing at the end of the text."],
  [/end with a [\]}]/, "Close the bracket that was opened before, or put the text in quotes."],
  [
    /block sequence may not|without - indicator/i,
    "Begin every hook with `- `, and write its other keys exactly below its first one.",
  ],
];
const INDENTATION = "Give keys that belong together the same number of spaces at the beginning of the line.";

/** Entries of the parser's stack besides lists and objects: the document, and the scalar being read. */
const OUTSIDE = 2;
/** As many as the library reads while a call waits: some 12,000 hooks. */
const MAX_LEXEMES = 350_000;
const MAX_ALIASES = 50;
const KNOWN_TAGS = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((tag) => `tag:yaml.org,2002:${tag}`),
);

const PROBLEMS = problems("config", {
  tooManyParts: () => ({
    what: `This YAML has more than ${MAX_LEXEMES} tokens, which take longer to read than a call may wait. None of the file's hooks are active.`,
    fix: "Remove what is not needed, or write it as JSON.",
  }),
  yaml: ({ what, code }: { what: string; code: string }) => ({
    what: `This is not YAML: ${what.replace(/\.$/, "")}. None of the file's hooks are active.`,
    fix: MORE_FIXES.find(([words]) => words.test(what))?.[1] ?? FIXES[code] ?? INDENTATION,
  }),
  conflict: () => ({
    what: "A merge has left its marks here. None of the file's hooks are active.",
    fix: "Keep one of the two sides, and remove the lines with <<<<<<<, ======= and >>>>>>>.",
  }),
  noAnchor: ({ name }: { name: string }) => ({
    what: `\`*${name}\` is a YAML alias, and the file does not have an anchor of that name.`,
    fix: `Put it in quotes, if it is a string: "*${name}".`,
  }),
  secondDocument: () => ({
    what: "A second document begins here; a file has one. None of its hooks are active.",
    fix: "Remove the `---`, or move the rest to a file of its own and name it in `extends`.",
  }),
  tooManyAliases: () => ({
    what: `More than ${MAX_ALIASES} aliases are followed up to here; that is how small files grow without end.`,
    fix: "Write the values out.",
  }),
  tag: ({ tag }: { tag: string }) => ({
    what: `The tag \`${tag}\` makes something else than a plain value.`,
    fix: "Remove the tag, or put the text in quotes.",
  }),
  notPlain: () => ({
    what: "This is not a plain value: strings, finite numbers, true, false and null are.",
    fix: "Put it in quotes.",
  }),
  keyIsNoText: () => ({ what: "A key has to be a string.", fix: "Put the key in quotes." }),
});
