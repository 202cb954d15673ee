import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decideInProject } from "../../src/decide/in-project.ts";
import { readLayers } from "../../src/decide/layers.ts";
import { configurationAt } from "../../src/decide/project.ts";
import type { Decision } from "../../src/decision/decision.ts";
import { HookEvent } from "../../src/event/event.ts";
import { readKept, undoFolder } from "../../src/policies/undo/kept-call.ts";
import { undoCall } from "../../src/policies/undo/restore.ts";
import { writeSettled } from "../settled-file.ts";
import { copied, gitStateOf, sampleProject, treeOf } from "./sample-project.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-unclear-"));
  root = join(base, "project");
  vi.stubEnv("HOME", join(base, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", join(base, "config"));
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
  mkdirSync(join(base, "config/sluice"), { recursive: true });
  writeSettled(join(base, "config/sluice/hooks.yaml"), "guards: standard\n");
  mkdirSync(root);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

async function decided(type: "PreToolUse" | "PostToolUse", tool: string, args: object): Promise<Decision> {
  const configuration = configurationAt(root, { env: process.env, layers: readLayers });
  const data = { tool_args: args, tool_use_id: "1", ...(type === "PostToolUse" ? { tool_result: "" } : {}) };
  const event = new HookEvent({ type, toolName: tool, data, cwd: root, sessionId: "s", agent: "claude-code" });
  return (await decideInProject(event, configuration, { env: process.env })).decision;
}

/** What a call has stashed stays beside what came back. */
function gitState(): string {
  return gitStateOf(root)
    .split("\n")
    .filter((line) => !/^[0-9a-f ]+$|^\?\? (?:blank.ts|src.with)$/.test(line))
    .join("\n");
}

/** Decides a call, makes it, tells its end, and brings everything back. */
async function takenBack(tool: string, args: object, act: string) {
  const { action } = await decided("PreToolUse", tool, args);
  if (action !== "continue") return { action, hasChanged: false };
  const [before, gitBefore] = [treeOf(root), gitState()];
  spawnSync("bash", ["-c", act], { cwd: root });
  await decided("PostToolUse", tool, args);
  const hasChanged = JSON.stringify(treeOf(root)) !== JSON.stringify(before);
  const left = readKept(undoFolder(process.env))
    .filter(({ state }) => state === "kept")
    .flatMap((call) => undoCall(undoFolder(process.env), call).left);
  expect(left).toEqual([]);
  expect(treeOf(root)).toMatchObject(before);
  expect(gitState()).toEqual(gitBefore);
  return { action, hasChanged };
}

describe("what is known only when a call runs is kept with its whole folder", () => {
  let withTopic: string | undefined;
  afterAll(() => {
    if (withTopic !== undefined) rmSync(withTopic, { recursive: true, force: true });
  });

  /** The sample project with archives in it, and a branch that changes what has a change here. */
  function projectWithTopic(): string {
    const folder = sampleProject(mkdtempSync(join(tmpdir(), "sluice-topic-")));
    writeFileSync(join(folder, "list"), "README.md\nsrc/index.ts\n");
    const packed = join(base, "packed");
    mkdirSync(join(packed, "src"), { recursive: true });
    for (const path of ["src/index.ts", "README.md"]) writeFileSync(join(packed, path), "packed\n");
    execFileSync("tar", ["cf", join(folder, "old.tar"), "src"], { cwd: packed });
    execFileSync("tar", ["czf", join(folder, "old.tgz"), "README.md"], { cwd: packed });
    const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "ignore" });
    git("stash");
    git("checkout", "-b", "topic2");
    writeFileSync(join(folder, "data.bin"), "of the topic");
    git("commit", "-am", "topic");
    git("checkout", "main");
    git("stash", "pop", "--index");
    return folder;
  }

  test.each([
    'for f in $(ls notes); do rm "notes/$f"; done',
    'for f in $(git ls-files src); do : > "$f"; done',
    'for f in $(cat list); do echo x >> "$f"; done',
    'find src -type f -print | while read -r f; do echo x > "$f"; done',
    'while read -r f; do echo x > "$f"; done < list',
    'perl -e \'open(F, ">README.md"); print F "gone"\'',
    'perl -e \'open my $f, ">", shift; print $f "gone"\' README.md',
    "python3 -c \"import sys; open(sys.argv[1], 'w').write('gone')\" README.md",
    "node -e \"for (const f of require('fs').readdirSync('notes')) require('fs').rmSync('notes/' + f, { recursive: true, force: true })\"",
    "tar -xf old.tar --recursive-unlink",
    "tar -xzf- < old.tgz",
    "git stash",
    "git stash -u",
    "git checkout -q topic -f",
    "git clean -fdX",
    "git merge -q topic2 -X theirs",
    "git rebase -q --autostash topic2",
  ])("%s", async (command) => {
    withTopic ??= projectWithTopic();
    copied(withTopic, root);
    expect(await takenBack("Bash", { command }, command)).toEqual({ action: "continue", hasChanged: true });
  });
});

