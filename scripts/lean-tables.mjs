// An esbuild plugin: rows of tables without what only tests and pages read of them.
import { readFile } from "node:fs/promises";
import { parseSync, Visitor } from "oxc-parser";

/** Which members go, by where the table lies. */
const UNREAD = [
  {
    where: /\/src\/(?:shell\/(?:programs|wrappers)\/[\w-]+|shell\/secret-files|rule\/(?:act-)?operators)\.ts$/,
    members: ["examples"],
  },
  { where: /\/src\/guards\/[\w-]+\.ts$/, members: ["stops", "passes", "why"] },
];

export const leanTables = {
  name: "lean-tables",
  setup(build) {
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
