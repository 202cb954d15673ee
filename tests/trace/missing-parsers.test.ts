import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const PACKAGE = resolve(import.meta.dirname, "../..");
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const PARSERS = ["@vscode/tree-sitter-wasm", "oxc-parser", "web-tree-sitter"];

/** The built command with these packages beside it, in a project that keeps a trace. */
function installed(names: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), "sluice-parsers-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const at = join(home, "node_modules/sluice");
  cpSync(join(PACKAGE, "dist"), join(at, "dist"), { recursive: true });
  cpSync(join(PACKAGE, "package.json"), join(at, "package.json"));
  for (const name of names) {
    mkdirSync(join(home, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(PACKAGE, "node_modules", name), join(home, "node_modules", name));
  }
  const root = join(home, "project");
  mkdirSync(join(root, ".orchestration"), { recursive: true });
  writeFileSync(join(root, "a.ts"), "export const a = 1;\n");
  const env = { PATH: process.env.PATH, HOME: home, SLUICE_RESIDENT: "0" };
  return {
    root,
    run: (args: readonly string[], input = "") =>
      spawnSync(process.execPath, [join(at, "dist/sluice.cjs"), ...args], { cwd: root, env, input, encoding: "utf8" }),
  };
}

/** What `sluice doctor` finds about the trace, and the class of a change that only lays out a file. */
function looked({ root, run }: ReturnType<typeof installed>) {
  const data = { tool_args: { file_path: "a.ts" }, tool_use_id: "1" };
  const tell = (type: string) =>
    run(["run", "json", "--cold"], JSON.stringify({ type, tool_name: "Write", session_id: "s", cwd: root, data }));
  tell("tool:pre_execute");
  writeFileSync(join(root, "a.ts"), "export const a =\n  1;\n");
  tell("tool:post_execute");
  const { mutation_class } = JSON.parse(readFileSync(join(root, ".orchestration/agent_trace.jsonl"), "utf8"));
  const { examined } = JSON.parse(run(["doctor", "--json"]).stdout);
  const trace = examined.find(({ subject }: { subject: string }) => subject === "Trace");
  return { mutation_class, notes: trace.findings.filter(({ state }: { state: string }) => state === "note") };
}

test("a plain install brings the parsers, and changes of code have their class", () => {
  expect(Object.keys(optionalDependencies)).toEqual(expect.arrayContaining(PARSERS));
  const all = [...Object.keys(dependencies), ...PARSERS];
  expect(looked(installed(all))).toEqual({ mutation_class: "FORMAT_ONLY", notes: [] });
});

test("without them doctor says so, with the step", () => {
  const { mutation_class, notes } = looked(installed(Object.keys(dependencies)));
  expect(mutation_class).toBe("UNKNOWN");
  expect(notes).toMatchObject([
    {
      what: expect.stringMatching(/oxc-parser.*web-tree-sitter.*UNKNOWN/),
      fix: expect.stringContaining("npm install"),
    },
  ]);
});
