// Trees with every kind of file, all with the same few names in them, and what a tree looks like byte for byte.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

let written = 0;

function put(folder, path, content, mode = 0o644) {
  const at = join(folder, path);
  mkdirSync(join(at, ".."), { recursive: true });
  writeFileSync(at, content);
  chmodSync(at, mode);
  utimesSync(at, 1_700_000_000, 1_700_000_000.25 + ++written);
}

function git(folder, ...words) {
  return execFileSync("git", ["-c", "user.email=a@example.com", "-c", "user.name=A", ...words], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
  });
}

/** Names that every tree has. */
function common(folder) {
  put(folder, "README.md", "# A tree\n");
  put(folder, "src/a.ts", "export const a = 1;\n");
  put(folder, "src/with blank.ts", "// blank\n");
  put(folder, "src/deep/er/tool.sh", "#!/bin/sh\necho a\n", 0o755);
  put(folder, "data.bin", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7) % 256)));
  put(folder, "notes/todo.md", "- a\n", 0o600);
  put(folder, "notes/.hidden", "hidden\n");
  put(folder, "notes/\u00fcml\u00e4ut.txt", "text\n");
  put(folder, "notes/new\nline", "line\n");
  mkdirSync(join(folder, "empty"));
  symlinkSync("src/a.ts", join(folder, "link"));
  symlinkSync("notes", join(folder, "folder"));
  put(folder, "clean.sh", "#!/bin/sh\nrm -rf notes\n", 0o755);
  put(folder, "Makefile", "clean:\n\trm -rf src\nall: clean\n\techo done\n");
  put(folder, "tools/arg.py", "import shutil, sys\nshutil.rmtree(sys.argv[1])\n");
  put(
    folder,
    "tools/lib/wipe.mjs",
    'import fs from "node:fs";\nexport const wipe = (path) => fs.rmSync(path, { recursive: true });\n',
  );
  put(folder, "tools/wipe.mjs", 'import { wipe } from "./lib/wipe.mjs";\nwipe(["no", "tes"].join(""));\n');
  put(
    folder,
    "tools/empty.py",
    "from pathlib import Path\nfor p in (Path(__file__).resolve().parent.parent / 'notes').glob('*.md'):\n    p.write_text('')\n",
  );
  put(
    folder,
    "tools/reset.sh",
    '#!/bin/sh\nOUT="$(cd "$(dirname "$0")/.." && pwd)/${1:-notes}"\nrm -rf "$OUT"\n',
    0o755,
  );
  put(folder, "package.json", '{ "scripts": { "clean": "rm -rf notes" } }\n');
  put(folder, "notes/book.ipynb", '{ "cells": [] }\n');
  put(folder, "names.txt", "README.md\nnotes/todo.md\n");
  execFileSync("tar", ["cf", "old.tar", "README.md", "notes", "src/a.ts"], { cwd: folder });
}

