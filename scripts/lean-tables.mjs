// An esbuild plugin: rows of tables without what only tests and pages read of them, and names of tables without the tables.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { loadSource } from "./load-source.mjs";

/** Which members go, by where the table lies. */
const UNREAD = [
  {
    where: /\/src\/(?:shell\/(?:programs|wrappers)\/[\w-]+|shell\/secret-files|rule\/(?:act-)?operators)\.ts$/,
    members: ["examples"],
  },
  { where: /\/src\/guards\/[\w-]+\.ts$/, members: ["stops", "passes", "why"] },
];

/** Modules whose values follow from other modules: they are worked out here. */
const WORKED_OUT = /\/src\/((?:shell\/(?:programs|wrappers)\/names|trace\/secret-hints)\.ts)$/;

export const leanTables = {
  name: "lean-tables",
  setup(build) {
    build.onLoad({ filter: WORKED_OUT }, async ({ path }) => ({ contents: await valuesOf(path), loader: "js" }));
    for (const { where, members } of UNREAD)
      build.onLoad({ filter: where }, async ({ path }) => ({
        contents: without(await readFile(path, "utf8"), path, members),
        loader: "ts",
      }));
  },
};

function without(text, path, members) {
  const spans = [];
  new Visitor({
    Property({ key, start, end }) {
      if (key.type === "Identifier" && members.includes(key.name)) spans.push([start, end]);
    },
  }).visit(parseSync(path, text).program);
  return spans.reduceRight((kept, [start, end]) => kept.slice(0, start) + kept.slice(end).replace(/^,/, ""), text);
}

async function valuesOf(path) {
  const [, module] = WORKED_OUT.exec(path);
  const values = await loadSource(fileURLToPath(new URL("..", import.meta.url)), [module]);
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");
}
