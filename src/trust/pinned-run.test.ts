import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Pin, pinOf, pinParts } from "./pin.ts";
import { pinnedRun } from "./pinned-run.ts";
import { runFiles } from "./run-files.ts";

/** A project with scripts, and the pin of the files that a command line runs in it. */
function pinned(text: string, isStill: () => boolean = () => false): Pin {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-pinned-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(root);
  writeFileSync(join(root, "a.sh"), "echo a\n");
  writeFileSync(join(root, "b.sh"), "echo b\n");
  writeFileSync(join(root, "outer.sh"), ". ./b.sh\n");
  writeFileSync(join(root, "Makefile"), "check:\n\tsh b.sh\n");
  writeFileSync(join(root, "package.json"), '{ "scripts": { "lint": "sh a.sh" } }');
  const { files } = runFiles([{ files: [], texts: [text], folders: [root] }], root);
  return { root, files, folder: join(base, "copies"), isStill };
}

test("a line runs copies of the approved files, and the files are not compared again", () => {
  const pin = pinned("sh a.sh; sh b.sh");
  const run = pinnedRun(pin, pin.root);
  expect(run?.line("sh a.sh; sh b.sh")).not.toMatch(/sh [ab]\.sh/);
  expect(run?.isTrue()).toBe(true);
});

test("a file that was not replaced by a copy is compared again", () => {
  for (const isStill of [true, false]) {
    const pin = pinned("sh a.sh; sh b.sh", () => isStill);
    const run = pinnedRun(pin, pin.root);
    run?.args(["sh", "a.sh"]);
    expect(run?.isTrue()).toBe(isStill);
    const copy = run?.file(join(pin.root, "b.sh")) ?? "";
    expect(copy.startsWith(pin.folder) && readFileSync(copy, "utf8").includes("echo b")).toBe(true);
    expect(run?.isTrue()).toBe(true);
    expect(run?.file(join(pin.root, "c.sh"))).toBe(undefined);
  }
});

test("a sourced file is part of the script's copy; a package script is compared again", () => {
  const sourcing = pinned("sh outer.sh");
  const run = pinnedRun(sourcing, sourcing.root);
  run?.line("sh outer.sh");
  expect(run?.isTrue()).toBe(true);
  const script = pinned("npm run lint");
  const other = pinnedRun(script, script.root);
  other?.file(join(script.root, "a.sh"));
  expect(other?.isTrue()).toBe(false);
});

test("a file that no argument of the hook names is compared again, whatever copies ran", () => {
  const implied = pinned("make check");
  const run = pinnedRun(implied, implied.root);
  for (const name of ["Makefile", "b.sh"]) expect(run?.file(join(implied.root, name))).toBeDefined();
  expect(run?.isTrue()).toBe(false);
  const plain = pinned("sh a.sh");
  const [file] = plain.files;
  const outside = file === undefined ? [] : [file, { ...file, path: "/elsewhere/a.sh" }];
  const scripts = file === undefined ? [] : [file, { ...file, script: "lint" }];
  for (const files of [outside, scripts]) {
    const other = pinnedRun({ ...plain, files }, plain.root);
    other?.line("sh a.sh");
    expect(other?.file("/elsewhere/a.sh")).toBe(undefined);
    expect(other?.isTrue()).toBe(false);
  }
});

test("a file that differs from the approved one prevents the run", () => {
  const pin = pinned("sh a.sh");
  writeFileSync(join(pin.root, "a.sh"), "echo other\n");
  expect(pinnedRun(pin, pin.root)).toBe(undefined);
});

test("the parts of a hook have its pin, and other hooks have none", () => {
  const pin = pinned("sh a.sh");
  const [one, other, stranger] = [{}, {}, {}];
  pinParts([one, other], pin);
  expect([pinOf(one), pinOf(other), pinOf(stranger)]).toEqual([pin, pin, undefined]);
});
