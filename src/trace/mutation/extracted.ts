import type { Grammar } from "./grammar.ts";
import { boundIn } from "./renamed.ts";
import { FIXED, keyOf, nodesOf, part, replaced, type Tree } from "./syntax-tree.ts";

/**
 * Whether the new tree is the old one with a part of it taken out into one new function or constant: put back where it
 * is called, it gives the old tree again. Only parts that do nothing but compute are looked at.
 */
export function isExtracted(old: Tree, young: Tree, grammar: Grammar): boolean {
  const known = new Set(old.kids.map(keyOf));
  const fresh = young.kids.filter((kid) => !known.has(keyOf(kid)) && declared(kid, grammar) !== undefined);
  return fresh.some((kid) => {
    const found = declared(kid, grammar);
    if (found === undefined || [...nodesOf(old)].some(({ text }) => text === found.name)) return false;
    const rest = { ...young, kids: young.kids.filter((other) => other !== kid) };
    const back = putBack(rest, found, old, grammar);
    return back !== undefined && keyOf(back) === keyOf(old);
  });
}

/** Something that is computed from its parameters, under a name. */
interface Declared {
  readonly name: string;
  /** Nothing for a constant. */
  readonly params: readonly string[] | undefined;
  readonly value: Tree;
}

function declared(tree: Tree, grammar: Grammar): Declared | undefined {
  const found = grammar.wasm === undefined ? scriptDeclared(tree) : otherDeclared(tree, grammar);
  if (found === undefined) return undefined;
  const isPure = [...nodesOf(found.value)].every(({ kind }) => !DOES_MORE.test(kind));
  if (found.params === undefined)
    return LITERAL.test(found.value.kind) && found.value.kids.every(isLeaf) ? found : undefined;
  return isPure && new Set(found.params).size === found.params.length ? found : undefined;
}

function scriptDeclared(tree: Tree): Declared | undefined {
  if (/^VariableDeclaration kind="const"/.test(tree.kind) && tree.kids.length === 1) {
    const [declarator] = tree.kids;
    const [id, init] = [declarator && part(declarator, "id"), declarator && part(declarator, "init")];
    const name = id && variableIn(id);
    if (init === undefined || name === undefined) return undefined;
    return /^ArrowFunctionExpression expression=true/.test(init.kind)
      ? functionOf(name, init, part(init, "body"))
      : { name, params: undefined, value: init };
  }
  if (!/^FunctionDeclaration(?: expression=false)?$/.test(tree.kind)) return undefined;
  const body = part(tree, "body");
  const [only] = body?.kids ?? [];
  const id = part(tree, "id");
  const isReturn = body?.kids.length === 1 && only?.kind === "ReturnStatement";
  return id === undefined || !isReturn ? undefined : functionOf(id.text, tree, part(only, "argument"));
}

function functionOf(name: string, tree: Tree, value: Tree | undefined): Declared | undefined {
  const params = tree.kids.filter(({ field }) => field === "params").map(variableIn);
  if (value === undefined || params.some((param) => param === undefined)) return undefined;
  return { name, params: params.flatMap((param) => param ?? []), value };
}

function otherDeclared(tree: Tree, { name: language }: Grammar): Declared | undefined {
  if (language === "Python" && tree.kind === "function_definition") {
    const [name, list, body] = [part(tree, "name"), part(tree, "parameters"), part(tree, "body")];
    const params = list?.kids.filter(({ kind }) => kind !== "token") ?? [];
    const [only] = body?.kids ?? [];
    const value = only?.kind === "return_statement" && body?.kids.length === 1 ? only.kids.at(-1) : undefined;
    if (name === undefined || value === undefined || params.some(({ kind }) => kind !== FIXED)) return undefined;
    return { name: name.text, params: params.map(({ text }) => text), value };
  }
  if (language === "Python" && tree.kind === "expression_statement" && tree.kids[0]?.kind === "assignment") {
    const [left, right] = [part(tree.kids[0], "left"), part(tree.kids[0], "right")];
    return left?.kind === "identifier" && right !== undefined
      ? { name: left.text, params: undefined, value: right }
      : undefined;
  }
  return undefined;
}

/** The tree with the taken-out part where it is called; undefined if it is never called, or could mean something else there. */
function putBack(tree: Tree, { name, params, value }: Declared, old: Tree, grammar: Grammar): Tree | undefined {
  let isSafe = true;
  let isUsed = false;
  const free = [...nodesOf(value)]
    .filter(({ isVariable, text }) => isVariable && !params?.includes(text))
    .map(({ text }) => text);
  const assigned = assignedIn(old);
  const inside = (node: Tree, bound: ReadonlySet<string>): Tree =>
    replaced(node, (kid) => {
      if (grammar.functions.some((word) => kid.kind.startsWith(word)) && bound === NONE)
        return [inside(kid, boundIn(kid))];
      const isNamed = kid.isVariable && kid.text === name;
      const args = params === undefined ? (isNamed ? [] : undefined) : argumentsOf(kid, name);
      if (args === undefined) return undefined;
      isUsed = true;
      if (params === undefined) return [value];
      if (free.some((text) => bound.has(text)) || args.length !== params.length) isSafe = false;
      if (args.some((arg) => !arg.isVariable || assigned.has(arg.text))) isSafe = false;
      const filled = new Map(params.map((param, index) => [param, args[index]]));
      return [withParts(value, filled)];
    });
  const back = inside(tree, NONE);
  const isGone = ![...nodesOf(back)].some(({ text }) => text === name);
  return isSafe && isUsed && isGone ? back : undefined;
}

function withParts(value: Tree, filled: ReadonlyMap<string, Tree | undefined>): Tree {
  const fill = (node: Tree) => (node.isVariable ? filled.get(node.text) : undefined);
  return (
    fill(value) ??
    replaced(value, (kid) => {
      const instead = fill(kid);
      return instead === undefined ? undefined : [instead];
    })
  );
}

function argumentsOf(tree: Tree, name: string): Tree[] | undefined {
  const callee = part(tree, "callee", "function");
  if (!/^(?:CallExpression$|call$)/.test(tree.kind) || callee?.text !== name) return undefined;
  const list = part(tree, "arguments");
  if (list?.kind === "argument_list") return list.kids.filter(({ kind }) => kind !== "token");
  return tree.kids.filter(({ field }) => field === "arguments");
}

/** Variables that get another value some time. */
function assignedIn(tree: Tree): Set<string> {
  const found = new Map<string, number>();
  for (const node of nodesOf(tree)) {
    if (
      !/^(?:AssignmentExpression|UpdateExpression|augmented_assignment|assignment|ForInStatement|ForOfStatement)/.test(
        node.kind,
      )
    )
      continue;
    const target = part(node, "left", "argument");
    for (const inner of target === undefined ? [] : nodesOf(target))
      found.set(inner.text, (found.get(inner.text) ?? 0) + (node.kind === "assignment" ? 1 : 2));
  }
  return new Set([...found].filter(([, times]) => times > 1).map(([text]) => text));
}

function variableIn(tree: Tree): string | undefined {
  const inner = tree.kind === "annotated" ? tree.kids[0] : tree;
  return inner?.isVariable ? inner.text : undefined;
}

function isLeaf({ kids }: Tree): boolean {
  return kids.length === 0;
}

const NONE: ReadonlySet<string> = new Set();
const LITERAL = /^(?:Literal|integer|float|string|true|false|none)\b/;
const DOES_MORE =
  /^(?:Assignment|Update|Await|Yield|This|Super|MetaProperty|Function|Arrow|Class|assignment|augmented|named_expression|await|yield|lambda|.*comprehension|delete)/;
