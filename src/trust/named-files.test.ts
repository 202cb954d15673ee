import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { followFiles } from "./followed-files.ts";
import { namedFiles } from "./named-files.ts";
import { readOnce } from "./read-once.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-named-")));
  const files: Readonly<Record<string, string>> = {
    "scripts/a.sh": ". scripts/b.sh\n",
    "scripts/b.sh": "true\n",
    "scripts/plain": "true\n",
    "bin/tool": "#!/bin/sh\n",
    "checks/__main__.py": "import part\nfrom inner.deep import x\n",
    "checks/part.py": "",
    "checks/inner/deep.py": "",
    "lib/index.js": 'require("./one");\nimport("../lib/two.mjs");\n',
    "lib/one.js": "",
    "lib/two.mjs": "",
    "docs/notes.md": "",
    "package.json": '{ "main": "lib/index.js", "scripts": { "lint": "sh scripts/b.sh" } }',
    Makefile: "check:\n\tsh scripts/b.sh\n",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});

const short = (paths: readonly string[]) => paths.map((path) => relative(root, path)).sort();

test.each([
  ["sh scripts/a.sh", ["scripts/a.sh"]],
  ["./scripts/a.sh && echo done", ["scripts/a.sh"]],
  ["sh scripts/plain", ["scripts/plain"]],
  ["bin/tool --flag", ["bin/tool"]],
  ["bash -c 'sh \"scripts/a.sh\"'", ["scripts/a.sh"]],
  ["$SLUICE_WORKING_DIR/scripts/a.sh", ["scripts/a.sh"]],
  ['"$(dirname "$0")/scripts/a.sh"', ["scripts/a.sh"]],
  ["cd scripts && ./a.sh", ["scripts/a.sh"]],
  ["for f in scripts/*.sh; do $f; done", ["scripts/a.sh", "scripts/b.sh"]],
  ["python3 -u checks", ["checks/__main__.py"]],
  ["node ./lib", ["lib/index.js"]],
  ["node --require=./lib/one.js -e 1", ["lib/one.js"]],
  ["npm run lint", ["package.json"]],
  ["make check", ["Makefile"]],
  ["cat docs/notes.md", []],
  ["grep x docs", []],
  ["/usr/bin/true", []],
])("%s may run %j", (command, files) => {
  expect(short(namedFiles(command, [root], root, readOnce()))).toEqual(files);
});

test.each([
  ["scripts/a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ["package.json", ["package.json", "scripts/b.sh"]],
  ["Makefile", ["Makefile", "scripts/b.sh"]],
  ["lib/index.js", ["lib/index.js", "lib/one.js", "lib/two.mjs"]],
  ["checks/__main__.py", ["checks/__main__.py", "checks/inner/deep.py", "checks/part.py"]],
])("%s leads to what it loads", (file, files) => {
  const followed = followFiles([join(root, file)], [root], root, readOnce());
  expect(short(followed.files.map(({ path }) => path))).toEqual(files);
  expect(followed.isCut).toBe(false);
});
