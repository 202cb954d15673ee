import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { runGit } from "./run-git.ts";
import { changedFiles, hasBlob } from "./work-tree.ts";

function repository() {
  const root = mkdtempSync(join(tmpdir(), "sluice-work-tree-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  git("init", "-q", "--template=");
  const write = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    // A file that was written at the same time as the index is always compared.
    utimesSync(join(root, name), 1_700_000_000, 1_700_000_000.25);
  };
  for (const name of ["same", "other", "mode", "kind", "gone", "touched", "\u00fc \n"]) write(name, "one\n");
  write("ends", "a\nb\n");
  symlinkSync("same", join(root, "link"));
  git("add", "-A");
  return { root, git, write };
}

test("a file is changed by its bytes, its type, its executable bit, or by being deleted", () => {
  const { root, write } = repository();
  expect(changedFiles(root, { byContent: true })).toEqual([]);
  writeFileSync(join(root, "other"), "two\n");
  chmodSync(join(root, "mode"), 0o755);
  rmSync(join(root, "kind"));
  symlinkSync("same", join(root, "kind"));
  rmSync(join(root, "gone"));
  rmSync(join(root, "link"));
  symlinkSync("other", join(root, "link"));
  write("\u00fc \n", "two\n");
  const odd = Buffer.from("\u00fc \n").toString("latin1");
  expect(changedFiles(root, { byContent: true })?.sort()).toEqual(
    ["gone", "kind", "link", "mode", "other", odd].sort(),
  );
  expect(changedFiles(root, { byContent: true, where: ["mode", "same"] })).toEqual(["mode"]);
});

test("a file that was only touched is changed for git, which writes it again, and not by its bytes", () => {
  const { root } = repository();
  writeFileSync(join(root, "touched"), "one\n");
  expect(changedFiles(root, { where: ["touched", "same"] })).toEqual(["touched"]);
  expect(changedFiles(root, { where: ["touched", "same"], byContent: true })).toEqual([]);
});

test("other line ends are not a change if git converts them, and other modes are not if git ignores them", () => {
  const { root, git, write } = repository();
  write("ends", "a\r\nb\r\n");
  expect(changedFiles(root, { byContent: true })).toEqual(["ends"]);
  git("config", "core.autocrlf", "true");
  expect(changedFiles(root, { byContent: true })).toEqual([]);
  chmodSync(join(root, "mode"), 0o755);
  git("config", "core.fileMode", "false");
  expect(changedFiles(root, { byContent: true })).toEqual([]);
});

test("the comparison does not run a filter of the repository", () => {
  const { root, git } = repository();
  writeFileSync(join(root, ".gitattributes"), "* filter=x\n");
  git("config", "filter.x.clean", `touch ${join(root, "mark")}; cat`);
  writeFileSync(join(root, "other"), "two\n");
  expect(changedFiles(root, { byContent: true })).toEqual(["other"]);
  expect(existsSync(join(root, "mark"))).toBe(false);
});

test("options that make git start a program are refused, and a missing repository or git is reported", () => {
  const { root } = repository();
  for (const args of [
    ["ls-files", "-zm"],
    ["cat-file", "--filters", "HEAD:a"],
    ["log", "-p"],
    ["log", "--format=%GS"],
    ["diff-tree", "--textconv", "HEAD"],
    ["diff-index", "--output=x", "HEAD"],
    ["config", "--edit"],
  ] as const)
    expect(() => runGit(root, args), args.join(" ")).toThrow("may start a program");
  expect(runGit(root, ["rev-parse", "HEAD^{commit}"])).toMatchObject({ kind: "failed" });
  expect(runGit(join(root, "missing"), ["rev-parse", "HEAD"])).toEqual({ kind: "no answer", isStarted: false });
  expect(runGit(root, ["ls-files"], { maxBytes: 3 })).toEqual({ kind: "no answer", isStarted: true });
});

test("files in a submodule are compared if git recurses into submodules", () => {
  const { root, git } = repository();
  git("init", "-q", "--template=", "sub");
  const inSub = (...args: string[]) => execFileSync("git", args, { cwd: join(root, "sub") });
  writeFileSync(join(root, "sub/a"), "one\n");
  inSub("add", "a");
  inSub("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "first");
  git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
  writeFileSync(join(root, "sub/a"), "two\n");
  expect(changedFiles(root, { where: ["sub"] })).toEqual([]);
  expect(changedFiles(root, { where: ["sub"], recurses: true })).toEqual(["sub/a"]);
  git("config", "submodule.recurse", "true");
  expect(changedFiles(root, { where: ["sub"] })).toEqual(["sub/a"]);
});

const folder = mkdtempSync(join(tmpdir(), "sluice-blob-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "a.txt");
const named = (content: string, kind: string) =>
  createHash(kind)
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest("hex");

test.each(["sha1", "sha256"])("a file has its content in git with either kind of line ends: %s", (kind) => {
  for (const content of ["a\nb\n", "a\r\nb\r\n", "a\r\nb\n"]) {
    writeFileSync(path, content);
    expect(hasBlob(path, named("a\nb\n", kind))).toBe(true);
  }
  writeFileSync(path, "caf\u00e9\r\n");
  expect(hasBlob(path, named("caf\u00e9\n", kind))).toBe(true);
  writeFileSync(path, "a\r\nb\r\n");
  expect(hasBlob(path, named("a\r\nb\r\n", kind))).toBe(true);
});

test.each(["sha1", "sha256"])(
  "a file does not have another content, other line ends in git, or any content if it is gone: %s",
  (kind) => {
    writeFileSync(path, "a\nc\n");
    expect(hasBlob(path, named("a\nb\n", kind))).toBe(false);
    expect(hasBlob(path, named("a\r\nc\r\n", kind))).toBe(false);
    writeFileSync(path, "a\rb\n");
    expect(hasBlob(path, named("ab\n", kind))).toBe(false);
    expect(hasBlob(join(folder, "gone"), named("", kind))).toBe(false);
  },
);
