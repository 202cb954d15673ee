import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { sealedCopies } from "./sealed-copies.ts";

it("copies of approved files that are more than a month old are removed when new ones are created", () => {
  const at = realpathSync(mkdtempSync(join(tmpdir(), "sluice-sealed-")));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const [root, folder] = [join(at, "project"), join(at, "sealed")];
  mkdirSync(root);
  const seal = (text: string) => {
    const path = join(root, "hook.sh");
    writeFileSync(path, text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    expect(
      sealedCopies({
        root,
        folder,
        isStill: () => true,
        files: [{ path, real: path, sha256, text, isExecutable: true }],
      }),
    ).toBeDefined();
    return readdirSync(folder);
  };
  const [first = ""] = seal("echo 1\n");
  expect(seal("echo 2\n")).toHaveLength(2);
  const age = (days: number) => {
    const then = Date.now() / 1000 - days * 24 * 3600;
    utimesSync(join(folder, first), then, then);
  };
  age(29);
  expect(seal("echo 3\n")).toHaveLength(3);
  age(31);
  expect(seal("echo 4\n")).toHaveLength(3);
  expect(readdirSync(folder)).not.toContain(first);
});

/** What copies of these files hold, by their names; every file may be executed. */
function copiesOf(texts: Readonly<Record<string, string>>, isExecutable = true) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-sealed-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, folder] = [join(base, "work/project"), join(base, "sealed")];
  const files = Object.entries(texts).map(([name, text]) => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return { path, real: path, sha256: createHash("sha256").update(text).digest("hex"), text, isExecutable };
  });
  const sealed = () => sealedCopies({ root, folder, isStill: () => true, files });
  const copy = (name: string) => sealed()?.copies.get(join(root, name));
  return { base, root, folder, sealed, copy, read: (name: string) => readFileSync(copy(name)?.path ?? "", "utf8") };
}

it("only this user can read copies, and nobody can write to them", () => {
  const { folder, copy } = copiesOf({ "deep/a.sh": "echo a\n", "b.mjs": "" });
  for (const name of ["deep/a.sh", "b.mjs"]) expect(statSync(copy(name)?.path ?? "").mode & 0o777).toBe(0o500);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(copy("b.mjs")?.starter ?? "").mode & 0o777).toBe(0o400);
  const plain = copiesOf({ "a.sh": "echo a\n" }, false).copy("a.sh");
  expect(statSync(plain?.path ?? "").mode & 0o777).toBe(0o400);
  expect(plain?.interpreter).toBe(undefined);
});

it.each([
  ["a.sh", "#!/bin/bash -e\n", "shell", ["/bin/bash", "-e"]],
  ["a.sh", "#! /usr/bin/env  bash -e -u\n", "shell", ["/usr/bin/env", "bash -e -u"]],
  ["a.sh", "true\n", "shell", ["/bin/sh"]],
  ["a.py", "pass\n", "python", []],
  ["a", "#!/usr/bin/python3\n", "python", ["/usr/bin/python3"]],
  ["a.mjs", "1\n", "other", []],
  ["a.txt", "1\n", "other", []],
  ["a.js", "#!/bin/sh\n", "other", ["/bin/sh"]],
] as const)("%s that begins with %j runs as the system would start it", (name, text, kind, interpreter) => {
  expect(copiesOf({ [name]: text }).copy(name)).toMatchObject({ kind, interpreter });
});

it("a shell script has its own name in its copy, and in the copy that another script sources", () => {
  const text = "A=${BASH_SOURCE[0]}\nB=$BASH_SOURCE\nC=${BASH_SOURCE%/*}\nD=${BASH_SOURCE[1]}\n. ./lib.sh\n";
  const { root, copy, read, sealed } = copiesOf({ "a.sh": text, "lib.sh": "true\n" });
  expect(read("a.sh")).toBe(`A=\${0}\nB=\${0}\nC=\${0%/*}\nD=\${BASH_SOURCE[1]}\n. ${copy("lib.sh")?.sourced}\n`);
  const sourced = readFileSync(copy("a.sh")?.sourced ?? "", "utf8");
  expect(sourced).toContain(`SLUICE_SOURCED_FILE=${join(root, "a.sh")}; A=\${SLUICE_SOURCED_FILE}\nB=`);
  expect([...(sealed()?.inner ?? [])]).toEqual([join(root, "lib.sh")]);
});

