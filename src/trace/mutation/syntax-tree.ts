import { oncePerObject } from "../../event/once.ts";
/** A syntax tree, the same for every parser: what is left of a text without blanks and comments. */
export interface Tree {
  /** The parser's type of the node, with everything in it that is not a node of its own. */
  readonly kind: string;
  /** The text of a leaf; empty for everything else. */
  readonly text: string;
  readonly kids: readonly Tree[];
  /** Which part of its parent it is, if the parser names it. */
  readonly field: string;
  /** An identifier of a variable, which may be renamed. */
  readonly isVariable: boolean;
  /** The variable begins here. */
  readonly binds: boolean;
}

/** A text as a tree, and what in its comments is read by programs. */
export interface Parsed {
  readonly tree: Tree;
  readonly directives: readonly string[];
}

/** Parses a text; undefined if it cannot be parsed completely. */
export type Parse = (path: string, text: string) => Parsed | undefined;

/** Two trees have the same key when they are the same. */
export const keyOf = oncePerObject(
  (tree: Tree): string =>
    `(${tree.field}:${tree.kind}${tree.text === "" ? "" : ` ${JSON.stringify(tree.text)}`}${tree.kids.map(keyOf).join("")})`,
);

/** The tree and everything in it, from above. */
export function* nodesOf(tree: Tree): Generator<Tree, void, void> {
  yield tree;
  for (const kid of tree.kids) yield* nodesOf(kid);
}

/** A copy in which some nodes are others, or several, or gone; `undefined` leaves a node to its kids. */
export function replaced(tree: Tree, by: (node: Tree) => readonly Tree[] | undefined): Tree {
  let isOther = false;
  const kids = tree.kids.flatMap((kid) => {
    const instead = by(kid);
    const fresh = instead?.map((one) => (one.field === kid.field ? one : { ...one, field: kid.field })) ?? [
      replaced(kid, by),
    ];
    if (fresh.length !== 1 || fresh[0] !== kid) isOther = true;
    return fresh;
  });
  return isOther ? { ...tree, kids } : tree;
}

/** The part of a node with this name. */
export function part(tree: Tree, ...fields: readonly string[]): Tree | undefined {
  return tree.kids.find(({ field }) => fields.includes(field));
}

/** The kind of an identifier that begins or means a variable and cannot be called otherwise. */
export const FIXED = "fixed name";

/** A tree of one node. */
export function leaf(kind: string, text: string, field: string): Tree {
  return { kind, text, kids: [], field, isVariable: false, binds: false };
}
