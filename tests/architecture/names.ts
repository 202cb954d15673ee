import type { Check } from "./check.ts";
import type { SourceFile } from "./source-tree.ts";

const EXCUSED = ["Token"];

/** One name, one thing: what a reader or a user may search for is found once. */
export const NAMES = {
  "no two problems share a code": {
    find: (tree) => sharedNames(tree, problemCodes),
    breaks: {
      "hook/a.ts": 'const PROBLEMS = problems("hook", {\n  gone: () => ({ what: "a" }),\n});',
      "hook/b.ts":
        'const USAGE = problems("hook", {\n  other: (_: object) => ({ what: "b" }),\n  gone: ({ x }: X) => x,\n});',
    },
    violations: ["hook/gone is declared in hook/a.ts and hook/b.ts"],
    keeps: {
      "hook/a.ts": 'const PROBLEMS = problems("hook", {\n  gone: () => ({ what: "a" }),\n});',
      "rule/b.ts": 'const PROBLEMS = problems("rule", {\n  gone: () => ({ what: "b" }),\n});',
    },
  },
  "no two exported types share a name": {
    find: (tree) => sharedNames(tree, exportedTypes).map((found) => found.replace(/ is declared in .*$/, "")),
    breaks: { "hook/a.ts": "export interface Frame {}", "rule/b.ts": "export type Frame = 1;\nexport class Other {}" },
    violations: ["Frame"],
    keeps: { "hook/a.ts": "export interface Frame {}\ninterface Other {}", "rule/b.ts": "export class Other {}" },
    excused: EXCUSED,
  },
} as const satisfies Record<string, Check>;

/** Every name that more than one declaration of the tree bears, with the files in which they lie. */
function sharedNames(tree: readonly SourceFile[], namesIn: (file: SourceFile) => readonly string[]): string[] {
  const places = new Map<string, string[]>();
  for (const file of tree) for (const name of namesIn(file)) places.set(name, [...(places.get(name) ?? []), file.path]);
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name} is declared in ${files.join(" and ")}`)
    .sort();
}

function exportedTypes({ code }: SourceFile): string[] {
  return [...code.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(([, name = ""]) => name);
}

/** The codes of the problem tables in a file, as `room/row`; the rows of a table are indented by two blanks. */
function problemCodes({ code }: SourceFile): string[] {
  return [...code.matchAll(/\bproblems\("([\w-]+)", \{\n([\s\S]*?)\n\}\)/g)].flatMap(([, room, rows = ""]) =>
    [...rows.matchAll(/^ {2}(\w+):/gm)].map(([, row]) => `${room}/${row}`),
  );
}
