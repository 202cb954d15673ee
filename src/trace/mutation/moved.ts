import type { Grammar } from "./grammar.ts";
import { keyOf, part, type Tree } from "./syntax-tree.ts";

/** Whether two trees differ only in the order of declarations whose order means nothing. */
export function isMoved(old: Tree, young: Tree, grammar: Grammar): boolean {
  if (keyOf(old) === keyOf(young)) return true;
  if (old.kind !== young.kind || old.text !== young.text || old.kids.length !== young.kids.length) return false;
  if (grammar.containers.includes(word(old)) && isReordered(old.kids, young.kids, grammar)) return true;
  return (
    old.kids.length > 0 &&
    old.kids.every((kid, index) => {
      const other = young.kids[index];
      return other !== undefined && isMoved(kid, other, grammar);
    })
  );
}

/** The same declarations, what is free anywhere, what may change places among its neighbours, the rest in order. */
function isReordered(old: readonly Tree[], young: readonly Tree[], grammar: Grammar): boolean {
  if (old.some(({ kind }) => grammar.anchors?.includes(kind))) return false;
  const isFree = (tree: Tree) => grammar.free.includes(word(inner(tree)));
  const rests = [old, young].map((kids) => kids.filter((kid) => !isFree(kid)));
  const [oldRest = [], youngRest = []] = rests;
  const names = [...old].filter((kid) => isFree(kid) || isSwapped(kid, grammar)).map(nameOf);
  if (new Set(names).size !== names.length) return false;
  return (
    sorted(old.filter(isFree)) === sorted(young.filter(isFree)) &&
    runsOf(oldRest, grammar) === runsOf(youngRest, grammar)
  );
}

/** Neighbours that may change places count as one, whatever their order. */
function runsOf(kids: readonly Tree[], grammar: Grammar): string {
  const runs: string[] = [];
  for (let at = 0; at < kids.length; ) {
    const begin = at;
    while (at < kids.length && isSwapped(kids[at], grammar)) at++;
    // What stands before the first of them may be said about it.
    const pinned = grammar.pins && begin > 0 && at > begin ? 1 : 0;
    runs.push(...kids.slice(begin, begin + pinned).map(keyOf), sorted(kids.slice(begin + pinned, at)));
    const fixed = kids[at];
    if (fixed !== undefined) runs.push(keyOf(fixed));
    at++;
  }
  return runs.join("\n");
}

/** A declaration that does something when it is reached stays where it is. */
function isSwapped(tree: Tree | undefined, grammar: Grammar): boolean {
  if (tree === undefined || !grammar.swaps.includes(word(tree))) return false;
  const parameters = part(tree, "parameters", "params");
  const defaults = parameters?.kids.filter(({ kind }) => /default|optional/.test(kind)) ?? [];
  const isFixed = (kid: Tree) => kid.kids.length > 0 || kid.isVariable;
  if (defaults.some(({ kids }) => kids.some(isFixed)) || tree.kids.some(({ field }) => field === "decorators"))
    return false;
  return !tree.kind.includes("static") && !tree.kind.includes("computed");
}

function sorted(kids: readonly Tree[]): string {
  return kids.map(keyOf).sort().join("\n");
}

/** What an export declares. */
function inner(tree: Tree): Tree {
  return word(tree) === "ExportNamedDeclaration" ? (part(tree, "declaration") ?? tree) : tree;
}

function nameOf(tree: Tree): string {
  const name = part(inner(tree), "id", "name", "key");
  return name === undefined || name.text === "" ? keyOf(tree) : name.text;
}

function word({ kind }: Tree): string {
  const end = kind.indexOf(" ");
  return end === -1 ? kind : kind.slice(0, end);
}
