// A plugin of esbuild: leaves the examples of the rows of programs out of a bundle. Tests and pages read them from the source.
import { readFileSync } from "node:fs";

export const withoutExamples = {
  name: "without-examples",
  setup: ({ onLoad }) =>
    onLoad({ filter: /src[\\/]effects[\\/]programs[\\/][\w-]+\.ts$/ }, ({ path }) => ({
      contents: withoutExamplesIn(readFileSync(path, "utf8")),
      loader: "ts",
    })),
};

/** The formatter writes a list on one line, or its closing bracket below its first letter. */
function withoutExamplesIn(source) {
  return source
    .replaceAll(/^( *)examples: \[\n[\s\S]*?^\1\],?$/gm, "")
    .replaceAll(/^( *)examples: \[.*\],?$/gm, "")
    .replaceAll(/(?<=[{,] )examples: \[\[.*\]\](?= \})/g, "");
}
