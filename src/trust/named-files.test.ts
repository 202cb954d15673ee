import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { followFiles } from "./followed-files.ts";
import { namedFiles } from "./named-files.ts";
import { readOnce } from "../fs/read-once.ts";

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
    "my dir/a b.sh": "true\n",
    "odd/a,b.sh": "true\n",
    "odd/a=b.sh": "true\n",
    "odd/load.sh": 'L=odd\n. "./$L/part"\n',
    "odd/part": "true\n",
    "node_modules/.bin/tl": "#!/usr/bin/env node\n",
    "modules/mm.py": "",
    "pk/__init__.py": "",
    "pk/__main__.py": "",
    "py/call.py": 'run(["sh", "bin/tool"])\n',
    "js/call.mjs": 'spawn("sh", ["scripts/plain"]);\nlog("See the node docs/notes.md");\n',
    "js/line": "#!/usr/bin/env nodejs\nexecSync('sh scripts/plain');\n",
    justfile: "check:\n\tsh scripts/b.sh\n",
    "rules.mk": "D := scripts\nall:\n\t@sh $(D)/plain\n",
    Makefile: "check:\n\tsh scripts/b.sh\n",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { mode: file.includes("bin/") ? 0o755 : 0o644 });
  }
});

const short = (paths: readonly string[]) => paths.map((path) => relative(root, path)).sort();

test.each([
  ["sh scripts/a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ["./scripts/a.sh && echo done", ["scripts/a.sh", "scripts/b.sh"]],
  ["sh scripts/plain", ["scripts/plain"]],
  ["bin/tool --flag", ["bin/tool"]],
  ["bash -c 'sh \"scripts/a.sh\"'", ["scripts/a.sh", "scripts/b.sh"]],
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
  ['sh "my dir/a b.sh"', ["my dir/a b.sh"]],
  ["cd 'my dir' && sh a\\ b.sh", ["my dir/a b.sh"]],
  ["sh odd/a,b.sh", ["odd/a,b.sh"]],
  ["sh odd/a=b.sh", ["odd/a=b.sh"]],
  ["sh scripts/plai\\n", ["scripts/plain"]],
  ["sh scripts/b'.sh'", ["scripts/b.sh"]],
  ['D=odd; sh "$D/part"', ["odd/part"]],
  ['export D=odd\nsh "$D/part"', ["odd/part"]],
  ["sh odd/load.sh", ["odd/load.sh", "odd/part"]],
  ['read -r d; sh "./$d/part"', ["odd/part"]],
  ['sh "scripts/$kind"', ["scripts/a.sh", "scripts/b.sh", "scripts/plain"]],
  ["PATH=./bin:$PATH tool", ["bin/tool"]],
  ['export PATH="$PWD/bin:$PATH"; tool', ["bin/tool"]],
  ["env PATH=bin:/usr/bin:/bin tool", ["bin/tool"]],
  ["npx --no-install tl", ["node_modules/.bin/tl"]],
  ["PYTHONPATH=modules python3 -c 'import mm'", ["modules/mm.py"]],
  ["python3 -m pk", ["pk/__init__.py", "pk/__main__.py"]],
  ["julia scripts/plain", ["scripts/plain"]],
  ["erl -s scripts/plain", ["scripts/plain"]],
  ["/opt/homebrew/bin/python3.12 scripts/plain", ["scripts/plain"]],
  ["PYTHON scripts/plain", ["scripts/plain"]],
  ['eval "$(cat scripts/plain)"', ["scripts/plain"]],
  ['env -S "$(cat scripts/plain)"', ["scripts/plain"]],
  ["exec $(cat scripts/plain)", ["scripts/plain"]],
  ["cat scripts/plain | xargs -I{} {}", ["scripts/plain"]],
  ["uv run scripts/plain", ["scripts/plain"]],
  ["just check", ["justfile"]],
  ["echo 'Make sure to read docs/notes.md in Go'", []],
  ["cat .. docs/notes.md", []],
  ["sqlite3 docs/notes.md .tables", []],
  ["make -f rules.mk", ["Makefile", "rules.mk", "scripts/plain"]],
])("%s may run %j", (command, files) => {
  expect(short(namedFiles(command, [root], root, readOnce()))).toEqual(files);
});

test("a command that changes its folder many times is read as fast as any other", () => {
  const text = "cd scripts\ncd ..\n".repeat(100);
  expect(namedFiles(`${text}sh scripts/plain`, [root], root, readOnce())).toContain(join(root, "scripts/plain"));
});

test.each([
  ["scripts/a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ["package.json", ["package.json", "scripts/b.sh"]],
  ["Makefile", ["Makefile", "scripts/b.sh"]],
  ["py/call.py", ["bin/tool", "py/call.py"]],
  ["js/call.mjs", ["js/call.mjs", "scripts/plain"]],
  ["js/line", ["js/line", "scripts/plain"]],
  ["lib/index.js", ["lib/index.js", "lib/one.js", "lib/two.mjs"]],
  ["checks/__main__.py", ["checks/__main__.py", "checks/inner/deep.py", "checks/part.py"]],
])("%s leads to what it loads", (file, files) => {
  const followed = followFiles([join(root, file)], [root], root, readOnce());
  expect(short(followed.files.map(({ path }) => path))).toEqual(files);
  expect(followed.isCut).toBe(false);
});
