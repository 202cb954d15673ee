import { describe, expect, it } from "vitest";
import { readOptions } from "./options.ts";

const SPEC = "force|f recursive|r|R output|o= color? version verbose|v";
const words = (line: string) => line.split(" ").map((text) => ({ text, isKnown: true, isGlob: false }));
const read = (line: string, style?: "first" | "whole") => {
  const { given, operands } = readOptions(words(line), SPEC, style);
  const options = [...given].map(([name, values]) => [name, ...values.map(({ text }) => text)].join("="));
  return [...options, "|", ...operands.map(({ text }) => text)].join(" ");
};

describe("the options of a program", () => {
  it.each([
    ["-rf a", "recursive force | a"],
    ["a -R", "recursive | a"],
    ["--recursive --force a", "recursive force | a"],
    ["--recurs --forc a", "recursive force | a"],
    ["--ver a", "version verbose | a"],
    ["-o x a", "output=x | a"],
    ["-ox a", "output=x | a"],
    ["-fo x a", "force output=x | a"],
    ["--output=x a", "output=x | a"],
    ["--out x a", "output=x | a"],
    ["--color a", "color | a"],
    ["--color=no a", "color=no | a"],
    ["-f -- -r a", "force | -r a"],
    ["- a", "| - a"],
    ["-z --strange=1 a", "z strange=1 | a"],
    ["-o", "output |"],
    ["-o a -o b", "output=a=b |"],
  ])("of %s are %s", (line, expected) => expect(read(line)).toBe(expected));

  it.each([
    ["-f a -r", "force | a -r"],
    ["a -f", "| a -f"],
  ])("end at the first operand of %s, where a program reads them so", (line, expected) => {
    expect(read(line, "first")).toBe(expected);
  });

  it.each([
    ["-force a", "force | a"],
    ["-output=x -f a", "output=x force | a"],
    ["-output x", "output=x |"],
  ])("may stand behind one dash in %s, where a program reads them so", (line, expected) => {
    expect(read(line, "whole")).toBe(expected);
  });
});
