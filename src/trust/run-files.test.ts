import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { cases } from "../../tests/cases.ts";
import { observedDisk } from "./observed-disk.ts";
import { runFiles } from "./run-files.ts";

/** What an interpreter runs when it is given a folder, and what it adds to a name. */
const FOLDER_PROGRAMS = "__init__.py __main__.py index.cjs index.js index.mjs index.ts package.json".split(" ");
const SUFFIXES = [".cjs", ".js", ".mjs", ".rb", ".ts"];

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
    "package.json":
      '{ "main": "lib/index.js", "scripts": { "lint": "sh scripts/b.sh", "pretest": "true", "test": "sh scripts/plain", "posttest": "echo", "other": "sh bin/tool" } }',
    "app/package.json": '{ "scripts": { "lint": "true" } }',
    "app/deep/x": "",
    "my dir/a b.sh": "true\n",
    "odd/a,b.sh": "true\n",
    "odd/a=b.sh": "true\n",
    "odd/load.sh": 'L=odd\n. "./$L/part"\n',
    "odd/part": "true\n",
    "node_modules/.bin/tl": '#!/usr/bin/env node\nrequire("./tl.js");\n',
    "node_modules/.bin/tl.js": "",
    "bin/other": "#!/bin/sh\n",
    "odd/include.sh": "include scripts/b.sh\n",
    "near/x.sh": "",
    "far/near/x.sh": "",
    "own/other.mjs": "",
    "own/text.py": 'print("#x")\n',
    "own/list/package.json": '{ "files": [\n"scripts/plain"\n] }',
    "Taskfile.yml": "tasks:\n  check:\n    cmds:\n      - sh scripts/plain\n",
    ...Object.fromEntries(FOLDER_PROGRAMS.map((file) => [`all/${file}`, ""])),
    ...Object.fromEntries(SUFFIXES.map((suffix) => [`bare/x${suffix}`, ""])),
    "modules/mm.py": "",
    "pk/__init__.py": "",
    "pk/__main__.py": "",
    "py/call.py": 'run(["sh", "bin/tool"])\n',
    "js/call.mjs": 'spawn("sh", ["scripts/plain"]);\nlog("See the node docs/notes.md");\n',
    "js/line": "#!/usr/bin/env nodejs\nexecSync('sh scripts/plain');\n",
    justfile: "check:\n\tsh scripts/b.sh\n",
    "js/read.mjs":
      'import { readFileSync } from "node:fs";\nimport "../lib/one.js";\nreadFileSync("../package.json");\nreadFileSync("./call.mjs");\nconst notes = new URL("../docs/notes.md", import.meta.url);\n',
    "py/read.py": 'import json\njson.load(open("package.json"))\nprint("scripts/a.sh")\n',
    "rb/read.rb": 'require_relative "part"\nFile.read("docs/notes.md")\n',
    "rb/part.rb": "",
    "rules.mk": "D := scripts\nall:\n\t@sh $(D)/plain\n",
    Makefile: "check:\n\tsh scripts/b.sh\n",
    "plib/My/Mod.pm": "1;\n",
    "many/one/run.py": "",
    "many/two/deep/run.py": "",
    "lazy.cjs": "",
    "run.d/10-a": "true\n",
    "run.d/20-b.sh": "true\n",
    "own/package.json": '{ "imports": { "#x": "./inner.js" } }',
    "own/main.mjs": 'import "#x";\n',
    "own/inner.js": "",
    "own/sub/main.cjs": 'require("#x");\n',
    "own/sub/text.sh": 'echo "#x"\n',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { mode: file.includes("bin/") ? 0o755 : 0o644 });
  }
});

/** The files that a command line runs; the script of a package behind its file. */
function filesRunBy(command: string): string[] {
  const { files } = runFiles([{ files: [], texts: [command], folders: [root] }], root);
  return files.map(({ path, script }) => [relative(root, path), script].filter(Boolean).join(" ")).sort();
}

