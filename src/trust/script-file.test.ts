import { describe, expect, test } from "vitest";
import { isMakefile, isShellScript, languagesOf, looksRun, recipesIn, shebang, valuesIn } from "./script-file.ts";

const file = (path: string, text?: string, isExecutable = false) => ({
  path,
  real: path,
  sha256: "",
  text,
  isExecutable,
});

describe("a file is code", () => {
  test.each([
    [file("/p/a.sh"), "a.sh", true],
    [file("/p/A.PY"), "A.PY", true],
    [file("/p/a.cmd"), "a.cmd", true],
    [file("/p/a.md"), "./a.md", false],
    [file("/p/a"), "./a", false],
    [file("/p/a", "#!/bin/sh"), "./a", true],
    [file("/p/a", "#!/bin/sh"), "a", false],
    [file("/p/a", "# not #!"), "./a", false],
    [file("/p/a", "x", true), "./a", true],
    [file("/p/a", "x", true), "a", false],
  ])(
    "by its name, or by its first bytes or its permission where a path leads to it: %j as %s",
    (found, name, isCode) => {
      expect(looksRun(found, name)).toBe(isCode);
    },
  );
});

describe("the language of a file is", () => {
  test.each([
    ["/p/a.sh", "true", true, []],
    ["/p/A.BASH", "true", true, []],
    ["/p/a.zsh", undefined, true, []],
    ["/p/a.fish", "", true, []],
    ["/p/a", "true", true, []],
    ["/p/a.md", "true", false, []],
    ["/p/a.md", "#!/bin/sh", true, []],
    ["/p/a", "#!/usr/bin/env python3", false, ["python"]],
    ["/p/a", "#!/usr/bin/env -S node --no-warnings", false, ["javascript"]],
    ["/p/a", "#!/usr/bin/awk -f", true, []],
    ["/p/a.sh", "#!/usr/bin/perl\n", false, ["perl"]],
    ["/p/a", "x\n#!/usr/bin/perl", true, []],
    ["/p/a.js", "", false, ["javascript"]],
    ["/p/a.MJS", "", false, ["javascript"]],
    ["/p/a.cjs", "", false, ["javascript"]],
    ["/p/a.ts", "", false, ["javascript"]],
    ["/p/a.mts", "", false, ["javascript"]],
    ["/p/a.cts", "", false, ["javascript"]],
    ["/p/a.py", undefined, false, ["python"]],
    ["/p/a.rb", "", false, ["ruby"]],
    ["/p/a.pl", "", false, ["perl"]],
    ["/p/a.php", "", false, ["php"]],
    ["/p/a.py", "#!/usr/bin/env python3", false, ["python"]],
    ["/p/a.js", "#!/usr/bin/env python3", false, ["javascript", "python"]],
  ])("that of its suffix and its first line: %s, %j", (path, text, isShell, languages) => {
    expect(isShellScript(file(path, text))).toBe(isShell);
    expect(languagesOf(file(path, text))).toEqual(languages);
  });

  test("the one that its first line names, and only the first line", () => {
    expect(shebang("#!/bin/sh -e\ntrue")).toBe("/bin/sh -e");
    expect(shebang("true\n#!/bin/sh")).toBe("");
    expect(shebang(" #!/bin/sh")).toBe("");
  });
});

describe("make", () => {
  test.each([
    ["/p/Makefile", true],
    ["/p/makefile", true],
    ["/p/GNUmakefile", true],
    ["/p/rules.mk", true],
    ["/p/Makefile.am", false],
    ["/p/my-makefile", false],
    ["/p/rules.mks", false],
    ["/p/amk", false],
    ["/makefile/a", false],
  ])("reads %s as a makefile: %s", (path, isOwn) => {
    expect(isMakefile(path)).toBe(isOwn);
  });

  test.each([
    ["D := a", "D=a"],
    ["D ?= a", "D=a"],
    ["D+=a", "D=a"],
    ["D ::= a", "D=a"],
    ["D :::= a", "D=a"],
    ["D = \ta", "D=a"],
    ["\texport  D =a", "D=a"],
    ["exportD = a", "exportD=a"],
    ["x D = a", "x D = a"],
    ["\tsh $(D)/a ${DIR} $(shell ls)", "\tsh ${D}/a ${DIR} $(shell ls)"],
    ["include  a.mk", ". a.mk"],
    ["-include\ta.mk", ". a.mk"],
    ["sinclude a.mk", ". a.mk"],
    ["includes a.mk", "includes a.mk"],
    ["x include a.mk", "x include a.mk"],
    ["\t@sh a", "\tsh a"],
    ["\t \t@-+sh a", "\tsh a"],
    ["\tsh -a", "\tsh -a"],
    ["\tsh\t-a", "\tsh\t-a"],
    ["@sh a", "@sh a"],
    ["one:\n\t@a\nE = b\ntwo:\n\t-c", "one:\n\ta\nE=b\ntwo:\n\tc"],
  ])("is converted from %j to shell code", (text, shell) => {
    expect(recipesIn(text)).toBe(shell);
  });
});

test.each([
  ["tasks:\n  all:\n    cmds:\n      - sh a\n", "tasks:\nall:\ncmds:\nsh a\n"],
  ["  all: sh a", "sh a"],
  ["\t-  cmd:\tsh a", "sh a"],
  ["- 'sh a'", "sh a"],
  ['cmd: "sh a"', "sh a"],
  ["- 'a' b", "'a' b"],
  ["-x: y", "-x: y"],
  ["a b: c", "a b: c"],
])("the values of a YAML file of tasks are read as lines: %j", (text, values) => {
  expect(valuesIn(text)).toBe(values);
});
