import type { Check } from "./check.ts";
import { FLOORS, PURE_ROOMS } from "./floors.ts";
import type { SourceFile } from "./source-tree.ts";

/** Which way the imports point. */
export const DIRECTION = {
  "every room has a floor and imports only from lower ones": {
    find: (tree) => tree.flatMap((file) => climbs(file, tree)),
    breaks: {
      "event/event.ts": 'import type { Hook } from "../hook/hook.ts";\nconst later = import("../engine/run.ts");',
      "hook/hook.ts": 'export {\n  type EventName,\n  EVENTS,\n} from "../event/event.ts";',
      "engine/run.ts": 'import "../install/apply.ts";',
      "install/apply.ts": "",
      "attic/old.ts": "",
    },
    violations: [
      "event/event.ts (floor 2) imports hook/hook.ts (floor 4)",
      "event/event.ts (floor 2) imports engine/run.ts (floor 9)",
      "engine/run.ts (floor 9) imports install/apply.ts (floor 9)",
      "attic/old.ts lies in a room without a floor",
    ],
    keeps: {
      "event/event.ts": '/** As in `import { Hook } from "../hook/hook.ts"`. */\nimport { at } from "./data.ts";',
      "event/data.ts": "",
      "hook/hook.ts": 'import { x } from "../event/event.ts";\n// import { y } from "../engine/run.ts";',
      "index.ts": 'export * from "./hook/hook.ts";',
    },
  },
  "no file imports itself through others, not even for a type": {
    find: circles,
    breaks: {
      "hook/a.ts": 'import type { B } from "./b.ts";',
      "hook/b.ts": 'export { c } from "./c.ts";',
      "hook/c.ts": 'const a = () => import("./a.ts");',
      "hook/d.ts": 'import { a } from "./a.ts";',
    },
    violations: ["hook/a.ts → hook/b.ts → hook/c.ts → hook/a.ts"],
    keeps: {
      "hook/a.ts": 'import { b } from "./b.ts";\nimport { c } from "./c.ts";',
      "hook/b.ts": 'import { c } from "./c.ts";',
      "hook/c.ts": "",
    },
  },
  "policies import only the door of effects": {
    find: (tree) =>
      tree
        .filter(({ room }) => room.startsWith("policies/"))
        .flatMap(({ path, imports }) =>
          imports
            .filter((target) => target.startsWith("effects/") && target !== "effects/index.ts")
            .map((target) => `${path} imports ${target}`),
        ),
    breaks: { "policies/undo/a.ts": 'import type { Word } from "../../effects/parse/command.ts";' },
    violations: ["policies/undo/a.ts imports effects/parse/command.ts"],
    keeps: {
      "policies/undo/a.ts": 'import type { Word } from "../../effects/index.ts";',
      "rule/a.ts": 'import { isOutside } from "../effects/path-class.ts";',
    },
  },
  "pure rooms import nothing of Node": {
    find: (tree) =>
      tree
        .filter((file) => PURE_ROOMS.includes(file.room))
        .flatMap((file) => file.imports.filter(isNode).map((name) => `${file.path} imports ${name}`)),
    breaks: {
      "event/event.ts": 'import { readFileSync } from "node:fs";',
      "rule/rule.ts": 'import type { Stats } from "fs";',
    },
    violations: ["event/event.ts imports node:fs", "rule/rule.ts imports fs"],
    keeps: {
      "runners/command.ts": 'import { spawn } from "node:child_process";',
      "hook/hook.ts": 'import * as v from "valibot";',
    },
  },
} as const satisfies Record<string, Check>;

function climbs(file: SourceFile, tree: readonly SourceFile[]): string[] {
  const floor = FLOORS[file.room];
  if (floor === undefined) return [`${file.path} lies in a room without a floor`];
  return file.imports.flatMap((target) => {
    const other = tree.find(({ path }) => path === target);
    const its = other && FLOORS[other.room];
    if (other === undefined || its === undefined || other.room === file.room || its < floor) return [];
    return [`${file.path} (floor ${floor}) imports ${target} (floor ${its})`];
  });
}

/** Each circle once, told from the file that was met first. */
function circles(tree: readonly SourceFile[]): string[] {
  const files = new Map(tree.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path);
    if (start >= 0) found.push([...above.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const target of files.get(path)?.imports ?? []) if (files.has(target)) visit(target, [...above, path]);
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return found;
}

function isNode(name: string): boolean {
  return name.startsWith("node:") || /^(?:fs|os|path|child_process|crypto|net|http|https|stream|url|util)$/.test(name);
}
