import { parse } from "unbash";
import { expect, test } from "vitest";
import { plainLine } from "../../src/effects/parse/plain-line.ts";
import { cases, everyNth, seedOr } from "../cases.ts";
import { pick, randomNumbers } from "./random.ts";
import { guardedCommands, storedCommands } from "./stored-commands.ts";

test("lines of the corpora and of the guards that are read without the parser are read as the parser reads them", () => {
  const lines = [...everyNth(12, storedCommands()), ...guardedCommands()];
  const { read, unlike } = compared(lines);
  expect(unlike).toEqual([]);
  expect(read).toBeGreaterThan(lines.length / 4);
});

test("so are lines that are made of pieces by chance", () => {
  const next = randomNumbers(seedOr(20_261_117));
  const lines = Array.from({ length: cases(500, 1_000_000) }, () =>
    Array.from({ length: 1 + next(9) }, () => pick(next, PIECES)).join(pick(next, ["", " ", " ", " "])),
  );
  const { read, unlike } = compared(lines);
  expect(unlike).toEqual([]);
  expect(read).toBeGreaterThan(0);
});

/** How many of the lines are read without the parser, and which of them are read differently. */
function compared(lines: readonly string[]): { readonly read: number; readonly unlike: readonly string[] } {
  const read = lines.filter((line) => plainLine(line) !== undefined);
  const unlike = read.filter((line) => written(plainLine(line)) !== written(parse(line)));
  return { read: read.length, unlike };
}

/** Every field in one order; a command's words and redirections are told once. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const fields = Object.entries(inner).filter(
      ([key]) => !("suffix" in inner) || (key !== "args" && key !== "redirects"),
    );
    return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

const PIECES = [
  ..."ls git cd a b.txt -n --x=y k=v K=v 1 12 /dev/null ./x.sh src/a @b %1 a:b + , export eval let alias local time if then in do !".split(
    " ",
  ),
  ...["&&", "||", "|", ";", "&", "|&", ";;", ">", ">>", "2>&1", "2>", "1>&2", ">&2", "3>f", ">&", "&>", "<", ">|"],
  ...[
    "'a b'",
    '"a b"',
    "''",
    '""',
    "'$x'",
    '"$x"',
    '"\\n"',
    "'a",
    '"`',
    "\\",
    "$x",
    "*",
    "~",
    "#",
    "#!",
    "(",
    ")",
    "{",
    "}",
  ],
  ...[" ", "  ", "\t", "\n", "=", "'\n'", '"a;b"', "'>'", "é", "'é'", "\0", "then", "coproc", "function", "[[", "]]"],
];