describe("what is destroyed in another place cannot be kept here", () => {
  // Nothing is run, so all of them are decided in the same files.
  let sample: string | undefined;
  afterAll(() => {
    if (sample !== undefined) rmSync(sample, { recursive: true, force: true });
  });

  test.each([
    "ssh devhost 'rm -rf notes'",
    "ssh devhost 'git clean -fdx'",
    "docker exec web rm -rf notes",
    "adb shell rm -rf /sdcard/DCIM/*",
    "vagrant ssh -c 'rm -rf notes'",
    "powershell -Command 'Remove-Item -Recurse -Force D:/backup'",
    'cmd /c "del /f /s /q C:\\Users\\ada\\*"',
  ])("%s", async (command) => {
    sample ??= sampleProject(mkdtempSync(join(tmpdir(), "sluice-elsewhere-")));
    root = sample;
    expect((await decided("PreToolUse", "Bash", { command })).action).toBe("deny");
  });
});

describe("in a project with files of every kind", () => {
  beforeEach(() => {
    sampleProject(root);
  });

  describe("what a script in its own file destroys comes back", () => {
    test.each([
      [
        "python3 scripts/clean.py",
        {
          "scripts/clean.py":
            'from pathlib import Path\nroot = Path(__file__).resolve().parent.parent\nfor p in (root / "notes").glob("*.md"):\n    p.unlink()\n',
        },
      ],
      ["python3 arg.py src", { "arg.py": "import sys, shutil\nshutil.rmtree(sys.argv[1])\n" }],
      ["python3 -m tools.wipe", { "tools/wipe.py": 'import shutil\nshutil.rmtree("notes")\n' }],
      [
        "python3 tools/run.py",
        {
          "tools/run.py": "from lib.files import clear\nclear('README.md')\n",
          "tools/lib/files.py": "import os\nclear = os.remove\ndef gone(p):\n    os.remove(p)\n",
        },
      ],
      [
        "node scripts/wipe.mjs",
        {
          "scripts/wipe.mjs": 'import { wipe } from "./lib/wipe.mjs";\nwipe("notes");\n',
          "scripts/lib/wipe.mjs":
            'import fs from "node:fs";\nexport const wipe = (path) => fs.rmSync(path, { recursive: true });\n',
        },
      ],
      [
        "node empty.mjs notes",
        {
          "empty.mjs":
            'import fs from "node:fs";\nconst [dir] = process.argv.slice(2);\nfor (const f of fs.readdirSync(dir)) if (f.endsWith("md")) fs.writeFileSync(`${dir}/${f}`, "");\n',
        },
      ],
      ["sh scripts/reset.sh notes", { "scripts/reset.sh": 'OUT=${1:-src}\nrm -rf -- "$OUT"/*\n' }],
      ["bash tools/reset.sh", { "tools/reset.sh": 'rm -rf notes\nOUT=$(node -p "\'src\'")\n: > "$OUT/index.ts"\n' }],
      ["make all", { Makefile: "all: clean\n\techo done\nclean:\n\trm -rf notes\n" }],
    ])("%s", async (command, files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      expect(await takenBack("Bash", { command }, command)).toEqual({ action: "continue", hasChanged: true });
    });
  });

  test.each([
    [
      "bun run wipe.ts notes",
      "wipe.ts",
      'import { rmSync } from "node:fs";\nrmSync(process.argv[2], { recursive: true });\n',
    ],
    [
      "pnpm tsx wipe.ts notes",
      "wipe.ts",
      'import { rmSync } from "node:fs";\nrmSync(process.argv[2], { recursive: true });\n',
    ],
    ["just all", "justfile", "out := 'notes'\nall: clean\n  echo done\nclean:\n  rm -rf {{out}}\n"],
  ])("what a script of another runner destroys comes back: %s", async (command, path, text) => {
    writeFileSync(join(root, path), text);
    expect(await takenBack("Bash", { command }, "rm -rf notes")).toEqual({ action: "continue", hasChanged: true });
  });

  test.each([
    ["replace-all a b README.md", "sed -i s/a/b/ README.md"],
    ["some-formatter --write=README.md", "echo x > README.md"],
    ["some-formatter -i src", "echo x > src/index.ts"],
  ])("files that a program is given of which nothing is known are kept: %s", async (command, act) => {
    expect(await takenBack("Bash", { command }, act)).toEqual({ action: "continue", hasChanged: true });
  });

  test.each(["shred -u notes/todo.md", "mv notes/todo.md data.bin; echo x > data.bin"])(
    "the other names of a file have its content again: %s",
    async (command) => {
      linkSync(join(root, "notes/todo.md"), join(root, "src/second-name.md"));
      expect(await takenBack("Bash", { command }, command)).toEqual({ action: "continue", hasChanged: true });
    },
  );

  test("a folder has its mode again after an archive was unpacked over it", async () => {
    execFileSync("tar", ["cf", "old.tar", "notes"], { cwd: root });
    chmodSync(join(root, "notes"), 0o2755);
    const command = "tar xpf old.tar";
    expect(await takenBack("Bash", { command }, command)).toEqual({ action: "continue", hasChanged: true });
  });

  test("a script that is asked about is named with its line", async () => {
    writeFileSync(join(root, "drop.py"), "import sys, shutil\n\nshutil.rmtree('/srv/data')\n");
    writeFileSync(join(root, "drop.sh"), "set -e\nrm -rf /srv/data\n");
    const { reasons } = await decided("PreToolUse", "Bash", { command: "python3 drop.py" });
    expect(reasons.join(" ")).toContain("`shutil.rmtree('/srv/data')` (drop.py:3)");
    const { reasons: ofShell } = await decided("PreToolUse", "Bash", { command: "sh drop.sh" });
    expect(ofShell.join(" ")).toContain("`rm -rf /srv/data` (drop.sh:2)");
  });

  test("what a call has left as it was is forgotten when it has ended", async () => {
    const command = "perl -e 'open(F, \">README.md\"); print F 1'";
    await decided("PreToolUse", "Bash", { command });
    expect(readKept(undoFolder(process.env))[0]?.files.length).toBeGreaterThan(5);
    spawnSync("bash", ["-c", command], { cwd: root });
    await decided("PostToolUse", "Bash", { command });
    expect(readKept(undoFolder(process.env))[0]?.files.map(({ path }) => path)).toEqual([join(root, "README.md")]);
  });

  test("a call that has changed nothing is forgotten", async () => {
    const command = "perl -e 'open(F, \">$ARGV[0]\") if @ARGV'";
    await decided("PreToolUse", "Bash", { command });
    await decided("PostToolUse", "Bash", { command });
    expect(readKept(undoFolder(process.env))).toEqual([]);
  });

  test("a folder that is too large to be kept whole is asked about before unknown files of it are removed", async () => {
    writeSettled(join(base, "config/sluice/hooks.yaml"), "guards: standard\nundo: { files: 3 }\n");
    const { action, reasons } = await decided("PreToolUse", "Bash", { command: "git stash && git rebase main" });
    expect([action, reasons.join(" ")]).toEqual(["ask", expect.stringContaining("more than 3 files")]);
  });

  test("a file that a tool names by its address is kept", async () => {
    const uri = `file://${root}/README.md`;
    for (const args of [
      { uri, content: "x" },
      { documentUri: uri, text: "x" },
      { textDocument: { uri }, edits: [] },
    ])
      expect(await takenBack("mcp__editor__write", args, "echo x > README.md")).toMatchObject({ hasChanged: true });
  });

  test("a file that a tool writes through a symlink is kept, wherever the project lies", async () => {
    for (const base of ["/dev/shm", tmpdir()].filter((folder) => existsSync(folder))) {
      root = mkdtempSync(join(base, "sluice-through-"));
      sampleProject(root);
      writeFileSync(join(root, "src/index.ts"), "not committed\n");
      const args = { file_path: join(root, "link"), content: "x" };
      expect(await takenBack("Write", args, "printf x > link")).toMatchObject({ hasChanged: true });
      rmSync(root, { recursive: true, force: true });
    }
  });

  test("files that a tool removes by their addresses are kept", async () => {
    const uris = [`file://${root}/README.md`, `FILE://${root}/src/index.ts`];
    expect(await takenBack("mcp__fs__remove_files", { uris }, "rm README.md src/index.ts")).toMatchObject({
      hasChanged: true,
    });
  });

  test("an editor that a guard would stop is kept with the files that it goes to", async () => {
    const command = "vim -es -c 'e data.bin' -c '%d' -c 'w!' -c 'qa!' README.md";
    expect(await takenBack("Bash", { command }, "> data.bin")).toMatchObject({ hasChanged: true });
  });

  test("of calls that never end only the latest are waited for", async () => {
    for (let at = 0; at < 3; at++)
      await decided("PreToolUse", "Write", { file_path: join(root, "README.md"), content: `${at}` });
    const open = join(undoFolder(process.env), "open");
    for (let at = 0; at < 400; at++) writeFileSync(join(open, `000000000-${at}.-.-.-`), "");
    await decided("PreToolUse", "Write", { file_path: join(root, "README.md"), content: "x" });
    expect(readdirSync(open).length).toBeLessThanOrEqual(200);
  });
});
