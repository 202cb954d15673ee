import { describe, expect, it } from "vitest";
import { effectText } from "../effect-text.ts";
import { effectsOf } from "../effects.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { readCommandLine } from "../parse/read-command-line.ts";
import { TABLES } from "./index.ts";
import { TRAITS } from "./program.ts";
import { canonicalProgram, programNamed } from "./program-name.ts";

const ROWS = TABLES.flatMap((table) => Object.entries(table()));
const EXAMPLES = ROWS.flatMap(([names, { examples }]) =>
  examples.map(([line, ...told]) => ({
    names,
    line,
    inner: told.filter((text) => text.startsWith("runs ")).map((text) => text.slice("runs ".length)),
    effects: told.filter((text) => !text.startsWith("runs ")),
  })),
);

/** As a person would write it, without quotes. */
function written({ program, args, redirects }: SimpleCommand): string {
  const words = [program, ...args].flatMap((word) => (word === undefined ? [] : [word.text]));
  return [...words, ...redirects.map(({ way, target }) => `${way === "read" ? "<" : ">"} ${target.text}`)].join(" ");
}

describe("the table of programs", () => {
  it("knows each program once", () => {
    const names = ROWS.flatMap(([each]) => each.split(" "));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(120);
  });

  it("shows every row by an example of its own", () => {
    for (const [names, row] of ROWS) {
      expect(row.examples.length, names).toBeGreaterThan(0);
      for (const [line] of row.examples) {
        const shown = readCommandLine(line).commands.map(({ program }) => programNamed(program?.text ?? ""));
        expect(shown, `${names}: ${line}`).toContain(row);
      }
    }
  });

  it("says what a program is only of names that the row has", () => {
    for (const [names, { is = {} }] of ROWS)
      for (const some of Object.values(is).filter((each) => each !== true))
        expect(names.split(" "), names).toEqual(
          expect.arrayContaining(some.split(" ").map((name) => name.replace(/:.*/, ""))),
        );
  });

  it.each(Object.keys(TRAITS))("has a program that is %s", (trait) => {
    expect(ROWS.some(([, { is = {} }]) => trait in is)).toBe(true);
  });

  it.each(EXAMPLES.filter(({ effects, inner }) => effects.length > 0 || inner.length === 0))(
    "tells what $line does",
    ({ line, effects }) => {
      const told = effectsOf(readCommandLine(line)).map(effectText);
      expect(told.filter((text) => text !== "")).toEqual(effects);
    },
  );

  it.each(EXAMPLES.filter(({ inner }) => inner.length > 0))("finds what $line runs", ({ line, inner }) => {
    const { commands } = readCommandLine(line);
    for (const text of inner) {
      expect(commands.map(written)).toContain(text);
      expect(commands.find((command) => written(command) === text)?.via, "says what runs it").not.toEqual([]);
    }
  });

  it("reads a program that is called without any words", () => {
    for (const name of ROWS.flatMap(([names]) => names.split(" ")))
      expect(() => effectsOf(readCommandLine(`\\${name} `)), name).not.toThrow();
  });
});

describe("the canonical name of a program", () => {
  it.each([
    ["git", "git"],
    ["/usr/bin/git", "git"],
    ["/opt/tools/git", "git"],
    ["git.exe", "git"],
    ["GIT", "git"],
    ["C:\\Program Files\\Git\\bin\\GIT.EXE", "git"],
    ["python3.12", "python3"],
    ["python3.12.exe", "python3"],
    ["ruby3.2", "ruby"],
    ["gcc-12", "gcc"],
    ["grm", "rm"],
    ["gxargs", "xargs"],
    ["gawk", "gawk"],
    ["gunzip", "gunzip"],
    ["ld-linux-aarch64.so.1", "ld.so"],
    ["Remove-Item", "remove-item"],
    ["R", "R"],
    ["frobnicate2", "frobnicate2"],
    ["./scripts/x.sh", "./scripts/x.sh"],
  ])("of %s is %s", (name, expected) => expect(canonicalProgram(name)).toBe(expected));

  it.each([
    [`python3.12 -c "import os; os.system('rm x')"`, "rm x"],
    [`.venv/bin/python -c "import os; os.system('rm x')"`, "rm x"],
    [`ruby3.2 -e 'system("rm x")'`, "rm x"],
    ["/lib/ld-linux-aarch64.so.1 /bin/rm x", "rm x"],
    ["/lib/ld-musl-x86_64.so.1 /bin/rm x", "rm x"],
    ["SUDO GIT.exe clean", "git clean"],
    ["gtimeout 5 rm x", "rm x"],
    ["busybox rm x", "rm x"],
    ["git-push -f", "git push -f"],
  ])("is what %s is read by", (line, expected) => {
    expect(readCommandLine(line).commands.map(written)).toContain(expected);
  });
});
