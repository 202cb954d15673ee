import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { selfProtection } from "../../src/policies/protect/self-protection.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-copied-")));
const root = join(home, "project");

/** Scripts as projects have them, and some that bring other hooks. */
const FILES: Readonly<Record<string, string>> = {
  ".sluice/hooks.yaml": "hooks: []\n",
  "public/index.html": "<p>\n",
  "bad/.sluice/hooks.yaml": "hooks: []\n",
  "scripts/build.mjs": `import { cpSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(root, "dist");
cpSync(join(root, "public"), out, { recursive: true });
for (const d of ["src", "assets"]) cpSync(join(root, d), join(out, d), { recursive: true });
`,
  "scripts/given.mjs": `import { cpSync } from "node:fs";
function copy(from, to) {
  cpSync(from, to, { recursive: true });
}
copy("public", process.argv[2]);
`,
  "scripts/pack.py": `import os, shutil
from pathlib import Path
BASE = Path(__file__).resolve().parent.parent
shutil.copytree(os.path.join(BASE, "public"), BASE / "build" / "web", dirs_exist_ok=True)
shutil.unpack_archive("vendor.zip", os.path.join(BASE, "vendor"))
`,
  "scripts/pack.rb": `require "fileutils"\nFileUtils.cp_r(File.join(__dir__, "../public"), File.join(__dir__, "..", "site"))\n`,
  "scripts/copy.sh": `SRC="$(dirname "$0")/../public"\nOUT="\${1:-dist}"\nnpm run made\ncp -r "$SRC" "$OUT"\ncp -r made "$OUT/web"\n`,
  "scripts/over.mjs": `import { cpSync } from "node:fs";\ncpSync("bad", ".", { recursive: true });\n`,
  "scripts/above.py": `import shutil, os\nHERE = os.path.dirname(__file__)\nshutil.copytree("bad", os.path.join(HERE, ".."), dirs_exist_ok=True)\n`,
  "scripts/home.mjs": `import { cpSync } from "node:fs";\nimport os from "node:os";\nconst to = os.homedir();\ncpSync("x", to, { recursive: true });\n`,
  "scripts/brings.mjs": `import { cpSync } from "node:fs";\ncpSync("bad", process.argv[2], { recursive: true });\n`,
};

beforeAll(() => {
  vi.stubEnv("HOME", home);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(".", join(root, "alias"));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function verdict(command: string): string {
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root });
  return selfProtection(event, { root, home, env: {} })?.action ?? "continue";
}

describe("code that copies a whole folder", () => {
  it.each([
    "node scripts/build.mjs",
    "node scripts/given.mjs dist",
    "python3 scripts/pack.py",
    "ruby scripts/pack.rb",
    "bash scripts/copy.sh",
    `node -e "require('fs').cpSync('public', 'dist', { recursive: true })"`,
    'node -e \'const fs = require("fs"), p = require("path"); fs.cpSync(p.join(process.cwd(), "public"), p.join(process.cwd(), "out", "web"), { recursive: true })\'',
    `python3 -c "import shutil; shutil.copytree('public', 'build/public')"`,
    `python3 -c "import zipfile; zipfile.ZipFile('a.zip').extractall('vendor')"`,
    "python3 - <<'E'\nimport tarfile, os\nwith tarfile.open('a.tgz') as t:\n    t.extractall(path=os.path.join(os.getcwd(), 'third_party'))\nE",
  ])("passes where it goes to a folder of its own: %s", (command) => {
    expect(verdict(command)).toBe("continue");
  });

  it.each([
    "node scripts/over.mjs",
    "python3 scripts/above.py",
    "node scripts/home.mjs",
    "node scripts/brings.mjs .",
    `node -e "require('fs').cpSync('bad', '.', { recursive: true })"`,
    `node -e "require('fs').cpSync('bad', 'alias', { recursive: true })"`,
    `node -e "const p = require('path'); require('fs').cpSync('bad', p.dirname(p.resolve('dist')), { recursive: true })"`,
    `node -e "require('fs').cpSync('x', p.join(q, 'project'), { recursive: true })"`,
    `node -e "require('fs').cpSync('x', p.join(q, 'dist', '..'), { recursive: true })"`,
    `node -e "let d = 'dist'; d += '/..'; require('fs').cpSync('x', d, { recursive: true })"`,
    `python3 -c "import shutil; shutil.copytree('bad/.sluice', '.slu' + 'ice', dirs_exist_ok=True)"`,
    `python3 -c "import shutil; shutil.copytree('bad', '$DIR', dirs_exist_ok=True)"`,
    `python3 -c "import shutil, sys; shutil.copytree('bad', sys.argv[1], dirs_exist_ok=True)" .`,
    `python3 -c "from distutils.dir_util import copy_tree as c; c('bad', '.')"`,
    `python3 -c "import tarfile; tarfile.open('bad.tar').extractall()"`,
    `python3 -c "import shutil; shutil.unpack_archive('bad.zip')"`,
    `ruby -rzip -e "Zip::File.open('bad.zip').each { |f| f.extract }"`,
  ])("is asked about where it may come over Sluice's own files: %s", (command) => {
    expect(["ask", "deny"]).toContain(verdict(command));
  });
});