test.each([
  ["sh scripts/a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ["./scripts/a.sh && echo done", ["scripts/a.sh", "scripts/b.sh"]],
  ["sh scripts/plain", ["scripts/plain"]],
  ["bin/tool --flag", ["bin/tool"]],
  ["bash -c 'sh \"scripts/a.sh\"'", ["scripts/a.sh", "scripts/b.sh"]],
  ["$SLUICE_WORKING_DIR/scripts/a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ['"$(dirname "$0")/scripts/a.sh"', ["scripts/a.sh", "scripts/b.sh"]],
  ["cd scripts && ./a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ["for f in scripts/*.sh; do $f; done", ["scripts/a.sh", "scripts/b.sh"]],
  ["python3 -u checks", ["checks/__main__.py", "checks/inner/deep.py", "checks/part.py"]],
  ["node ./lib", ["lib/index.js", "lib/one.js", "lib/two.mjs"]],
  ["node --require=./lib/one.js -e 1", ["lib/one.js"]],
  ["npm run lint", ["package.json lint", "scripts/b.sh"]],
  ["npm test", ["package.json posttest", "package.json pretest", "package.json test", "scripts/plain"]],
  ["CI=1 yarn lint --quiet", ["package.json lint", "scripts/b.sh"]],
  ["pnpm run lint && bun run lint", ["package.json lint", "scripts/b.sh"]],
  ["npm --prefix app run lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["cd app && npm run lint", ["app/package.json lint"]],
  ["cd app/deep && npm run lint", ["app/package.json lint"]],
  ["npm run lint -w app", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["npm run nothing", []],
  ["npm install && npm pkg get version", []],
  ["make check", ["Makefile", "scripts/b.sh"]],
  [`python3 -c "print(2 * 3)"`, []],
  [`python3 -c "import re; re.match(r'.*[a-z]+?', open('docs/notes.md').read())"`, []],
  [`node -e "require('./lib/one')"`, ["lib/one.js"]],
  ["grep -qE '(^|/)[*a-z.]+$' package.json scripts/plain", []],
  ["grep -q x scripts/a.sh && exit 1", []],
  ["git diff --name-only -- '*.sh' | grep -q scripts/ && exit 1", []],
  ["sed -n 's/*//p' scripts/a.sh | head", []],
  ["case $1 in *.sh | scripts/*) exit 1 ;; esac", []],
  ["for f in *; do echo $f; done", []],
  ["node lib/one.js docs/notes.md scripts/a.sh", ["lib/one.js"]],
  ["sh scripts/plain scripts/a.sh", ["scripts/plain"]],
  ["shellcheck scripts/a.sh", []],
  ["prettier --check lib/index.js", []],
  ['$SLUICE_PROJECT_DIR/scripts/plain; sh "$CLAUDE_PROJECT_DIR/odd/part"', ["odd/part", "scripts/plain"]],
  ['[ -f package.json ] && set -- npm run lint; "$@"', ["package.json lint", "scripts/b.sh"]],
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
  ["cat scripts/plain | python3 -", ["scripts/plain"]],
  ['sh -c "$(cat scripts/plain)"', ["scripts/plain"]],
  ["nohup scripts/plain & wait", ["scripts/plain"]],
  ["f() { exec sh scripts/plain; }; f", ["scripts/plain"]],
  ["trap 'sh scripts/plain' EXIT", ["scripts/plain"]],
  ["find scripts -name '*.sh' -exec sh {} \\;", ["scripts/a.sh", "scripts/b.sh"]],
  ["bun lib/one.js", ["lib/one.js"]],
  ["npx tsx lib/one.js", ["lib/one.js"]],
  ["sh <<E\nsh scripts/plain\nE", ["scripts/plain"]],
  ["erl -s scripts/plain", ["scripts/plain"]],
  ["/opt/homebrew/bin/python3.12 scripts/plain", ["scripts/plain"]],
  ["PYTHON scripts/plain", ["scripts/plain"]],
  ['eval "$(cat scripts/plain)"', ["scripts/plain"]],
  ['env -S "$(cat scripts/plain)"', ["scripts/plain"]],
  ["exec $(cat scripts/plain)", ["scripts/plain"]],
  ["cat scripts/plain | xargs -I{} {}", ["scripts/plain"]],
  ["c=$(cat scripts/plain); $c", ["scripts/plain"]],
  [
    `grep '"lint":' package.json | grep -qv x && set -- npm run lint; out=$("$@")`,
    ["package.json lint", "scripts/b.sh"],
  ],
  ["uv run scripts/plain", ["scripts/plain"]],
  ["just check", ["justfile", "scripts/b.sh"]],
  ["echo 'Make sure to read docs/notes.md in Go'", []],
  ["cat .. docs/notes.md", []],
  ["sqlite3 docs/notes.md .tables", []],
  ["make -f rules.mk", ["rules.mk", "scripts/plain"]],
  ["run-parts run.d", ["run.d/10-a", "run.d/20-b.sh"]],
  ["perl -Iplib -MMy::Mod -e 1", ["plib/My/Mod.pm"]],
  ["perl -I plib -M My::Mod -e 1", ["plib/My/Mod.pm"]],
  ["perl -Iplib -mMy::Mod -e 1", ["plib/My/Mod.pm"]],
  ["python3 -m pk.none", ["pk/__init__.py"]],
  ["python3 --module pk", ["pk/__init__.py", "pk/__main__.py"]],
  ["sh -m pk", ["pk/__init__.py", "pk/__main__.py"]],
  ["python3 many/**/run.py", ["many/one/run.py", "many/two/deep/run.py"]],
  ["python3 many/*/run.py", ["many/one/run.py"]],
  ["node lazy", ["lazy.cjs"]],
  ["PYTHONPATH=many python3 -c 1", ["many/one/run.py"]],
  ["NODE_PATH=: node -e 1", []],
  ["OTHER=many python3 -c 1", []],
  ["PYTHONPATH=node_modules/.bin python3 -c 1", []],
  ['cd "$d" && sh scripts/plain', ["scripts/plain"]],
  ['cd "$d/scripts" && sh plain', ["scripts/plain"]],
  ["node own/main.mjs", ["own/inner.js", "own/main.mjs", "own/package.json #imports"]],
  ["node own/sub/main.cjs", ["own/inner.js", "own/package.json #imports", "own/sub/main.cjs"]],
  ["sh own/sub/text.sh", ["own/sub/text.sh"]],
  ["bun run lib/one.js", ["lib/one.js"]],
  ["yarn --cwd=app lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ...["yarn workspace app lint", "yarn workspace app run lint", "yarn workspaces foreach -A run lint"].map(
    (line): [string, string[]] => [line, ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ),
  ["bun run --cwd app lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["yarn node lib/one.js", ["lib/one.js"]],
  ["ssh-agent sh scripts/plain", ["scripts/plain"]],
  ...[
    "pwsh -File",
    "pwsh",
    "vim -S",
    "emacs --batch -l",
    "gdb -x",
    "ansible-playbook",
    "just -f",
    "uv run",
    "dotnet script",
  ].map((line): [string, string[]] => [`${line} scripts/plain`, ["scripts/plain"]]),
  ["pwsh -Command './scripts/plain -Fast'", ["scripts/plain"]],
  ["deno run --import-map=scripts/plain lib/one.js", ["lib/one.js", "scripts/plain"]],
  ["make -C app check", ["Makefile", "scripts/b.sh"]],
  ["make --file=rules.mk", ["rules.mk", "scripts/plain"]],
  ["pnpm -r run lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["pnpm --filter=x run lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["npx run", []],
  ["npx ./scripts/plain", ["scripts/plain"]],
  ["sh -", []],
  [`node -p "require('./lib/two.mjs')"`, ["lib/two.mjs"]],
  ["bash --rcfile scripts/plain -i", ["scripts/plain"]],
  ["bash --init-file scripts/plain -c true", ["scripts/plain"]],
  ["bash -s scripts/plain", []],
  ["python3 -c 1 scripts/plain", []],
  ["awk -f scripts/plain docs/notes.md", ["scripts/plain"]],
  ["awk 1 scripts/plain", []],
  ["ruby -r ./rb/part rb/read.rb", ["rb/part.rb", "rb/read.rb"]],
  ["node --env-file scripts/plain lib/one.js", ["lib/one.js", "scripts/plain"]],
  ["node --env-file-if-exists=scripts/plain lib/one.js", ["lib/one.js", "scripts/plain"]],
  ["gawk -l ./scripts/plain 1", ["scripts/plain"]],
  ["sh odd/include.sh", ["odd/include.sh"]],
  ['sh "$d/near/x.sh"', ["near/x.sh"]],
  ['python3 "$d/one/run.py"', ["many/one/run.py"]],
  ['python3 -c 1 "$d/one/run.py"', []],
  ['python3 -m none "$d/one/run.py"', []],
  ['deno run "$d/lib/one.js"', ["lib/one.js"]],
  ['awk -f "$d/scripts/plain" docs/notes.md', ["scripts/plain"]],
  ['swift "$d/scripts/plain"', ["scripts/plain"]],
  ['. "$d/scripts/plain"', ["scripts/plain"]],
  ['source "$d/scripts/plain"', ["scripts/plain"]],
  ['bash -s "$d/scripts/plain"', []],
  ['bash -c : "$d/scripts/plain"', []],
  ['fish --command=: "$d/scripts/plain"', []],
  ["perl -e 1 -I", []],
  ["python3 -m", []],
  ["cat pk", []],
  [`python3 -c "print(${"x, ".repeat(60)}'scripts/a.sh')"`, []],
  [`python3 -c "print(${"x, ".repeat(70)}'scripts/a.sh')"`, ["scripts/a.sh", "scripts/b.sh"]],
  ["python3 -c 1 pk", []],
  ["npx FOO=1", []],
  ["node own/other.mjs", ["own/other.mjs"]],
  ["python3 own/text.py", ["own/text.py"]],
  ["node ./all", FOLDER_PROGRAMS.map((file) => `all/${file}`)],
  ["node bare/x", SUFFIXES.map((suffix) => `bare/x${suffix}`)],
  ["task check", ["Taskfile.yml", "scripts/plain"]],
  ["$FORGE_PROJECT_DIR/scripts/plain; sh $OPENCODE_PROJECT_DIR/odd/part", ["odd/part", "scripts/plain"]],
  ...["--workspace=app", "-ws", "--workspaces", "-w app"].map((option): [string, string[]] => [
    `npm run lint ${option}`,
    ["app/package.json lint", "package.json lint", "scripts/b.sh"],
  ]),
  ["pnpm -F x run lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["pnpm --recursive run lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["npm run lint --workspacesx", ["package.json lint", "scripts/b.sh"]],
  ["npm run lint --prefix=app", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["pnpm -C app lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["pnpm --dir app lint", ["app/package.json lint", "package.json lint", "scripts/b.sh"]],
  ["make --directory=app check", ["Makefile", "scripts/b.sh"]],
])("%s runs %j", (command, files) => {
  expect(filesRunBy(command)).toEqual(files);
});

test("settings beside a package.json are included with the programs and the code that they name", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-settings-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const texts = {
    "package.json": '{ "scripts": { "lint": "true" } }',
    ".npmrc": "script-shell=./shell\nnode-options = --require ./first.js\nother=./other\n",
    "bunfig.toml": 'preload = ["./bun.ts", "./later.ts"]\n[run]\nshell = "./own"\n',
    "pnpm-workspace.yaml": "packages: []\nscriptShell: ./pnpm\nnodeOptions: '--no-warnings --import=./second.mjs'\n",
    ".yarnrc.yml": "yarnPath: ./yarn.cjs\n",
    ".yarnrc": 'yarn-path "./old.js"\n',
  };
  const code = "bun.ts first.js later.ts old.js own pnpm second.mjs shell yarn.cjs".split(" ");
  for (const name of [...code, "other"]) writeFileSync(join(folder, name), "");
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const settings = [".npmrc node-options", ".npmrc script-shell", ".yarnrc yarn-path", ".yarnrc.yml yarnPath"];
  const more = [
    "bunfig.toml preload",
    "bunfig.toml shell",
    "pnpm-workspace.yaml nodeOptions",
    "pnpm-workspace.yaml scriptShell",
  ];
  const { files } = runFiles([{ files: [], texts: ["npm run lint"], folders: [folder] }], folder);
  const names = files.map(({ path, script }) => [relative(folder, path), script].filter(Boolean).join(" "));
  expect(names.sort()).toEqual([...settings, ...more, ...code, "package.json lint"].sort());
});

test.each([
  ["LD_PRELOAD=bin/tool:./scripts/plain ls", ["bin/tool", "scripts/plain"]],
  ["ruby -r ./rb/part -e 1", ["rb/part.rb"]],
  ["NODE_OPTIONS=--max-old-space-size=4096 node -e 1", []],
  ["NODE_OPTIONS='--require ./lib/one.js' node scripts/plain", ["lib/one.js", "scripts/plain"]],
  ["NODE_OPTIONS=--import=./lib/two.mjs npm run other", ["bin/tool", "lib/two.mjs", "package.json other"]],
  ["export NODE_OPTIONS='--require ./lib/one.js'; node scripts/plain", ["lib/one.js", "scripts/plain"]],
  ["declare -x RUBYOPT=-r./rb/part; ruby -e 1", ["rb/part.rb"]],
  ["export PYTHONPATH=modules; python3 -c 1", ["modules/mm.py"]],
  ["NODE_OPTIONS='--require ./lib/one.js'; node scripts/plain", ["lib/one.js", "scripts/plain"]],
  ["echo NODE_OPTIONS=--require=./lib/one.js", []],
  ["BASH_ENV=scripts/plain bash -c true", ["scripts/plain"]],
  ["ENV=./scripts/plain sh -i", ["scripts/plain"]],
  ["PYTHONSTARTUP=scripts/plain python3 -i", ["scripts/plain"]],
  ["RUBYOPT=-r./rb/part ruby -e 1", ["rb/part.rb"]],
  ["PERL5OPT='-Iplib -MMy::Mod' perl -e 1", ["plib/My/Mod.pm"]],
  ["LD_AUDIT=bin/tool ls", ["bin/tool"]],
  ["DYLD_INSERT_LIBRARIES=bin/tool ls", ["bin/tool"]],
  ["typeset LD_PRELOAD=bin/tool; ls", ["bin/tool"]],
])("files that a variable loads first are included: %s", (command, files) => {
  expect(filesRunBy(command)).toEqual(files);
});

test("a command that changes its folder many times is read as fast as any other", () => {
  const text = "cd scripts\ncd ..\n".repeat(100);
  expect(filesRunBy(`${text}sh scripts/plain`)).toContain("scripts/plain");
});

test.each([
  ["scripts/a.sh", ["scripts/a.sh", "scripts/b.sh"]],
  ["Makefile", ["Makefile", "scripts/b.sh"]],
  ["rules.mk", ["rules.mk", "scripts/plain"]],
  ["Taskfile.yml", ["Taskfile.yml", "scripts/plain"]],
  ["own/list/package.json", ["own/list/package.json"]],
  ["node_modules/.bin/tl", ["node_modules/.bin/tl"]],
  ["py/call.py", ["bin/tool", "py/call.py"]],
  ["js/call.mjs", ["js/call.mjs", "scripts/plain"]],
  ["js/line", ["js/line", "scripts/plain"]],
  ["js/read.mjs", ["js/read.mjs", "lib/one.js"]],
  ["py/read.py", ["py/read.py"]],
  ["rb/read.rb", ["rb/part.rb", "rb/read.rb"]],
  ["lib/index.js", ["lib/index.js", "lib/one.js", "lib/two.mjs"]],
  ["checks/__main__.py", ["checks/__main__.py", "checks/inner/deep.py", "checks/part.py"]],
])("%s leads to the files that it loads", (file, files) => {
  const found = runFiles([{ files: [join(root, file)], texts: [], folders: [root] }], root);
  expect(found.files.map(({ path }) => relative(root, path)).sort()).toEqual(files);
  expect(found.isCut).toBe(false);
});

test("a package script that is not text runs nothing", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-scripts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const text of ['{ "scripts": { "lint": 5 } }', '{ "scripts": 5 }', "[]", "{"]) {
    writeFileSync(join(folder, "package.json"), text);
    expect(runFiles([{ files: [], texts: ["npm run lint"], folders: [folder] }], folder).files).toEqual([]);
  }
});

test("two hundred files are examined, and more are reported as cut", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-many-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const names = Array.from({ length: 201 }, (_, at) => join(folder, `${at}.sh`));
  for (const name of names) writeFileSync(name, "");
  const found = (files: readonly string[]) => runFiles([{ files, texts: [], folders: [folder] }], folder);
  expect(found(names.slice(1)).isCut).toBe(false);
  expect(found(names).isCut).toBe(true);
  expect(found(names).files).toHaveLength(200);
});

/** So many that to follow each of two starts by itself would never end. */
const LENGTH = cases(24, 40);

/** Scripts that each start the next one twice, with a look at the disk that counts how often a file is asked for. */
function chain(lines: (next: string) => string, length = LENGTH) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-chain-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let at = 0; at < length; at++) writeFileSync(join(folder, `${at}.sh`), lines(`${at + 1}.sh`));
  const seen = observedDisk();
  let reads = 0;
  const read = (path: string) => {
    reads++;
    return seen.read(path);
  };
  const disk = { ...seen, read };
  const look = (budget?: { isSpent: () => boolean }) =>
    runFiles([{ files: [], texts: ["sh 0.sh"], folders: [folder] }], folder, disk, budget);
  return { look, reads: () => reads };
}

test.each([
  ["", (next: string) => `sh ${next}\nsh ${next}\n`],
  [" in the same shell", (next: string) => `. ./${next}\n. ./${next}\n`],
  [" with a variable of its own", (next: string) => `A=1 sh ${next}\nA=1 sh ${next}\n`],
])(
  "scripts that each start the next one twice are all found, and each is read as if it were started once%s",
  (_, lines) => {
    const { look, reads } = chain(lines);
    expect(look()).toMatchObject({ files: { length: LENGTH }, isCut: false, isStopped: false });
    expect(reads()).toBeLessThan(LENGTH * 100);
  },
);

test("scripts that start with another state each time are followed a limited number of times, and reported as cut", () => {
  const { look, reads } = chain((next) => `export A=$A.; sh ${next}\nexport A=$A.; sh ${next}\n`);
  expect(look()).toMatchObject({ files: { length: LENGTH }, isCut: true, isStopped: false });
  expect(reads()).toBeLessThan(LENGTH * 400);
});

test("the search checks the work budget at every file, and stops if it is spent", () => {
  const { look } = chain((next) => `sh ${next}\n`);
  let left = 3;
  const found = look({ isSpent: () => left-- === 0 });
  expect(found).toMatchObject({ files: { length: 3 }, isStopped: true });
  expect(look({ isSpent: () => false })).toMatchObject({ files: { length: LENGTH }, isStopped: false });
});

test.each([
  ["too many commands", "true\n".repeat(1300)],
  ["a text that is too long", `#${"x".repeat(70_000)}\n`],
])("a script that is not read to its end is reported as cut: %s", (_, text) => {
  expect(chain(() => text, 1).look().isCut).toBe(true);
});

test.each([
  "sh way/../hidden.sh",
  "sh way//.././hidden.sh",
  "cd -P way/.. && sh hidden.sh",
  "env -C way/.. sh hidden.sh",
])("`..` after a link is relative to the link's target: %s", (text) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-climbing-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "app/deep"), { recursive: true });
  symlinkSync("app/deep", join(folder, "way"));
  for (const file of ["hidden.sh", "app/hidden.sh"]) writeFileSync(join(folder, file), "true\n");
  const { files } = runFiles([{ files: [], texts: [text], folders: [folder] }], folder);
  expect(files.map(({ path }) => relative(folder, path)).sort()).toEqual(["app/hidden.sh", "hidden.sh"]);
});

test("a project may be named through a link, and a script by the one that runs it", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-linked-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [real, link] = [join(folder, "real"), join(folder, "link")];
  mkdirSync(real);
  symlinkSync(real, link);
  writeFileSync(join(real, "runner"), "");
  writeFileSync(join(real, "hook"), `#!${real}/runner\n`);
  const found = (text: string, root: string) =>
    runFiles([{ files: [], texts: [text], folders: [root] }], root).files.map(({ path }) => path);
  expect(found(`sh ${real}/runner`, link)).toEqual([join(real, "runner")]);
  expect(found(`sh ${link}/runner`, link)).toEqual([join(link, "runner")]);
  expect(found(`sh ${link}/runner`, real)).toEqual([]);
  expect(found("./hook", real)).toEqual([join(real, "hook"), join(real, "runner")]);
});
