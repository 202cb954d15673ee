import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A project with every kind of file: committed, changed, staged, untracked, ignored, binary, empty, links, odd names and modes. */
export function sampleProject(folder: string): string {
  // Git is started some twenty times for the first; the others are copies of it.
  original ??= make(mkdtempSync(join(tmpdir(), "sluice-sample-")));
  return copied(original, folder);
}

let original: string | undefined;

/** A copy of a repository with files of every kind. */
export function copied(from: string, folder: string): string {
  // Git compares files with what its index says of them, the number of a file included. One shell does both: what is
  // started from here costs more than what it starts.
  const line = 'cp -a "$0/." "$1" && cd "$1" && exec git update-index -q --refresh --unmerged --ignore-missing';
  execFileSync("/bin/sh", ["-c", line, from, folder], { env: withoutSettings() });
  return folder;
}

function make(folder: string): string {
  mkdirSync(join(folder, "src/deep/er"), { recursive: true });
  mkdirSync(join(folder, "notes"));
  mkdirSync(join(folder, "logs"));
  let written = 0;
  const write = (path: string, content: string | Buffer, mode = 0o644) => {
    writeFileSync(join(folder, path), content);
    chmodSync(join(folder, path), mode);
    // Git tells changed files by their times.
    utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000.25 + ++written);
  };
  write("README.md", "# Sample\n");
  write("src/index.ts", "export const answer = 42;\n");
  write("src/deep/er/tool.sh", "#!/bin/sh\necho tool\n", 0o755);
  write("src/with blank.ts", "// blank\n");
  write("data.bin", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7) % 256)));
  write(".gitignore", "logs/\n*.tmp\n");
  git(folder, "init", "-q", "-b", "main", "--template=");
  git(folder, "config", "user.email", "a@example.com");
  git(folder, "config", "user.name", "A");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
  write("src/index.ts", "export const answer = 43;\n");
  git(folder, "commit", "-qam", "second");
  git(folder, "branch", "topic", "HEAD~1");
  git(folder, "config", "branch.topic.remote", "origin");
  git(folder, "tag", "v1", "HEAD~1");
  write("README.md", "# Stashed\n");
  git(folder, "stash", "-q");
  write("data.bin", Buffer.from([0, 1, 2, 3]));
  git(folder, "stash", "-q");
  write("README.md", "# Changed and not committed\n");
  write("src/staged.ts", "export {};\n");
  git(folder, "add", "src/staged.ts");
  write("notes/todo.md", "- untracked\n", 0o600);
  write("notes/empty.txt", "");
  write("notes/\u00fcml\u00e4ut.txt", "text\n");
  write("logs/app.log", "ignored\n");
  write("scratch.tmp", "ignored\n", 0o444);
  symlinkSync("src/index.ts", join(folder, "link"));
  symlinkSync("notes", join(folder, "folder"));
  symlinkSync("nowhere", join(folder, "notes/dangling"));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/notes/`), Buffer.from([0x62, 0xff, 0xfe])]), "odd name");
  const odd = Buffer.concat([Buffer.from(`${folder}/notes/`), Buffer.from([0xff])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from([0x2f, 0x80])]), "odd name in an odd folder");
  mkdirSync(join(folder, "logs/clone/.git"), { recursive: true });
  write("logs/clone/.git/HEAD", "ref: refs/heads/main\n");
  return folder;
}

/** Everything in a folder but git's own files: kind, mode, time of writing and content of each, by its bytes. */
export function treeOf(folder: string, { without }: { without?: string } = {}): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const look = (at: Buffer, name: string): void => {
    for (const entry of readdirSync(at, "buffer")) {
      const path = Buffer.concat([at, Buffer.from("/"), entry]);
      const key = `${name}/${entry.toString("latin1")}`;
      if (key === "/.git" || entry.toString() === without) continue;
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) tree[key] = `link to ${readlinkSync(path)}`;
      else if (stats.isDirectory()) {
        tree[key] = `folder ${mode}`;
        look(path, key);
      } else tree[key] = `${mode} ${Math.round(stats.mtimeMs)} ${readFileSync(path, "latin1")}`;
    }
  };
  look(Buffer.from(folder), "");
  return tree;
}

/** Branches, tags, stashes, settings of branches, and what git says about the files. */
export function gitStateOf(folder: string): string {
  return [
    ...refsIn(folder),
    stashesIn(folder).sort().join(" "),
    git(folder, "status", "--porcelain", "--ignored", "--branch"),
    readFileSync(join(folder, ".git/config"), "utf8").replace(/\s+/g, " "),
  ].join("\n");
}

/** Branches and tags, from git's own files: these tests ask some hundred times. */
function refsIn(folder: string): string[] {
  const packed = textOf(join(folder, ".git/packed-refs"))
    .split("\n")
    .map((line) => /^([0-9a-f]+) (refs\/(?:heads|tags)\/.+)$/.exec(line) ?? [])
    .flatMap(([, hash, name]): [string, string][] => (name && hash ? [[name, hash]] : []));
  const loose = ["refs/heads", "refs/tags"].flatMap((kind) =>
    readdirSync(join(folder, ".git", kind), { recursive: true, encoding: "utf8" })
      .map((name) => join(kind, name))
      .filter((name) => lstatSync(join(folder, ".git", name)).isFile())
      .map((name): [string, string] => [name, textOf(join(folder, ".git", name)).trim()]),
  );
  return [...new Map([...packed, ...loose])].map(([name, hash]) => `${name} ${hash}`).sort();
}

/** What is stashed is what the log of its ref leads to. */
function stashesIn(folder: string): string[] {
  const log = textOf(join(folder, ".git/logs/refs/stash"));
  return log.split("\n").flatMap((line) => line.split(" ")[1] ?? []);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Runs git without the settings of the user. */
function git(folder: string, ...words: readonly string[]): string {
  return execFileSync("git", words, {
    cwd: folder,
    encoding: "utf8",
    env: withoutSettings(),
  });
}

function withoutSettings(): NodeJS.ProcessEnv {
  return { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
}
