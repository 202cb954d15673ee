import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { project } from "../cli/sluice.ts";
import { treeOf } from "../undo/sample-project.ts";
import { claimsOf } from "./claims.ts";

const FILES = { "src/a.ts": "export const a = 1;\n", "src/b/c.txt": "c\n", "notes.md": "keep me\n" };

/** A repository of a user who has turned on guards; `destroy` decides a call, and runs it if it passes. */
function world(files: Readonly<Record<string, string>> = FILES) {
  const made = project(files);
  const { root, home, sluice } = made;
  const sh = (line: string) => execFileSync("sh", ["-c", line], { cwd: root, env: { ...process.env, HOME: home } });
  sh(
    "git init -q -b main --template= && git config user.email a@b.c && git config user.name a && git add -A && git commit -qm first",
  );
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  const destroy = (command: string) => {
    const args = JSON.stringify({ command });
    const { out } = sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", args, "--json");
    expect(JSON.parse(out)).toMatchObject({ action: "continue" });
    sh(command);
  };
  const modeOf = (path: string) => statSync(join(root, path)).mode & 0o777;
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const undo = (...args: string[]) => sluice("undo", "--last", ...args);
  const objects = join(home, ".state/sluice/undo/objects");
  return { ...made, sh, destroy, modeOf, read, undo, objects };
}

type World = ReturnType<typeof world>;

/** Expects that an undo reports less than everything, with the reason, and ends with 1. */
function expectLess({ undo }: World, why: string, ...args: string[]) {
  const { code, out, err } = undo(...args);
  expect([code, out + err]).toEqual([1, expect.stringContaining(why)]);
  expect(err).toContain("left alone");
}

/** Runs a call and its undo, and expects the same files, bytes, modes and state of git as before. */
function comesBack(command: string, prepare = "true") {
  return () => {
    const made = world();
    made.sh(prepare);
    const state = () =>
      JSON.stringify([treeOf(made.root), made.sh("git status --porcelain && git rev-parse HEAD").toString()]);
    const before = state();
    made.destroy(command);
    expect(state()).not.toBe(before);
    const { code, out, err } = made.undo();
    expect([code, err, out]).toEqual([0, "", expect.stringMatching(/^Brought back [1-9]\d* items? of /m)]);
    expect(state()).toBe(before);
  };
}