it("JavaScript has its own path in its copy, and its lines keep their numbers", () => {
  const { root, read } = copiesOf({
    "a.mjs": "#!/usr/bin/env node\nimport.meta.url; import.meta.dirname; import.meta.filename; import.meta.urls;\n",
    "b.cjs": "// first\n'use strict'; x(__dirname);\n",
    "c.cjs": "const __dirname = 1;\n",
    "d.js": "  export const x = __filename;\n",
    "e.js": "import('./a.mjs'); x(__filename);\n",
    "f.js": "import x from './a.mjs';\nx(__dirname);\n",
    "g.cjs": "const a = 1, __dirname = 2;\n",
    "h.mjs": "1;\n",
    "i.cjs": "/* first\n */ // second\n'use strict';\n",
    "old.mjs.cjs": "x(__dirname);\n'use strict';\n",
  });
  const place = (name: string) => JSON.stringify(join(root, name));
  const [first, second = ""] = read("a.mjs").split("\n");
  expect(first).toBe("#!/usr/bin/env node");
  const url = JSON.stringify(pathToFileURL(join(root, "a.mjs")).href);
  expect(second.endsWith(`${url}; ${JSON.stringify(root)}; ${place("a.mjs")}; import.meta.urls;`)).toBe(true);
  expect(second).toContain(`===decodeURI(new URL(import.meta["url"]).pathname))a[1]=${place("a.mjs")};}`);
  const names = (name: string) => `__filename=${place(name)};__dirname=${JSON.stringify(root)};`;
  for (const name of ["b.cjs", "i.cjs"]) expect(read(name)).toMatch(/^"use strict";\{const a=/);
  expect(read("b.cjs")).toContain(`module.filename:""))a[1]=${place("b.cjs")};}${names("b.cjs")}// first\n`);
  expect(read("c.cjs")).not.toContain("__filename");
  for (const name of ["c.cjs", "old.mjs.cjs"]) expect(read(name).startsWith("{const a=")).toBe(true);
  expect(read("h.mjs")).toContain("===decodeURI(");
  expect(read("d.js")).not.toContain("__dirname");
  for (const name of ["f.js", "g.cjs"]) expect(read(name)).not.toContain("__filename=");
  for (const name of ["e.js", "old.mjs.cjs"]) expect(read(name)).toContain(names(name));
});

it("links beside the copies of code lead to everything else in the project and above it", () => {
  const { base, root, copy, folder } = copiesOf({ "lib/a.mjs": "", "lib/other.mjs": "", "lib/c.sh": "" });
  mkdirSync(join(root, "lib/__pycache__"));
  mkdirSync(join(base, "node_modules"));
  writeFileSync(join(root, "lib/data.json"), "{}");
  for (const at of [root, base]) writeFileSync(join(at, "package.json"), "{}");
  const at = copy("lib/a.mjs")?.path ?? "";
  copy("lib/a.mjs");
  expect(readdirSync(dirname(at)).sort()).toEqual(["a.mjs", "c.sh", "data.json", "other.mjs"]);
  expect(lstatSync(join(dirname(at), "other.mjs")).isSymbolicLink()).toBe(false);
  expect(readlinkSync(join(dirname(at), "data.json"))).toBe(join(root, "lib/data.json"));
  expect(readdirSync(join(at, "../..")).sort()).toEqual(["lib", "package.json"]);
  const [home = ""] = readdirSync(folder);
  expect(readlinkSync(join(folder, home, "node_modules"))).toBe(join(base, "node_modules"));
  expect(readdirSync(join(folder, home))).not.toContain("package.json");
});

it("files outside of the project, and scripts of packages, have no copies", () => {
  const { root, folder } = copiesOf({ "a.sh": "true\n" });
  const other = { path: "/elsewhere/a.sh", real: "", sha256: "", text: "", isExecutable: true };
  const script = { ...other, path: join(root, "package.json"), script: "lint" };
  const sealed = sealedCopies({ root, folder, isStill: () => true, files: [other, script] });
  expect(sealed).toEqual({ copies: new Map(), inner: new Set() });
  expect(existsSync(folder)).toBe(false);
});

it("a file that changed before its copy was created has none, and leaves no files", () => {
  const { root, folder, sealed } = copiesOf({ "a.sh": "true\n" });
  writeFileSync(join(root, "a.sh"), "false\n");
  expect(sealed()).toBe(undefined);
  rmSync(join(root, "a.sh"));
  expect(sealed()).toBe(undefined);
  expect(readdirSync(folder)).toEqual([]);
});

it("a program that is not text is copied unchanged, and runs as its copy", () => {
  const { root, folder } = copiesOf({});
  const path = join(root, "tool");
  const bytes = Buffer.from([0x7f, 0x45, 0xff, 0x00]);
  mkdirSync(root, { recursive: true });
  writeFileSync(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const files = [{ path, real: path, sha256, text: undefined, isExecutable: true }];
  const copy = sealedCopies({ root, folder, isStill: () => true, files })?.copies.get(path);
  expect(copy).toMatchObject({ kind: "other", interpreter: [] });
  expect(readFileSync(copy?.path ?? "")).toEqual(bytes);
});
