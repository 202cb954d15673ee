import { posix } from "node:path";
import type { Check } from "./check.ts";
import { DOOR_FOLDERS, TABLE_FOLDERS } from "./floors.ts";
import type { SourceFile } from "./source-tree.ts";
import { undocumentedExports } from "./undocumented.ts";

/** How files look: their size, their name, what they export. */
export const SHAPE = {
  "files are small": {
    find: oversized,
    breaks: { "hook/a.ts": lines(401), "hook/b.ts": lines(261), "hook/c.ts": lines(161) },
    violations: [
      "hook/a.ts has 401 lines, at most 400 are fine",
      "90 of 100 files have at most 401 lines, 260 are fine",
      "the median file has 261 lines, 160 are fine",
    ],
    keeps: { "hook/a.ts": lines(160), "hook/b.ts": lines(260), "hook/c.ts": lines(90) },
  },
  "a file's name says what is in it, in kebab-case": {
    find: (tree) => tree.flatMap(({ path }) => misnamed(path)),
    breaks: { "hook/types.ts": "", "utils/text.ts": "", "hook/path-helpers.ts": "", "hook/readHook.ts": "" },
    violations: [
      'hook/types.ts: "types" names no idea',
      'utils/text.ts: "utils" names no idea',
      'hook/path-helpers.ts: "helpers" names no idea',
      "hook/readHook.ts: readHook is not kebab-case",
    ],
    keeps: { "hook/read-hook.ts": "", "event/data-types-of-events.ts": "", "runners/http2.ts": "" },
  },
  "an index is the list of a table, or a public door": {
    find: (tree) =>
      tree
        .filter(
          ({ path }) =>
            path.endsWith("/index.ts") && ![...TABLE_FOLDERS, ...DOOR_FOLDERS].includes(posix.dirname(path)),
        )
        .map(({ path }) => `${path} is no table's list`),
    breaks: { "hook/index.ts": "", "adapters/families/index.ts": "" },
    violations: ["hook/index.ts is no table's list", "adapters/families/index.ts is no table's list"],
    keeps: { "index.ts": "", "runners/index.ts": "", "cli/commands/index.ts": "", "registry/event-index.ts": "" },
  },
  "nothing is exported as a default": {
    find: (tree) => tree.filter(({ code }) => DEFAULT.test(code)).map(({ path }) => `${path} has a default export`),
    breaks: {
      "hook/a.ts": "export default class A {}",
      "hook/b.ts": "export { b as default };",
      "templates/t.ts": 'export const t = template({\n  title: "Says it itself",\n});',
      "hook/c.ts": 'export {\n  default,\n} from "x";',
    },
    violations: ["a", "b", "c"].map((name) => `hook/${name}.ts has a default export`),
    keeps: {
      "hook/a.ts": 'import a from "a";\n/** The word\nexport default is fine. */\nexport const defaultTimeout = 1;',
    },
  },
  "every exported declaration has one sentence above it": {
    find: undocumentedExports,
    breaks: {
      "hook/a.ts":
        "/** A. */\nexport const A = 1;\ntype B = 1;\n// Not this.\nexport async function b() {}\nexport type C = 1;",
      "hook/d.ts": "/** D. */\nexport interface D {}\nexport abstract class E {}\nexport const { f } = g;",
      "templates/t.ts": 'export const t = template({\n  name: "t",\n});',
      "rule/r.ts": 'export const r = row({\n  title: "no table",\n});',
      "hook/h.ts": "/** Far away. */\n\nexport const H = 1;",
    },
    violations: [
      "hook/a.ts b",
      "hook/a.ts C",
      "hook/d.ts E",
      "hook/d.ts export const { f } = g;",
      "templates/t.ts t",
      "rule/r.ts r",
      "hook/h.ts H",
    ],
    keeps: {
      "hook/a.ts":
        "/** A. */\nexport function a(x: 1): 1;\nexport function a(x: 2): 2;\nexport function a(x: number) {}",
      "hook/b.ts": '/**\n * B\n */\n// biome-ignore lint: because.\nexport class B {}\nexport { a } from "./a.ts";',
      "hook/c.ts":
        '/** C. */\nexport const C = ["c"] as const;\nexport type Letter = (typeof C)[number];\nexport type { D } from "d";',
    },
  },
} as const satisfies Record<string, Check>;

function oversized(tree: readonly SourceFile[]): string[] {
  const sizes = tree.map((file) => file.lines.length).sort((one, other) => one - other);
  const at = (share: number) => sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)] ?? 0;
  const [median, most] = [at(0.5), at(0.9)];
  return [
    ...tree
      .filter((file) => file.lines.length > 400)
      .map((file) => `${file.path} has ${file.lines.length} lines, at most 400 are fine`),
    ...(most > 260 ? [`90 of 100 files have at most ${most} lines, 260 are fine`] : []),
    ...(median > 160 ? [`the median file has ${median} lines, 160 are fine`] : []),
  ];
}

function misnamed(path: string): string[] {
  return path
    .replace(/\.ts$/, "")
    .split("/")
    .flatMap((segment) => {
      const last = segment.split("-").at(-1) ?? "";
      if (NO_IDEA.includes(last)) return [`${path}: "${last}" names no idea`];
      return /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(segment) ? [] : [`${path}: ${segment} is not kebab-case`];
    });
}

const NO_IDEA = ["utils", "util", "helpers", "helper", "common", "shared", "misc", "types", "constants", "base"];
const DEFAULT = /^export\s+default\b|^export\s*\{[^}]*\bdefault\b\s*[,}]/m;

function lines(count: number): string {
  return "a();\n".repeat(count);
}
