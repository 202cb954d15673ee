import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { Scope } from "../../src/adapters/recipe.ts";
import { isOurs } from "../../src/install/invocation.ts";
import { Household } from "./household.ts";

const GONE = "/opt/no such sluice/dist/sluice.cjs";
const SCOPES: readonly Scope[] = ["user", "project"];
const ROWS = ADAPTERS.filter(({ recipe }) => recipe !== undefined).flatMap(({ id }) =>
  SCOPES.map((scope) => ({ id, scope })),
);

describe("where the package is gone, an installed line says in one sentence what to do, and a gate stays shut", () => {
  it.each(ROWS)("$id, $scope", ({ id, scope }) => {
    const house = Object.assign(new Household([process.execPath, GONE]), { mcp: false });
    const lines = house.install(id, scope).changes.flatMap(({ path, after = "" }) => linesIn(after, id, path, house));
    expect(lines.some(({ gate }) => gate)).toBe(true);
    for (const { line, gate } of lines) {
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
        cwd: house.root,
        env: { PATH: process.env.PATH, HOME: house.home, SLUICE_PROJECT_DIR: house.root, ...folders(id, house.root) },
        input: "{}",
        encoding: "utf8",
      });
      // An agent that looks at no exit code is answered in its own words.
      const isAnswered = /^\{"cancel":true,/.test(stdout);
      expect([line, isAnswered || stdout]).toEqual([line, isAnswered || ""]);
      expect([line, stderr]).toEqual([line, expect.stringMatching(SENTENCE[scope])]);
      if (!isAnswered) expect([line, status]).toEqual([line, gate ? 2 : 1]);
    }
  });
});

const SENTENCE = {
  user: /^Sluice is gone \(\/opt\/no such sluice\/dist\/sluice\.cjs\)[^\n]*sluice install[^\n]*\n$/,
  project: /^Sluice is not installed in [^\n]*: run npm install there\.\n$/,
};

/** The lines as a shell gets them: out of settings, a script, or a module that starts words without a shell. */
function linesIn(text: string, id: string, path: string, house: Household): { line: string; gate: boolean }[] {
  if (path.endsWith(".json")) {
    const found = textsIn(JSON.parse(text)).filter((line) => isOurs(line, id) && !/^& |sluice\.cmd/.test(line));
    return [...new Set(found)].map((line) => ({ line, gate: line.includes("exit 2") }));
  }
  if (text.startsWith("#!")) return [{ line: `'${path}'`, gate: text.includes("exit 2") }];
  const module = join(house.home, "plugin.mjs");
  const plugin = `${/import \{ spawn \}[\s\S]*child\.stdin\.end\(text\);\n {2}\}\);\n\}\n/.exec(text)?.[0]}`;
  writeFileSync(
    module,
    `${plugin}await answerOf({}, { gate: true, seconds: 20 }).catch(({ message }) => {\n  console.error(message);\n  process.exit(2);\n});\n`,
  );
  return [{ line: `'${process.execPath}' '${module}'`, gate: true }];
}

function folders(id: string, root: string): Record<string, string> {
  const names = ADAPTERS.find((adapter) => adapter.id === id)?.projectVariables ?? [];
  return Object.fromEntries(names.map((name) => [name, root]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
