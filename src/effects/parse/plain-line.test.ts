import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { plainLine } from "./plain-line.ts";

describe("a line of plain words", () => {
  it.each([
    "ls",
    "ls -l a/b.txt",
    "git  log --oneline -3 HEAD..main",
    "npm run test:unit",
    "./x.sh 1 2",
    "user@host:path",
  ])("is read as the parser reads it: %s", (line) => {
    expect(JSON.parse(JSON.stringify(plainLine(line)))).toMatchObject(JSON.parse(JSON.stringify(parse(line))));
  });

  it.each([
    "",
    " ls",
    "ls ",
    "a=b ls",
    "ls 'a'",
    "ls $x",
    "ls *",
    "ls ~",
    "a\nb",
    "a;b",
    "a#b",
    "if",
    "time ls",
    "{ls",
    "a\tb",
    "ls\u00a0x",
  ])("is nothing else: %j", (line) => {
    expect(plainLine(line)).toBeUndefined();
  });
});
