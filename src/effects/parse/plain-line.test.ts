import { type Command, type ParsedScript, parse } from "unbash";
import { describe, expect, it } from "vitest";
import { plainLine } from "./plain-line.ts";

/** The words and the redirections of each command, where they are not told among the fields. */
function ends(script: ParsedScript | undefined): unknown[] {
  const found: unknown[] = [];
  const look = (node: {
    readonly type: string;
    readonly commands?: readonly unknown[];
    readonly command?: unknown;
  }) => {
    const { args, redirects } = node as Partial<Command>;
    if (node.type === "Command") found.push([args?.map(({ pos }) => pos), redirects?.map(({ pos }) => pos)]);
    for (const inner of [node.command, ...(node.commands ?? [])]) if (inner !== undefined) look(inner as typeof node);
  };
  if (script !== undefined) look(script);
  return found;
}

describe("a line of plain words", () => {
  it.each([
    "ls",
    "ls -l a/b.txt",
    "git  log --oneline -3 HEAD..main",
    "npm run test:unit",
    "./x.sh 1 2",
    "user@host:path",
    "cd a && npm test || echo no; ls",
    "a;b",
    "cat a.txt | grep -vE '^ *(ok|pass)' | tail -60",
    "ls 'a' \"b c\" ''",
    "make x > out.log 2>&1",
    "make x 2>/dev/null | head -1 >> all.log",
    "git commit -m 'a; b && c > d'",
    "cmake -DA=b A=b",
  ])("is read as the parser reads it: %s", (line) => {
    expect(JSON.parse(JSON.stringify(plainLine(line)))).toMatchObject(JSON.parse(JSON.stringify(parse(line))));
    expect(ends(plainLine(line))).toEqual(ends(parse(line)));
  });

  it.each([
    "",
    " ls",
    "ls ",
    "a=b ls",
    "ls $x",
    "ls *",
    "ls ~",
    "a\nb",
    "a;",
    "a &",
    "a |& b",
    "a &&",
    "a && if",
    "a'b'",
    "'a' b",
    'a "$b"',
    "a 'b'c",
    "a>b",
    "a 2>&-",
    "> a",
    "a &> b",
    "a < b",
    "export a=b",
    "a#b",
    "if",
    "time ls",
    "{ls",
    "a\tb",
    "ls\u00a0x",
    `ls ${"a".repeat(5_000)}`,
  ])("is nothing else: %j", (line) => {
    expect(plainLine(line)).toBeUndefined();
  });
});
