import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CanaryClone } from "./canary-clone.ts";

/** A hook that is approved, and then something changes that it runs without naming it. */
export interface ChangedLater {
  readonly name: string;
  plant(clone: CanaryClone): void;
  change(clone: CanaryClone): void;
  /** What `sluice trust` says where it cannot know what the hook runs. */
  readonly told?: RegExp;
}

/** `sluice trust` says that a part of what the hook runs cannot be known. */
const CANNOT_KNOW = /cannot (be known|know|tell|see)/i;

interface Indirect {
  readonly command?: string;
  readonly hook?: object;
  /** Files by name; CANARY is the line that writes down that it was run. */
  readonly files?: Readonly<Record<string, string>>;
  readonly change: Readonly<Record<string, string>>;
}

const SH = "#!/bin/sh\nCANARY\n";
const pkg = (scripts: object) => JSON.stringify({ name: "p", version: "1.0.0", scripts });

const INDIRECT: Readonly<Record<string, Indirect>> = {
  "a script of run-parts": { command: "run-parts checks", files: { "checks/one": SH }, change: { "checks/one": SH } },
  "a new script of run-parts": {
    command: "run-parts checks",
    files: { "checks/one": SH },
    change: { "checks/two": SH },
  },
  "run-parts with an option": {
    command: "run-parts --regex '.*' ./checks",
    files: { "checks/one.sh": SH },
    change: { "checks/two.sh": SH },
  },
  "npm run": {
    command: "npm run -s x",
    files: { "package.json": pkg({ x: "CANARY" }) },
    change: { "package.json": pkg({ x: "CANARY" }) },
  },
  "the script before npm run": {
    command: "npm run -s x",
    files: { "package.json": pkg({ x: "CANARY" }) },
    change: { "package.json": pkg({ x: "CANARY approved; true", prex: "CANARY" }) },
  },
  "the script after npm run": {
    command: "npm run -s x",
    files: { "package.json": pkg({ x: "CANARY" }) },
    change: { "package.json": pkg({ x: "CANARY approved; true", postx: "CANARY" }) },
  },
  "a file that a script of npm runs": {
    command: "npm run -s x",
    files: { "package.json": pkg({ x: "sh tool/x.sh" }), "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "script-shell in .npmrc": {
    command: "npm run -s x",
    files: { "package.json": pkg({ x: "CANARY" }), "tool/shell": "#!/bin/sh\nCANARY\n" },
    change: { ".npmrc": "script-shell=./tool/shell\n", "tool/shell": SH },
  },
  "npm --prefix": {
    command: "npm --prefix sub run -s x",
    files: { "sub/package.json": pkg({ x: "CANARY" }) },
    change: { "sub/package.json": pkg({ x: "CANARY" }) },
  },
  "npm test": {
    command: "npm test -s",
    files: { "package.json": pkg({ test: "CANARY" }) },
    change: { "package.json": pkg({ test: "CANARY" }) },
  },
  "a target of make": {
    command: "make -s x",
    files: { Makefile: "x:\n\tCANARY\n" },
    change: { Makefile: "x:\n\tCANARY\n" },
  },
  "a makefile that another includes": {
    command: "make -s x",
    files: { Makefile: "include more.mk\n", "more.mk": "x:\n\tCANARY\n" },
    change: { "more.mk": "x:\n\tCANARY\n" },
  },
  "GNUmakefile before Makefile": {
    command: "make -s x",
    files: { Makefile: "x:\n\tCANARY\n" },
    change: { GNUmakefile: "x:\n\tCANARY\n" },
  },
  "a script of a target": {
    command: "make -s x",
    files: { Makefile: "x:\n\tsh tool/x.sh\n", "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "make -C": {
    command: "make -s -C sub x",
    files: { "sub/Makefile": "x:\n\t@CANARY\n" },
    change: { "sub/Makefile": "x:\n\t@CANARY\n" },
  },
  "sh -c": { command: "sh -c 'exec sh tool/x.sh'", files: { "tool/x.sh": SH }, change: { "tool/x.sh": SH } },
  "sh -c in sh -c": {
    command: `sh -c "sh -c 'sh tool/x.sh'"`,
    files: { "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  eval: { command: "eval 'sh tool/x.sh'", files: { "tool/x.sh": SH }, change: { "tool/x.sh": SH } },
  "a sourced file": { command: ". ./tool/x.sh", files: { "tool/x.sh": SH }, change: { "tool/x.sh": SH } },
  "a file that a sourced file reads in": {
    command: ". ./tool/x.sh",
    files: { "tool/x.sh": ". ./tool/y.sh\n", "tool/y.sh": SH },
    change: { "tool/y.sh": SH },
  },
  "a file by the place of its script": {
    command: "sh tool/x.sh",
    files: { "tool/x.sh": 'here=$(cd "$(dirname "$0")" && pwd)\n. "$here/y.sh"\n', "tool/y.sh": SH },
    change: { "tool/y.sh": SH },
  },
  "standard input of a shell": { command: "sh < tool/x.sh", files: { "tool/x.sh": SH }, change: { "tool/x.sh": SH } },
  "a pipe into a shell": { command: "cat tool/x.sh | sh", files: { "tool/x.sh": SH }, change: { "tool/x.sh": SH } },
  "a substitution": {
    command: 'sh -c "$(cat tool/x.sh)"',
    files: { "tool/x.sh": "CANARY\n" },
    change: { "tool/x.sh": "CANARY\n" },
  },
  xargs: { command: "echo tool/x.sh | xargs sh", files: { "tool/x.sh": SH }, change: { "tool/x.sh": SH } },
  "find -exec": {
    command: "find tool -name '*.sh' -exec sh {} ';'",
    files: { "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "a loop over a glob": {
    command: 'for f in tool/*.sh; do sh "$f"; done',
    files: { "tool/x.sh": SH },
    change: { "tool/y.sh": SH },
  },
  "env, nice and timeout before it": {
    command: "env A=b nice timeout 5 sh tool/x.sh",
    files: { "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "a program of the project found by PATH": {
    command: 'PATH="$PWD/bin:$PATH" x',
    files: { "bin/x": SH },
    change: { "bin/x": SH },
  },
  "a shebang interpreter of the project": {
    command: "./tool/x",
    files: { "tool/x": "#!/usr/bin/env -S sh tool/run.sh\n", "tool/run.sh": SH },
    change: { "tool/run.sh": SH },
  },
  "python -m": {
    command: "python3 -m pkg.tool",
    files: { "pkg/__init__.py": "", "pkg/tool.py": "import os\nos.system('CANARY')\n" },
    change: { "pkg/tool.py": "import os\nos.system('CANARY')\n" },
  },
  "the package of python -m": {
    command: "python3 -m pkg.tool",
    files: { "pkg/__init__.py": "", "pkg/tool.py": "import os\nos.system('CANARY')\n" },
    change: { "pkg/__init__.py": "import os\nos.system('CANARY')\n" },
  },
  "__main__ of python -m": {
    command: "python3 -m pkg",
    files: { "pkg/__init__.py": "", "pkg/__main__.py": "import os\nos.system('CANARY')\n" },
    change: { "pkg/__main__.py": "import os\nos.system('CANARY')\n" },
  },
  "a module that a Python script imports": {
    command: "python3 tool/x.py",
    files: { "tool/x.py": "import helper\n", "tool/helper.py": "import os\nos.system('CANARY')\n" },
    change: { "tool/helper.py": "import os\nos.system('CANARY')\n" },
  },
  "a module in place of one of Python's own": {
    command: "python3 tool/x.py",
    files: { "tool/x.py": "import os, json\nos.system('CANARY')\n" },
    change: { "tool/json.py": "import os\nos.system('CANARY')\n" },
  },
  "node --import": {
    command: "node --import ./tool/hook.mjs -e 0",
    files: { "tool/hook.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");' },
    change: { "tool/hook.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");' },
  },
  "node -r": {
    command: "node -r ./tool/hook.cjs -e 0",
    files: { "tool/hook.cjs": 'require("node:child_process").execSync("CANARY");' },
    change: { "tool/hook.cjs": 'require("node:child_process").execSync("CANARY");' },
  },
  "node -e with require": {
    command: `node -e 'require("./tool/hook.cjs")'`,
    files: { "tool/hook.cjs": 'require("node:child_process").execSync("CANARY");' },
    change: { "tool/hook.cjs": 'require("node:child_process").execSync("CANARY");' },
  },
  "node --env-file": {
    command: "node --env-file=tool/env tool/x.cjs",
    files: {
      "tool/env": "A=b\n",
      "tool/x.cjs": 'require("node:child_process").execSync("CANARY");',
      "tool/evil.cjs": 'require("node:child_process").execSync("CANARY changed");',
    },
    change: { "tool/env": "NODE_OPTIONS=--require=./tool/evil.cjs\n" },
  },
  "a module that a script imports": {
    command: "node tool/x.mjs",
    files: {
      "tool/x.mjs": 'import "./y.mjs";',
      "tool/y.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");',
    },
    change: { "tool/y.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");' },
  },
  "a module that a plugin imports": {
    hook: { module: "./plugin.mjs" },
    files: {
      "plugin.mjs": 'import "./lib/y.mjs"; export default { name: "p", preToolUse: () => null };',
      "lib/y.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");',
    },
    change: { "lib/y.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");' },
  },
  "a module that a plugin imports later": {
    hook: { module: "./plugin.ts" },
    files: {
      "plugin.ts":
        'export default { name: "p", preToolUse: async () => { await import("./lib/y.ts"); return null; } };',
      "lib/y.ts": 'import { execSync } from "node:child_process"; execSync("CANARY");',
    },
    change: { "lib/y.ts": 'import { execSync } from "node:child_process"; execSync("CANARY");' },
  },
  "a package of the project that a plugin imports": {
    hook: { module: "./plugin.mjs" },
    files: {
      "plugin.mjs": 'import "dep"; export default { name: "p", preToolUse: () => null };',
      "node_modules/dep/package.json": '{"name":"dep","main":"i.js"}',
      "node_modules/dep/i.js": 'require("node:child_process").execSync("CANARY");',
    },
    change: { "node_modules/dep/i.js": 'require("node:child_process").execSync("CANARY");' },
  },
  "imports in package.json": {
    command: "node tool/x.mjs",
    files: {
      "package.json": '{"name":"p","imports":{"#y":"./tool/y.mjs"}}',
      "tool/x.mjs": 'import "#y";',
      "tool/y.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY");',
      "tool/z.mjs": 'import { execSync } from "node:child_process"; execSync("CANARY changed");',
    },
    change: { "package.json": '{"name":"p","imports":{"#y":"./tool/z.mjs"}}' },
  },
  npx: {
    command: "npx --no-install tool",
    files: { "package.json": pkg({}), "node_modules/.bin/tool": SH },
    change: { "node_modules/.bin/tool": SH },
  },
  "a script of the hook's own": {
    hook: { script: "tool/x.sh" },
    files: { "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "the working directory of the hook": {
    hook: { command: "sh x.sh", workingDir: "tool" },
    files: { "tool/x.sh": SH, "x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "variables of the hook": {
    hook: { command: 'sh "$TOOL"', env: { TOOL: "tool/x.sh" } },
    files: { "tool/x.sh": SH },
    change: { "tool/x.sh": SH },
  },
  "awk -f": {
    command: "awk -f tool/x.awk </dev/null",
    files: { "tool/x.awk": 'BEGIN { system("CANARY") }\n' },
    change: { "tool/x.awk": 'BEGIN { system("CANARY") }\n' },
  },
  "perl -I": {
    command: "perl -Itool -MHelper -e 1",
    files: { "tool/Helper.pm": 'package Helper; system("CANARY"); 1;\n' },
    change: { "tool/Helper.pm": 'package Helper; system("CANARY"); 1;\n' },
  },
  "git with an alias of the project": {
    command: "git x",
    files: {
      ".git/config": '[core]\n repositoryformatversion = 0\n[alias]\n x = "!CANARY"\n',
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/k": "",
      ".git/refs/k": "",
    },
    change: { ".git/config": '[core]\n repositoryformatversion = 0\n[alias]\n x = "!CANARY"\n' },
  },
  "git hooks": {
    command: "git hook run pre-commit",
    files: {
      ".git/config": "[core]\n repositoryformatversion = 0\n",
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/k": "",
      ".git/refs/k": "",
      ".git/hooks/pre-commit": SH,
    },
    change: { ".git/hooks/pre-commit": SH },
  },
};

const LINKED: readonly ChangedLater[] = [
  {
    name: "a symlinked script leads elsewhere",
    plant: (clone) => {
      clone.write(".sluice/hooks.json", hooksOf({ command: "sh link.sh" }));
      clone.write("tool/a.sh", `${clone.canary("approved")}\n`);
      clone.write("tool/b.sh", `${clone.canary("changed")}\n`);
      symlinkSync("tool/a.sh", join(clone.root, "link.sh"));
    },
    change: ({ root }) => {
      rmSync(join(root, "link.sh"));
      symlinkSync("tool/b.sh", join(root, "link.sh"));
    },
  },
  {
    name: "a folder above the script leads elsewhere",
    plant: (clone) => {
      clone.write(".sluice/hooks.json", hooksOf({ command: "sh tool/x.sh" }));
      clone.write("a/x.sh", `${clone.canary("approved")}\n`);
      clone.write("b/x.sh", `${clone.canary("changed")}\n`);
      symlinkSync("a", join(clone.root, "tool"));
    },
    change: ({ root }) => {
      rmSync(join(root, "tool"));
      symlinkSync("b", join(root, "tool"));
    },
  },
];

function hooksOf(hook: object) {
  return { hooks: [{ name: "canary", event: "tool:pre_execute:@shell", ...hook }] };
}

export const CHANGED_LATER: readonly ChangedLater[] = [
  ...Object.entries(INDIRECT).map(([name, { command, hook = { command }, files = {}, change }]) => {
    const put = (clone: CanaryClone, all: Readonly<Record<string, string>>, tag: string) => {
      for (const [file, content] of Object.entries(all)) {
        const text = content
          .replaceAll(/CANARY (approved|changed)/g, (_, own: string) => clone.canary(own))
          .replaceAll("CANARY", clone.canary(tag));
        clone.write(file, text, 0o755);
      }
    };
    return {
      name: `changed later: ${name}`,
      plant: (clone: CanaryClone) => {
        clone.write(".sluice/hooks.json", hooksOf(hook));
        put(clone, files, "approved");
      },
      change: (clone: CanaryClone) => put(clone, change, "changed"),
      told: CANNOT_KNOW,
    };
  }),
  ...LINKED,
];
