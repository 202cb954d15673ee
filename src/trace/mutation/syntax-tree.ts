/** A syntax tree, the same for every parser: what is left of a text without blanks and comments. */
export interface Tree {
  /** The parser's word for it, with everything in it that is no part of its own. */
  readonly kind: string;
  /** What a leaf says; empty for everything else. */
  readonly text: string;
  readonly kids: readonly Tree[];
  /** Which part of its parent it is, where the parser says so. */
  readonly field: string;
  /** An identifier that stands for a variable, and so may be called otherwise. */
  readonly isVariable: boolean;
  /** The variable begins here. */
  readonly binds: boolean;
}

/** A text as a tree, and what in its comments is read by programs. */
export interface Parsed {
  readonly tree: Tree;
  readonly directives: readonly string[];
}

/** Parses a text; nothing when it cannot be parsed whole. */
export type Parse = (path: string, text: string) => Parsed | undefined;

/** Two trees have the same key when they are the same. */
export function keyOf(tree: Tree): string {
  const known = KEYS.get(tree);
  if (known !== undefined) return known;
  const key = `(${tree.field}:${tree.kind}${tree.text === "" ? "" : ` ${JSON.stringify(tree.text)}`}${tree.kids.map(keyOf).join("")})`;
  KEYS.set(tree, key);
  return key;
}

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

const KEYS = new WeakMap<Tree, string>();

/** A tree of one node. */
export function leaf(kind: string, text: string, field: string): Tree {
  return { kind, text, kids: [], field, isVariable: false, binds: false };
}
