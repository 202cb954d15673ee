import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtFile } from "../built-file.ts";

const PACKAGE = resolve(import.meta.dirname, "../..");
const { dependencies, optionalDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(PACKAGE, "package.json"), "utf8"),
);
const GRAMMARS = ["@vscode/tree-sitter-wasm", "web-tree-sitter"];

/** The built command with these packages beside it, in a project that keeps a trace. */
function installed(names: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), "sluice-parsers-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const at = join(home, "node_modules/sluice");
  cpSync(dirname(builtFile("sluice.cjs")), join(at, "dist"), { recursive: true });
  cpSync(join(PACKAGE, "package.json"), join(at, "package.json"));
  for (const name of names) {
    mkdirSync(join(home, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(PACKAGE, "node_modules", name), join(home, "node_modules", name));
  }
  const root = join(home, "project");
  mkdirSync(join(root, ".orchestration"), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, SLUICE_RESIDENT: "0" };
  return {
    root,
    run: (args: readonly string[], input = "") =>
      spawnSync(process.execPath, [join(at, "dist/sluice.cjs"), ...args], { cwd: root, env, input, encoding: "utf8" }),
  };
}

const FILES = { "a.ts": ["export const a = 1;\n", "export const a =\n  1;\n"], "a.py": ["a = 1\n", "a = ( 1)\n"] };

/** The class of a change that only formats a file, and what `doctor` and `trace list` report about parsers. */
function looked({ root, run }: ReturnType<typeof installed>, file: keyof typeof FILES) {
  const [before, after] = FILES[file];
  writeFileSync(join(root, file), before as string);
  const data = { tool_args: { file_path: file }, tool_use_id: "1" };
  const fire = (type: string) =>
    run(["run", "json", "--cold"], JSON.stringify({ type, tool_name: "Write", session_id: "s", cwd: root, data }));
  fire("tool:pre_execute");
  writeFileSync(join(root, file), after as string);
  fire("tool:post_execute");
  const { mutation_class } = JSON.parse(readFileSync(join(root, ".orchestration/agent_trace.jsonl"), "utf8"));
  const { examined } = JSON.parse(run(["doctor", "--json"]).stdout);
  const trace = examined.find(({ subject }: { subject: string }) => subject === "Trace");
  const notes = trace.findings.filter(({ state }: { state: string }) => state === "note");
  return { mutation_class, notes, listed: run(["trace", "list"]).stderr };
}

test("a plain install classifies changes of JavaScript and TypeScript", () => {
  expect(Object.keys(optionalDependencies)).toEqual(["oxc-parser"]);
  const plain = installed([...Object.keys(dependencies), "oxc-parser"]);
  expect(looked(plain, "a.ts")).toEqual({ mutation_class: "FORMAT_ONLY", notes: [], listed: "" });
});

test("doctor and trace list name the parser that a recorded change needs, and nothing else", () => {
  const { mutation_class, notes, listed } = looked(installed([...Object.keys(dependencies), "oxc-parser"]), "a.py");
  expect(mutation_class).toBe("UNKNOWN");
  const step = "npm install web-tree-sitter @vscode/tree-sitter-wasm";
  expect(notes).toMatchObject([
    { what: expect.stringMatching(/Python code as UNKNOWN/), fix: expect.stringContaining(step) },
  ]);
  expect(listed).toContain(step);
  const without = looked(installed(Object.keys(dependencies)), "a.ts");
  expect(without.notes).toMatchObject([{ fix: expect.stringContaining("npm install oxc-parser") }]);
});

test("the grammars of other languages are a peer that the user may install", () => {
  for (const name of GRAMMARS) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  const all = installed([...Object.keys(dependencies), "oxc-parser", ...GRAMMARS]);
  expect(looked(all, "a.py")).toMatchObject({ notes: [], listed: "" });
});
