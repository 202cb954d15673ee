import { describe, expect, it } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { toolEffects } from "../call-effects.ts";
import { type CallEffects, effectText } from "../effect.ts";
import { effectsOf } from "../effects.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { readCommandLine } from "../parse/read-command-line.ts";
import { CMDLETS } from "./cmdlets.ts";
import { inOneShape, TABLES } from "./index.ts";
import { TRAITS, type Trait } from "./program.ts";
import { anyTraitTest, canonicalProgram, isProgram, programNamed } from "./program-name.ts";

const ROWS = TABLES.flatMap((table) => Object.entries(table()));
/** Each line with what it does, and with the commands that a program in it runs. */
const EXAMPLES = [...ROWS.map(([, row]) => row), ...CMDLETS].flatMap(({ examples }) =>
  examples.map(([line, ...told]) => ({
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

function read(line: string): CallEffects {
  return toolEffects(
    new HookEvent({ type: "tool:pre_execute", toolName: "Bash", data: { tool_args: { command: line } } }),
  );
}

const unknownIn = (line: string) => read(line).unknown;

describe("the table of programs", () => {
  it("knows each program once", () => {
    const names = ROWS.flatMap(([each]) => each.split(" "));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(120);
  });

  it("shows every row by an example of its own", () => {
    const isShownBy = (line: string, row: ReturnType<typeof inOneShape>) =>
      readCommandLine(line).commands.some(({ program }) => programNamed(program?.text ?? "") === row);
    const strange = ROWS.flatMap(([names, row]) => {
      const lines = row.examples.map(([line]) => line).filter((line) => !isShownBy(line, inOneShape(row)));
      return row.examples.length === 0 ? [`${names} has none`] : lines.map((line) => `${names}: ${line}`);
    });
    expect(strange).toEqual([]);
  });

  it("says what a program is only of names that the row has", () => {
    for (const [names, { is = {} }] of ROWS)
      for (const some of Object.values(is).filter((each) => each !== true))
        expect(names.split(" "), names).toEqual(
          expect.arrayContaining(some.split(" ").map((name) => name.replace(/:.*/, ""))),
        );
  });

  it("is asked about several traits at once, and says of each program what it says of every one", () => {
    const traits: readonly Trait[] = ["copies-data", "text-search", "prints-words"];
    const isAny = anyTraitTest(...traits);
    const names = ["no-such-program", "/usr/bin/CP.exe", ...ROWS.flatMap(([each]) => each.split(" "))];
    for (const name of [...names, ...names])
      expect(isAny(name), name).toBe(traits.some((trait) => isProgram(trait, name)));
  });

  it.each(Object.keys(TRAITS))("has a program that is %s", (trait) => {
    expect(ROWS.some(([, { is = {} }]) => trait in is)).toBe(true);
  });

  it("tells what the line of every example does", () => {
    const shown = EXAMPLES.filter(({ effects, inner }) => effects.length > 0 || inner.length === 0);
    expect(shown.length).toBeGreaterThan(1000);
    const told = shown.map(({ line }) => {
      const texts = effectsOf(readCommandLine(line)).map(effectText);
      return { line, effects: texts.filter((text) => text !== "") };
    });
    expect(told).toEqual(shown.map(({ line, effects }) => ({ line, effects })));
  });

  it("finds what the line of every example runs, and says what runs it", () => {
    const found = EXAMPLES.flatMap(({ line, inner }) => inner.map((text) => ({ line, text })));
    expect(found.length).toBeGreaterThan(100);
    const missed = found.filter(({ line, text }) => {
      const command = readCommandLine(line).commands.find((each) => written(each) === text);
      return command === undefined || command.via.length === 0;
    });
    expect(missed).toEqual([]);
  });

  it.each(ROWS.filter(([, { readOnly }]) => typeof readOnly === "string"))(
    "looks something up by the verbs of %s",
    (names, row) => {
      const [name = ""] = names.split(" ");
      const verbs = String(row.readOnly).split("|");
      expect(verbs.filter((verb) => unknownIn(`${name} ${verb}`).length > 0)).toEqual([]);
    },
  );

  it.each(ROWS.filter(([, { readOnly }]) => readOnly === true))("changes nothing beyond the effects of %s", (names) => {
    const named = names.split(" ").filter((each) => !/^[[\]:.]+$/.test(each));
    expect(named.filter((name) => unknownIn(`${name} ls`).length > 0)).toEqual([]);
  });

  it.each([
    "gdb -batch -ex run a",
    "valgrind ./a",
    "perf record ls",
    "curl -K c",
    "gcc a.c",
    "git pull",
    "npm version patch",
    "vercel env rm A",
    "make status",
    "tmux ls \\; frob",
  ])("does not take %s for one that only looks", (line) => expect(read(line).readOnly).toBe(false));

  it.each([
    "git branch -v",
    "git clean -n -e x",
    "git rm -n a",
    "npm ls",
    "gh run view 1",
    "docker compose -f a.yml ps",
    "kubectl -n x get pods",
    "strace ls",
    "gcc -E a.c",
  ])("knows that %s changes nothing", (line) => expect(read(line).readOnly).toBe(true));

  it("reads a program that is called without any words", () => {
    for (const name of ROWS.flatMap(([names]) => names.split(" "))) {
      try {
        effectsOf(readCommandLine(`\\${name} `));
      } catch (error) {
        throw new Error(name, { cause: error });
      }
    }
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
