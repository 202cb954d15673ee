import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hook } from "../hook/hook.ts";
import { programOf } from "./program.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "program-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCRIPTS: readonly (readonly [
  sentence: string,
  name: string,
  text: string,
  mode: number,
  runs: readonly string[],
])[] = [
  ["an executable script runs itself", "own", "exit 0", 0o755, ["SCRIPT"]],
  ["a first line says what runs it", "line", "#!/bin/sh\n", 0o644, ["/bin/sh", "SCRIPT"]],
  [
    "a first line may give one argument",
    "env",
    "#! /usr/bin/env  python3 -u \n",
    0o644,
    ["/usr/bin/env", "python3 -u", "SCRIPT"],
  ],
  ["a first line may end in CR LF", "crlf", "#!/bin/sh\r\n", 0o644, ["/bin/sh", "SCRIPT"]],
  ["a first line outweighs the suffix", "mixed.py", "#!/bin/sh\n", 0o644, ["/bin/sh", "SCRIPT"]],
  ["a relative first line does not count", "relative.py", "#!python\n", 0o644, ["python3", "SCRIPT"]],
  ["an executable without a first line runs by its suffix", "x.py", "import os", 0o755, ["python3", "SCRIPT"]],
  ["an executable with a first line runs itself, whatever its suffix", "y.py", "#!/bin/sh\n", 0o755, ["SCRIPT"]],
  [".sh is run by sh", "a.sh", "", 0o644, ["/bin/sh", "SCRIPT"]],
  [".py is run by python3", "a.py", "", 0o644, ["python3", "SCRIPT"]],
  [".js is run by this node", "a.js", "", 0o644, [process.execPath, "SCRIPT"]],
  [".MJS too, in any case", "a.MJS", "", 0o644, [process.execPath, "SCRIPT"]],
];

describe("what is started for a hook", () => {
  it.each(SCRIPTS)("%s", (_, name, text, mode, runs) => {
    const script = join(folder, name);
    writeFileSync(script, text, { mode });
    const [program, ...args] = runs.map((part) => (part === "SCRIPT" ? script : part));
    expect(programOf(new Hook({ event: "*", script: name }), folder)).toEqual({ program, args });
  });

  it("a shell with the whole command", () => {
    const hook = new Hook({ event: "*", command: "a && b | c" });
    expect(programOf(hook, folder)).toEqual({ program: "/bin/sh", args: ["-c", "a && b | c"] });
  });

  it("the hook's own shell", () => {
    const hook = new Hook({ event: "*", command: "x", shell: "/bin/bash" });
    expect(programOf(hook, folder)).toEqual({ program: "/bin/bash", args: ["-c", "x"] });
  });

  it("arguments as they are, without a shell", () => {
    const hook = new Hook({ event: "*", args: ["printf", "$HOME; rm"] });
    expect(programOf(hook, folder)).toEqual({ program: "printf", args: ["$HOME; rm"] });
  });

  it("nothing where the script is no file, or nothing says what runs it", () => {
    const script = join(folder, "plain.txt");
    writeFileSync(script, "words");
    const missing = join(folder, "missing.sh");
    expect(programOf(new Hook({ event: "*", script }), folder)).toEqual({
      failure: { why: "not_executable", program: script },
    });
    expect(programOf(new Hook({ event: "*", script: "missing.sh" }), folder)).toEqual({
      failure: { why: "not_found", program: missing },
    });
    expect(programOf(new Hook({ event: "*", script: "a\0b" }), folder)).toMatchObject({
      failure: { why: "not_found" },
    });
  });
});
