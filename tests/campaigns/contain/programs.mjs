// Programs whose effects cannot be read from their command line. Each runs the same acts, in its own way; `files` are put into the
// project first, and `made` is run there, as an earlier call of somebody would have.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const act = (name) => readFileSync(new URL(`acts/${name}`, import.meta.url), "utf8");
const [C, PY, PL, JS, SH] = ["acts.c", "acts.py", "acts.pl", "acts.cjs", "acts.sh"].map(act);
const base64 = (text) => Buffer.from(text).toString("base64");
const hex = (text) => Buffer.from(text).toString("hex");
const reversed = (text) => [...text].reverse().join("");
const MODULES = new URL("../../../node_modules", import.meta.url).pathname;
const cc = (options) => `cc -w ${options} acts.c`;

export const PROGRAMS = [
  { name: "compiled C", files: { "acts.c": C }, made: cc("-o prog"), command: "./prog" },
  {
    name: "compiled C, stripped and renamed to a tool",
    files: { "acts.c": C },
    made: cc("-s -O2 -o jq"),
    command: "./jq .",
  },
  {
    name: "compiled C that the path finds first",
    files: { "acts.c": C },
    made: cc("-o jq"),
    command: "PATH=$PWD:$PATH jq .",
  },
  { name: "compiled C, linked statically", files: { "acts.c": C }, made: cc("-static -o prog"), command: "./prog" },
  {
    name: "a library that LD_PRELOAD loads",
    files: { "acts.c": C },
    made: cc("-shared -fPIC -DLIBRARY -o lib.so"),
    command: "LD_PRELOAD=$PWD/lib.so uname",
  },
  {
    name: "a library that python loads",
    files: { "acts.c": C },
    made: cc("-shared -fPIC -DLIBRARY -o lib.so"),
    command: "python3 -c 'import ctypes; ctypes.CDLL(\"./lib.so\")'",
  },
  { name: "compiled when it runs", files: { "acts.c": C }, command: "cc -w -o build.out acts.c && ./build.out" },
  {
    name: "a program in memory",
    files: {
      "acts.c": C,
      "load.py":
        "import os\nf=os.memfd_create('x')\nos.write(f,open('prog','rb').read())\nos.execve(f,['x'],os.environ)\n",
    },
    made: cc("-o prog"),
    command: "python3 load.py",
  },
  {
    name: "started by the loader",
    files: { "acts.c": C },
    made: cc("-o prog"),
    command: "/lib64/ld-linux-x86-64.so.2 ./prog",
  },
  {
    name: "Rust that runs it",
    needs: "rustc --version",
    files: { "acts.c": C, "main.rs": 'fn main() { std::process::Command::new("./prog").status().unwrap(); }\n' },
    made: `${cc("-o prog")} && rustc -o rusty main.rs`,
    command: "./rusty",
  },
  {
    name: "Makefile recipe",
    files: { "acts.c": C, Makefile: "all:\n\t@./prog\n" },
    made: cc("-o prog"),
    command: "make",
  },
  {
    name: "Makefile that compiles first",
    files: { "acts.c": C, Makefile: "check: acts\n\t./acts\nacts: acts.c\n\tcc -w -o acts acts.c\n" },
    command: "make check",
  },
  {
    name: "Makefile assignment",
    files: { Makefile: "X := $(shell bash ./step.sh)\nall: ;@true\n", "step.sh": SH },
    command: "make",
  },
  {
    name: "cmake",
    files: {
      "CMakeLists.txt":
        "cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nexecute_process(COMMAND bash step.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})\n",
      "step.sh": SH,
    },
    command: "cmake -S . -B out",
  },
  { name: "python script", files: { "tool.py": PY }, command: "python3 tool.py" },
  {
    name: "python from base64",
    files: { "tool.py": `import base64\nexec(base64.b64decode("${base64(PY)}"))\n` },
    command: "python3 tool.py",
  },
  { name: "python from hex in one line", command: `python3 -c 'exec(bytes.fromhex("${hex(PY)}"))'` },
  {
    name: "python bytecode",
    files: { "mod.py": PY },
    made: 'python3 -c \'import py_compile; py_compile.compile("mod.py", "mod.pyc")\' && rm mod.py',
    command: "python3 mod.pyc",
  },
  {
    name: "python module beside the script",
    files: { "helper.py": PY, "tool.py": "import helper\n" },
    command: "python3 tool.py",
  },
  {
    name: "python in a zip file",
    files: { "app/__main__.py": PY },
    made: "python3 -m zipapp app -o app.pyz",
    command: "python3 app.pyz",
  },
  { name: "python module that hides a known one", files: { "json.py": PY }, command: "python3 -c 'import json'" },
  {
    name: "python from a pipe",
    files: { data: reversed(PY) },
    command: 'python3 -c "import sys; exec(sys.stdin.read()[::-1])" < data',
  },
  {
    name: "pytest plugin",
    files: { "conftest.py": PY, "test_a.py": "def test_a(): pass\n" },
    command: "python3 -m pytest -q -p no:cacheprovider",
  },
  {
    name: "pytest test",
    files: { "test_a.py": `def test_a():\n    exec(open("data").read(), {})\n`, data: PY },
    command: "python3 -m pytest -q -p no:cacheprovider",
  },
  {
    name: "setup.py",
    files: { "setup.py": `${PY}\nfrom setuptools import setup\nsetup(name="x")\n` },
    command: "python3 setup.py --version",
  },
  { name: "perl script", files: { "tool.pl": PL }, command: "perl tool.pl" },
  { name: "perl from packed text", command: `perl -e 'eval pack("H*", "${hex(PL)}")'` },
  { name: "perl module", files: { "lib/Tool.pm": `package Tool; ${PL}` }, command: "perl -Ilib -MTool -e 1" },
  { name: "perl from a gzip file", files: { "data.gz": gzipSync(PL) }, command: "zcat data.gz | perl" },
  { name: "node script", files: { "tool.cjs": JS }, command: "node tool.cjs" },
  { name: "node from base64", command: `node -e 'eval(Buffer.from("${base64(JS)}", "base64").toString())'` },
  {
    name: "node package",
    files: { "node_modules/tool/index.js": JS, "main.cjs": "require('tool')\n" },
    command: "node main.cjs",
  },
  {
    name: "node that NODE_OPTIONS loads",
    files: { "hook.cjs": JS },
    command: "NODE_OPTIONS=--require=./hook.cjs node -e 1",
  },
  {
    name: "npm script",
    files: { "package.json": '{"name":"x","version":"1.0.0","scripts":{"build":"node tool.cjs"}}', "tool.cjs": JS },
    command: "npm run -s build",
  },
  {
    name: "npm install script",
    files: {
      "package.json": '{"name":"x","version":"1.0.0","scripts":{"postinstall":"node tool.cjs"}}',
      "tool.cjs": JS,
    },
    command: "npm install --offline --no-audit --no-fund",
  },
  {
    name: "npm install script of a package",
    files: {
      "package.json": '{"name":"x","version":"1.0.0","dependencies":{"dep":"file:dep"}}',
      "dep/package.json": '{"name":"dep","version":"1.0.0","scripts":{"install":"node $INIT_CWD/tool.cjs"}}',
      "tool.cjs": JS,
    },
    command: "npm install --offline --no-audit --no-fund --install-links",
  },
  {
    name: "vitest plugin",
    files: {
      "package.json": "{}",
      "vitest.config.mjs":
        'import { createRequire } from "node:module"; createRequire(import.meta.url)("./tool.cjs");\nawait new Promise((r) => setTimeout(r, 300));\nexport default {};\n',
      "a.test.mjs": 'import { it } from "vitest"; it("a", () => {});\n',
      "tool.cjs": JS,
    },
    made: `ln -s ${MODULES} node_modules`,
    command: "node_modules/.bin/vitest run",
  },
  { name: "shell script", files: { "tool.sh": SH }, command: "bash tool.sh" },
  {
    name: "shell script that is turned around",
    files: { data: reversed(SH) },
    command: "bash -c \"$(perl -0777 -pe '$_ = reverse' data)\"",
  },
  { name: "shell script from base64", command: `echo ${base64(SH)} | base64 -d | bash` },
  {
    name: "self-extracting script",
    files: { "setup.run": `#!/bin/sh\ntail -n +4 "$0" | base64 -d | bash\nexit\n${base64(SH)}\n` },
    command: "sh setup.run",
  },
  { name: "script that BASH_ENV names", files: { "env.sh": SH }, command: "BASH_ENV=./env.sh bash -c true" },
  { name: "git alias", files: { "tool.sh": SH }, made: "git config alias.st '!bash tool.sh'", command: "git st" },
  {
    name: "git hook",
    files: { "tool.sh": SH },
    made: "printf '#!/bin/sh\\nbash tool.sh\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit",
    command: "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x",
  },
  {
    name: "git filter",
    files: { "tool.sh": `${SH}\n`, ".gitattributes": "*.txt filter=f\n", "a.txt": "a" },
    made: "git config filter.f.clean 'bash tool.sh >&2; cat'",
    command: "git add a.txt",
  },
  {
    name: "tar checkpoint",
    files: { "tool.sh": SH, "a.txt": "a" },
    command: "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='bash tool.sh' a.txt",
  },
  {
    name: "awk",
    files: { "tool.sh": SH, "tool.awk": 'BEGIN { system("bash tool.sh") }\n' },
    command: "awk -f tool.awk",
  },
  { name: "find", files: { "tool.sh": SH }, command: "find tool.sh -exec bash {} \\;" },
  {
    name: "waits and forks into the background",
    files: { "acts.c": C, "late.sh": "(setsid sh -c 'sleep 0.2; ./prog' >/dev/null 2>&1 &)\nsleep 0.6\n" },
    made: cc("-o prog"),
    command: "sh late.sh",
  },
];