/** Two commits, a branch, a tag and two stashes. */
function repository(folder) {
  put(folder, ".gitignore", "logs/\n*.tmp\n");
  git(folder, "init", "-q", "-b", "main");
  git(folder, "config", "user.email", "a@example.com");
  git(folder, "config", "user.name", "A");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
  put(folder, "src/a.ts", "export const a = 2;\n");
  git(folder, "commit", "-qam", "second");
  git(folder, "branch", "topic", "HEAD~1");
  git(folder, "branch", "spare");
  git(folder, "checkout", "-q", "-b", "other");
  put(folder, "data.bin", "of the other branch\n");
  put(folder, "notes/todo.md", "- other\n");
  put(folder, "only-other.md", "other\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "other");
  writeFileSync(join(folder, "../other.patch"), git(folder, "show", "other", "--", "notes"));
  git(folder, "checkout", "-q", "main");
  git(folder, "tag", "v1", "HEAD~1");
  git(folder, "tag", "-a", "-m", "second", "v2");
  for (const text of ["# One\n", "# Two\n"]) {
    put(folder, "README.md", text);
    git(folder, "stash", "-q");
  }
}

export const TREES = {
  /** Files that no git knows, under names with every byte. */
  plain(folder) {
    common(folder);
    for (let byte = 1; byte < 256; byte++)
      if (byte !== 0x2f)
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/notes/x`), Buffer.from([byte])]), `${byte}`);
    put(folder, "src/read-only.ts", "r", 0o444);
    put(folder, "src/nothing.ts", "");
    put(folder, "src/set", "s", 0o4755);
  },
  /** Changed, staged, untracked and ignored files. */
  changed(folder) {
    common(folder);
    repository(folder);
    put(folder, "README.md", "# Changed and not committed\n");
    put(folder, "src/staged.ts", "export {};\n");
    git(folder, "add", "src/staged.ts");
    put(folder, "notes/untracked.md", "untracked\n");
    put(folder, "logs/app.log", "ignored\n");
    put(folder, "scratch.tmp", "ignored\n", 0o444);
  },
  /** Nothing but what is committed, and one file that is staged and changed again. */
  committed(folder) {
    common(folder);
    repository(folder);
    put(folder, "src/a.ts", "export const a = 3;\n");
    git(folder, "add", "src/a.ts");
    put(folder, "src/a.ts", "export const a = 4;\n");
    put(folder, "README.md", "a changed line\n");
    put(folder, "logs/app.log", "ignored\n");
    put(folder, "notes/new.md", "n\n");
  },
  /** Large files, sparse files and many small ones. */
  large(folder) {
    common(folder);
    put(folder, "src/large.bin", Buffer.alloc(5 * 1024 * 1024, 7));
    put(folder, "notes/sparse", "begin");
    truncateSync(join(folder, "notes/sparse"), 8 * 1024 * 1024);
    for (let at = 0; at < 200; at++) put(folder, `src/many/${at % 7}/${at}.ts`, `export const n = ${at};\n`);
  },
  /** Links of every kind, folders of every mode, and a repository in the repository. */
  nested(folder) {
    common(folder);
    repository(folder);
    put(folder, "README.md", "changed a\n");
    put(folder, "notes/untracked", "u");
    symlinkSync("nowhere", join(folder, "src/dangling"));
    symlinkSync("../notes", join(folder, "src/folder-link"));
    symlinkSync(".", join(folder, "src/loop"));
    mkdirSync(join(folder, "src/none"));
    mkdirSync(join(folder, "src/closed"));
    put(folder, "src/closed/in.ts", "in");
    chmodSync(join(folder, "src/closed"), 0o500);
    put(folder, "src/inner/file.ts", "inner\n");
    git(join(folder, "src/inner"), "init", "-q");
    put(folder, "logs/app.log", "ignored\n");
  },
  /** Hard links, files that may not be read, names as long as can be, folders as deep as a hundred. */
  odd(folder) {
    common(folder);
    linkSync(join(folder, "README.md"), join(folder, "README.hard"));
    put(folder, "src/links/one", "linked\n");
    for (const name of ["two", "three"]) linkSync(join(folder, "src/links/one"), join(folder, "src/links", name));
    put(folder, "src/closed.ts", "closed\n", 0o000);
    put(folder, "src/sticky.ts", "sticky\n", 0o1777);
    put(folder, `src/${"n".repeat(250)}.ts`, "long\n");
    put(folder, `src/${"deep/".repeat(100)}end.ts`, "deep\n");
    put(folder, "src/-rf", "dash\n");
    put(folder, "notes/*", "star\n");
    put(folder, "notes/ \t\\\"'$HOME`", "quotes\n");
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/notes/`), Buffer.from([0xff, 0xfe])]));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/notes/`), Buffer.from([0xff, 0xfe, 0x2f, 0x80])]), "no text");
    chmodSync(join(folder, "notes"), 0o2755);
  },
  /** In the middle of a merge, with a submodule and a detached head. */
  conflicted(folder) {
    common(folder);
    repository(folder);
    const inner = join(folder, "../inner");
    put(inner, "file.ts", "inner\n");
    git(inner, "init", "-q", "-b", "main");
    git(inner, "add", "-A");
    git(inner, "commit", "-qm", "inner");
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    git(folder, "commit", "-qm", "sub");
    git(folder, "checkout", "-q", "--detach");
    put(folder, "notes/todo.md", "- ours\n");
    git(folder, "commit", "-qam", "ours");
    git(folder, "branch", "ours");
    git(folder, "checkout", "-q", "HEAD~1");
    put(folder, "notes/todo.md", "- theirs\n");
    git(folder, "commit", "-qam", "theirs");
    try {
      git(folder, "merge", "-q", "ours");
    } catch {
      // It leaves a conflict, as it should.
    }
    put(folder, "sub/file.ts", "changed in the submodule\n");
    put(folder, "sub/new.ts", "new\n");
    put(folder, "README.md", "changed\n");
  },
};

/** Kind, mode, time and content of everything but the project's own repository, by the bytes of its name. */
export function treeOf(folder) {
  const tree = new Map();
  const inodes = new Map();
  const look = (at, name) => {
    for (const entry of readdirSync(at, "buffer")) {
      const path = Buffer.concat([at, Buffer.from("/"), entry]);
      const key = `${name}/${entry.toString("latin1")}`;
      if (key === "/.git") continue;
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) tree.set(key, `link ${readlinkSync(path, "latin1")}`);
      else if (stats.isDirectory()) {
        tree.set(key, `folder ${mode}`);
        look(path, key);
      } else {
        const hash = createHash("sha1").update(readFileSync(path)).digest("hex");
        // Which names belong together counts where all of them are destroyed at once.
        if (key.startsWith("/src/links/") && !inodes.has(stats.ino)) inodes.set(stats.ino, key);
        const linked = inodes.get(stats.ino) ?? "";
        tree.set(key, `file ${mode} ${Math.round(stats.mtimeMs)} ${stats.size} ${hash} ${linked}`);
      }
    }
  };
  look(Buffer.from(folder), "");
  return tree;
}

/** What of a tree is missing or different now. */
export function lostFrom(before, now) {
  return [...before].flatMap(([key, was]) =>
    now.get(key) === was ? [] : [`${key}: ${was} is ${now.get(key) ?? "gone"}`],
  );
}

/** Branches, tags, stashes and what git says about the files. */
export function gitStateOf(folder) {
  return [
    git(folder, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags"),
    git(folder, "stash", "list", "--format=stash %H"),
    git(folder, "rev-parse", "--abbrev-ref", "HEAD"),
    git(folder, "status", "--porcelain", "--ignored"),
    ...["MERGE_HEAD", "MERGE_MSG"].map((name) => (existsSync(join(folder, ".git", name)) ? name : "")),
  ].join("\n");
}

/** What of git's state is missing, and what is changed or staged that was not; files, branches and stashes that were made stay. */
export function lostOfGit(before, now) {
  const [were, are] = [before.split("\n"), now.split("\n")];
  const isMade = (line) => /^(?:\?\?|!!|refs\/|stash ) ?/.test(line);
  return [
    ...were.filter((line) => !are.includes(line)).map((line) => `${line} is gone`),
    ...are.filter((line) => !were.includes(line) && !isMade(line)).map((line) => `${line} is new`),
  ];
}
