import { type Problem, problems } from "../problem/problem.ts";

/** The keys and positions that lead to a value. */
export type Path = readonly (string | number)[];

/** A document as it was written: plain values with their places, duplicate keys included. */
export type ConfigTree =
  | { readonly kind: "map"; readonly at: number; readonly members: readonly TreeMember[] }
  | { readonly kind: "list"; readonly at: number; readonly items: readonly ConfigTree[] }
  | { readonly kind: "scalar"; readonly at: number; readonly value: string | number | boolean | null }
  | { readonly kind: "flaw"; readonly at: number; readonly problem: Problem };

/** A key and its value; `at` is the position of the key. */
export interface TreeMember {
  readonly key: string;
  readonly at: number;
  readonly value: ConfigTree;
}

/** Something that is not allowed at its place, although the text can be read. */
export interface Flaw {
  readonly path: Path;
  readonly at: number;
  readonly problem: Problem;
}

/** The value as programs know it. Keys become own properties, whatever they are called. */
export function plain(tree: ConfigTree): unknown {
  switch (tree.kind) {
    case "map":
      return Object.fromEntries(tree.members.map(({ key, value }) => [key, plain(value)]));
    case "list":
      return tree.items.map(plain);
    case "scalar":
      return tree.value;
    case "flaw":
      return null;
  }
}

/**
 * Doubled keys, keys that reach into prototypes, objects with more keys than anyone reads, and whatever a reader could not
 * make a value of. One more than a file may have is enough: the rest is not looked for.
 */
export function flawsIn(tree: ConfigTree): Flaw[] {
  const flaws: Flaw[] = [];
  const path: (string | number)[] = [];
  look(tree);
  return flaws;

  function look(part: ConfigTree): void {
    if (flaws.length > MAX_PROBLEMS || part.kind === "scalar") return;
    if (part.kind === "flaw") tell(part.at, part.problem);
    else if (part.kind === "list") for (const [index, item] of part.items.entries()) into(index, item);
    else if (part.members.length > MAX_KEYS) tell(part.at, PROBLEMS.tooManyKeys({ count: part.members.length }));
    else intoMembers(part.members);
  }

  function intoMembers(members: readonly TreeMember[]): void {
    const known = new Set<string>();
    for (const { key, at, value } of members) {
      if (FORBIDDEN.includes(key)) tell(at, PROBLEMS.forbiddenKey({ key }), key);
      else if (known.has(key)) tell(at, PROBLEMS.doubledKey({ key }), key);
      known.add(key);
      into(key, value);
    }
  }

  function into(key: string | number, value: ConfigTree): void {
    if (value.kind === "scalar") return;
    path.push(key);
    look(value);
    path.pop();
  }

  function tell(at: number, problem: Problem, ...key: readonly string[]): void {
    flaws.push({ path: [...path, ...key], at, problem });
  }
}

/** The value under a key; the first one, should it be there twice. */
export function member(tree: ConfigTree | undefined, key: string): TreeMember | undefined {
  return tree?.kind === "map" ? tree.members.find((candidate) => candidate.key === key) : undefined;
}

/** The place of the value at a path, or of its key; else the nearest place in the document. */
export function offsetAt(tree: ConfigTree, path: Path, wanted: "key" | "value"): number {
  const [first, ...rest] = path;
  if (first === undefined) return tree.at;
  if (tree.kind === "list" && typeof first === "number") {
    const item = tree.items[first];
    return item === undefined ? tree.at : offsetAt(item, rest, wanted);
  }
  const found = member(tree, String(first));
  if (found === undefined) return tree.at;
  return rest.length === 0 && wanted === "key" ? found.at : offsetAt(found.value, rest, wanted);
}

/** What a reader made of a text: a tree, or the first thing that keeps it from being one. */
export type ParsedConfig =
  | { readonly tree: ConfigTree; readonly fault?: never }
  | { readonly fault: { readonly at: number; readonly problem: Problem }; readonly tree?: never };

/** How many lists and objects may lie inside each other. */
export const DEEPEST = 64;

/** How many problems of a file are reported; a file with more is not a configuration, and its rest is not read. */
export const MAX_PROBLEMS = 1000;
const MAX_KEYS = 1000;

const FORBIDDEN = ["__proto__", "prototype", "constructor"];

const PROBLEMS = problems("config", {
  forbiddenKey: ({ key }: { key: string }) => ({
    what: `The key \`${key}\` would reach into every object of the program; it is refused.`,
    fix: "Remove it.",
  }),
  doubledKey: ({ key }: { key: string }) => ({
    what: `The key \`${key}\` is here for the second time; which value is meant is unclear.`,
    fix: "Keep one of them.",
  }),
  tooManyProblems: () => ({
    what: `This file has more than ${MAX_PROBLEMS} problems. From here on none of its hooks are active.`,
    fix: "Correct the first ones; what they have in common is most likely the cause.",
  }),
  tooManyKeys: ({ count }: { count: number }) => ({
    what: `An object has ${count} keys; ${MAX_KEYS} are read at most.`,
    fix: "Remove what is not needed.",
  }),
  tooDeep: () => ({
    what: `More than ${DEEPEST} lists and objects lie inside each other here. None of the file's hooks are active.`,
    fix: "Flatten it.",
  }),
});

/** The same for every format. */
export const TOO_DEEP = PROBLEMS.tooDeep(undefined);
/** Where the rest of a file is not looked at. */
export const TOO_MANY_PROBLEMS = PROBLEMS.tooManyProblems(undefined);
