import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judged } from "./judged.ts";

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "sluice-scripts-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Scripts as projects have them: most clean up what they have made before. */
const FILES: Readonly<Record<string, string>> = {
  "scripts/build.sh": `set -e
DIR="$(cd "$(dirname "\${BASH_SOURCE[0]}")/.." && pwd)"
rm -rf "$DIR/out"
cp -r src "$DIR/out"
`,
  "scripts/tmp.sh": `TMP=$(mktemp -d)\ntrap 'rm -rf "$TMP"' EXIT\nrm -rf "$BUILD_DIR" "$TARGET_DIR/cache"\n`,
  "scripts/clean.py": `import os, shutil
BASE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
shutil.rmtree(os.path.join(BASE, "build"), ignore_errors=True)
`,
  "scripts/clean.mjs": `import { rmSync } from "node:fs";
import path from "node:path";
const root = path.resolve(import.meta.dirname, "..");
rmSync(path.join(root, "dist"), { recursive: true, force: true });
`,
  "scripts/clean.rb": `require "fileutils"\nFileUtils.rm_rf(File.join(__dir__, "tmp"))\n`,
  "scripts/gen.py": `import argparse, json, pathlib, shutil
ap = argparse.ArgumentParser()
ap.add_argument("--out", default="gen")
a = ap.parse_args()
root = pathlib.Path(__file__).resolve().parent.parent
out = root / a.out
shutil.rmtree(out, ignore_errors=True)
for f in sorted((root / "proto").glob("*.json")):
    (out / f.name).write_text(json.dumps(f.read_text()))
`,
  "scripts/pids.mjs": `import { readdirSync, rmSync } from "node:fs";
const out = new URL("../out", import.meta.url);
for (const pid of readdirSync("/proc")) console.log(pid);
rmSync(out, { recursive: true });
`,
  "scripts/listed.py": `import glob, os
for f in glob.glob("/etc/*"):
    x = f
    os.remove(x)
`,
  "scripts/given.sh": `rm -rf "$1"\n`,
  "scripts/given.py": "import shutil, sys\nshutil.rmtree(sys.argv[1])\n",
  "scripts/home.sh": `rm -rf "$HOME/work"\n`,
  "scripts/format": "#!/bin/sh\nprettier --write src\n",
  Makefile: "clean:\n\trm -rf $(BUILD_DIR) $(OUT)\n",
  "package.json": JSON.stringify({
    scripts: {
      clean: "node scripts/clean.mjs",
      build: "npm run build --workspaces",
      web: "cd packages/web && npm run web",
      api: "npm --prefix packages/api run api",
      test: "bun test",
      lint: "npm run lint",
      format: "./scripts/format",
      wipe: "rm -rf ~/work",
    },
  }),
  "packages/web/package.json": JSON.stringify({ scripts: { web: "vite build", gone: "rm -rf ~/work" } }),
  "packages/api/package.json": JSON.stringify({ scripts: { api: "tsc", gone: "rm -rf ~/work" } }),
  "src/a.ts": "export {};\n",
};

describe("a script of the project may remove a folder whose path it makes itself", () => {
  test.each([
    "bash scripts/build.sh",
    "./scripts/build.sh 2>&1 | tail -20",
    "sh scripts/tmp.sh",
    "python3 scripts/clean.py",
    "node scripts/clean.mjs --quiet",
    "ruby scripts/clean.rb",
    "python3 scripts/gen.py --out src/generated",
    "node scripts/pids.mjs",
    "DIR=/tmp/made/here sh scripts/tmp.sh",
    "npm run clean",
    "make clean",
  ])("%s", async (command) => {
    expect(await judged("standard", command, project)).toMatchObject({ action: "continue", reasons: [] });
  });

  test.each([
    ["that names a place outside the project", "sh scripts/home.sh"],
    ["that is told a place outside the project", "python3 scripts/given.py ~/Documents"],
    ["that is told one above it", "python3 scripts/given.py --dir=../other"],
    ["that is told one that only the run knows", 'python3 scripts/given.py "$DIR"'],
    ["that removes what it lists elsewhere", "python3 scripts/listed.py"],
    ["that gets it as a parameter", "sh scripts/given.sh /home/ada/work"],
    [
      "that the line itself has written",
      "printf 'import shutil,os; shutil.rmtree(os.getcwd())' > q.py && python3 q.py",
    ],
    ["that no file is", 'rm -rf "$BUILD_DIR"'],
  ])("but not one %s", async (_, command) => {
    expect((await judged("standard", command, project)).action).toBe("deny");
  });
});

describe("a task of package.json is that of the folder it is run in", () => {
  test.each([
    ["also where a task of the same name leads there", "npm run web"],
    ["also by --prefix", "npm run api"],
    ["and those of all packages are not the one of the project", "npm run build"],
    ["and bun test is no task", "npm test"],
    ["and one that runs itself is read once", "npm run lint"],
    ["and a script with the name of a program is that script", "npm run format"],
  ])("%s", async (_, command) => {
    expect(await judged("standard", command, project)).toMatchObject({ action: "continue", reasons: [] });
  });

  test.each([
    "npm run wipe",
    "cd packages/web && npm run gone",
    "npm --prefix packages/api run gone",
    "pnpm -C packages/api run gone",
  ])("and is judged by what it runs: %s", async (command) => {
    expect((await judged("standard", command, project)).action).toBe("deny");
  });
});