claimsOf("undo", [
  {
    says: '"Brought back N items" of a removed folder, and exit code 0',
    whenTrue: comesBack("rm -rf src"),
    whenFalse: {
      "its content is gone from the store": () => {
        const made = world();
        made.sh("echo new > src/new.ts");
        made.destroy("rm -rf src");
        rmSync(made.objects, { recursive: true });
        expectLess(made, "src/new.ts: what was kept of it is gone");
      },
      "the content in the store was changed": () => {
        const made = world();
        writeFileSync(join(made.root, "notes.md"), "my own words\n");
        made.destroy("rm notes.md");
        for (const name of readdirSync(join(made.objects, "sha256")))
          writeFileSync(join(made.objects, "sha256", name), "other words.\n");
        expectLess(made, "notes.md: what was kept of it is gone");
      },
      "git has collected the bytes that it held": () => {
        const made = world();
        made.destroy("rm -rf src");
        made.sh("rm -rf .git/objects/* && git init -q --template=");
        expectLess(made, "src/a.ts: what was kept of it is gone");
      },
      "another file is in its place": () => {
        const made = world();
        made.destroy("rm -rf src");
        writeFileSync(join(made.root, "src"), "a file");
        expectLess(made, "src: it has changed since");
        expect(made.read("src")).toBe("a file");
      },
      "a folder above it is a symlink now": () => {
        const made = world();
        made.destroy("rm -rf src/b");
        rmSync(join(made.root, "src"), { recursive: true });
        mkdirSync(join(made.home, "elsewhere"));
        symlinkSync(join(made.home, "elsewhere"), join(made.root, "src"));
        expectLess(made, "a folder above it is a symlink now");
        expect(readdirSync(join(made.home, "elsewhere"))).toEqual([]);
      },
      "a path that is asked for was not destroyed": () => {
        const made = world();
        made.destroy("rm -rf src");
        expectLess(made, "this call destroyed nothing there", "other.txt");
      },
    },
  },
  {
    says: '"Brought back" of a folder whose removal was read without its options',
    whenTrue: comesBack("env -S rm -rf src"),
    whenFalse: {
      "its content did not come back": () => {
        const made = world();
        made.sh("echo new > src/new.ts");
        made.destroy("env -S rm -rf src");
        rmSync(made.objects, { recursive: true });
        expectLess(made, "src/new.ts");
      },
    },
  },
  {
    says: '"Brought back" of modes that chmod, git reset, checkout or restore changed',
    whenTrue: () => {
      comesBack("chmod -R 700 src")();
      comesBack("chmod 600 notes.md")();
      comesBack("chmod -R 700 src && rm -rf src")();
      comesBack("git reset -q --hard", "chmod 755 notes.md")();
      comesBack("git checkout -q -- .", "chmod 755 notes.md; echo more >> src/a.ts")();
      comesBack("git restore .", "chmod 755 src/a.ts")();
    },
    whenFalse: {
      "the file is gone, and only its mode was kept": () => {
        const made = world();
        made.destroy("chmod 600 notes.md");
        rmSync(join(made.root, "notes.md"));
        expectLess(made, "it is gone, and only its mode and owner were kept");
      },
      "the user has set another mode since, with the agent's end of the call reported": () => {
        const made = world();
        const call = (event: string) =>
          made.sluice("fire", event, "--tool", "Bash", "--args", JSON.stringify({ command: "chmod 600 notes.md" }));
        call("tool:pre_execute");
        chmodSync(join(made.root, "notes.md"), 0o600);
        call("tool:post_execute");
        chmodSync(join(made.root, "notes.md"), 0o640);
        expectLess(made, "notes.md: it has changed since");
        expect(made.modeOf("notes.md")).toBe(0o640);
      },
    },
  },
  {
    says: '"Brought back" of a commit, a branch, a stash and what was staged',
    whenTrue: () => {
      comesBack(
        "git reset -q --hard HEAD~1",
        "echo 2 > two; git add two; git commit -qm second; echo 3 >> two; git add two",
      )();
      comesBack("git branch -qD topic && rm notes.md", "git branch topic")();
    },
    whenFalse: {
      "the branch has moved since": () => {
        const made = world();
        made.sh("echo 2 > two; git add two; git commit -qm second; git branch topic");
        made.destroy("git branch -qD topic");
        made.sh("git branch topic HEAD~1");
        expectLess(made, "there is another one of that name now");
      },
      "the index cannot be written": () => {
        const made = world();
        made.sh("echo 2 > two; git add two");
        made.destroy("git reset -q --hard");
        rmSync(made.objects, { recursive: true });
        expectLess(made, "is not back");
      },
    },
  },
  {
    says: '"Brought back" for an agent, of ordinary files',
    whenTrue: comesBack("rm -rf src"),
    whenFalse: {
      "the files are a policy or settings of an agent, which comes back only for a person": () => {
        const made = world({ ...FILES, ".sluice/hooks.yaml": "hooks: []\n", ".claude/settings.json": "{}\n" });
        const folder = join(made.home, ".state/sluice/undo/calls");
        made.destroy("rm -rf src notes.md");
        // What a person's own call has kept is put into the call: no agent could have made it.
        const [name = ""] = readdirSync(folder);
        const call = JSON.parse(readFileSync(join(folder, name), "utf8"));
        const [sample] = call.files.filter(({ kind }: { kind: string }) => kind === "file");
        const other = [".sluice/hooks.yaml", ".claude/settings.json", ".claude/settings.local.json"].map((path) => ({
          ...sample,
          path: join(made.root, path),
        }));
        writeFileSync(join(folder, name), JSON.stringify({ ...call, files: [...call.files, ...other] }));
        for (const args of [[], ["--force"]]) {
          const { code, err } = made.undo(...args);
          expect([code, err]).toEqual([1, expect.stringContaining("comes back only for a person at a terminal")]);
        }
        expect(made.read(".sluice/hooks.yaml")).toBe("hooks: []\n");
        expect(made.read(".claude/settings.json")).toBe("{}\n");
        expect(existsSync(join(made.root, ".claude/settings.local.json"))).toBe(false);
        expect(made.read("notes.md")).toBe("keep me\n");
      },
    },
  },
  {
    says: '"Would bring back N items"',
    whenTrue: () => {
      const made = world();
      made.destroy("rm -rf src");
      const { code, out } = made.undo("--dry-run");
      expect([code, out]).toEqual([0, expect.stringContaining("Would bring back 4 items")]);
      expect(existsSync(join(made.root, "src"))).toBe(false);
    },
    whenFalse: {
      "the content is gone": () => {
        const made = world();
        made.sh("echo new > src/new.ts");
        made.destroy("rm -rf src");
        rmSync(made.objects, { recursive: true });
        expectLess(made, "src/new.ts: what was kept of it is gone", "--dry-run");
      },
    },
  },
  {
    says: '"state": "undone" in the list',
    whenTrue: () => {
      const made = world();
      made.destroy("rm -rf src");
      made.undo();
      expect(JSON.parse(made.sluice("undo", "--list", "--json").out)).toMatchObject([{ state: "undone" }]);
    },
    whenFalse: {
      "a part did not come back": () => {
        const made = world();
        made.sh("echo new > src/new.ts");
        made.destroy("rm -rf src");
        rmSync(made.objects, { recursive: true });
        made.undo();
        expect(JSON.parse(made.sluice("undo", "--list", "--json").out)).toMatchObject([{ state: "kept" }]);
      },
      "only one path was asked for": () => {
        const made = world();
        made.destroy("rm -rf src");
        expect(made.undo("src/a.ts").code).toBe(0);
        expect(JSON.parse(made.sluice("undo", "--list", "--json").out)).toMatchObject([{ state: "kept" }]);
      },
    },
  },
]);
