import type { Grammar } from "./grammar.ts";
import { FIXED, keyOf, nodesOf, part, type Tree } from "./syntax-tree.ts";

/**
 * Whether two trees differ only in what variables are called, each one called the same everywhere, in names
 * that are not visible outside. Inside a function all names have to fit together, so that no variable takes the place of another.
 */
export function isRenamed(old: Tree, young: Tree, grammar: Grammar, isModule: boolean): boolean {
  const scopes = new Map<Tree, Scope>();
  if (!isAlike(old, young, scopeOf(scopes, old), scopes, grammar)) return false;
  const top = scopes.get(old);
  if (top === undefined) return false;
  const changed = [...scopes.values()].flatMap((scope) => [...scope.names].filter(([from, to]) => from !== to));
  if (changed.length === 0) return false;
  const spoken = new Set([...nodesOf(old)].map(({ text }) => text));
  if (grammar.reflective.some((name) => spoken.has(name))) return false;
  const touched = new Set(changed.flat());
  const { speaking = [] } = grammar;
  const isFixed = ({ kind, text }: Tree) => touched.has(text) && (kind === FIXED || speaking.includes(kind));
  if ([...nodesOf(old), ...nodesOf(young)].some(isFixed)) return false;
  if (grammar.hasMacros && isSpokenInTexts(old, touched)) return false;
  return [...scopes].every(
    ([root, scope]) => fits(root, scope, top, isModule, scope === top) && isClosed(root, scope, grammar),
  );
}

/** Nothing makes the renamed variables of a function visible outside, or lets their names mean something else before. */
function isClosed(root: Tree, { names }: Scope, { opens = [], bindsFirst = false, containers }: Grammar): boolean {
  const changed = [...names].filter(([from, to]) => from !== to).map(([from]) => from);
  if (changed.length === 0 || containers.includes(root.kind)) return true;
  const nodes = [...nodesOf(root)];
  if (nodes.some(({ kind }) => opens.includes(kind))) return false;
  return (
    !bindsFirst || changed.every((name) => nodes.find(({ isVariable, text }) => isVariable && text === name)?.binds)
  );
}

/** Macros may refer to a variable by its name in a string. */
function isSpokenInTexts(tree: Tree, names: ReadonlySet<string>): boolean {
  const texts = [...nodesOf(tree)].filter(({ isVariable, text }) => !isVariable && text !== "").map(({ text }) => text);
  return texts.some((text) => (text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => names.has(word)));
}

/** The names of one function, or of the code outside of all functions. */
interface Scope {
  readonly names: Map<string, string>;
  /** A name that became two, or two that became one. */
  isTorn: boolean;
}

function scopeOf(scopes: Map<Tree, Scope>, root: Tree): Scope {
  const known = scopes.get(root) ?? { names: new Map<string, string>(), isTorn: false };
  scopes.set(root, known);
  return known;
}

function isAlike(old: Tree, young: Tree, scope: Scope, scopes: Map<Tree, Scope>, grammar: Grammar): boolean {
  if (old.kind !== young.kind || old.field !== young.field || old.kids.length !== young.kids.length) return false;
  if (old.isVariable && young.isVariable && old.binds === young.binds) {
    const known = scope.names.get(old.text);
    if (known !== undefined && known !== young.text) scope.isTorn = true;
    scope.names.set(old.text, young.text);
  } else if (old.text !== young.text) return false;
  const isOutermost = scope === scopes.values().next().value && grammar.functions.includes(word(old));
  const inner = isOutermost ? scopeOf(scopes, old) : scope;
  return old.kids.every((kid, index) => {
    const other = young.kids[index];
    // The name of a function belongs to the surrounding scope.
    const isOwnName = isOutermost && (kid.field === "id" || kid.field === "name");
    return other !== undefined && isAlike(kid, other, isOwnName ? scope : inner, scopes, grammar);
  });
}

function fits(root: Tree, { names, isTorn }: Scope, top: Scope, isModule: boolean, isTop: boolean): boolean {
  if (isTorn || new Set(names.values()).size !== names.size) return false;
  const bound = boundIn(root);
  for (const [from, to] of names) {
    if (from === to) continue;
    if (bound.has(from)) {
      if (isTop && !isModule) return false;
      continue;
    }
    // Not from here: then it is a name of the file, and called the same there.
    if (isTop || !isModule || top.names.get(from) !== to) return false;
  }
  return true;
}

/** The variables that begin somewhere in a tree. */
export function boundIn(root: Tree): Set<string> {
  return new Set([...nodesOf(root)].filter(({ binds }) => binds).map(({ text }) => text));
}

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
    // A comment before the first of them may describe it.
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
