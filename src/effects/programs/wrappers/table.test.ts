import { describe, expect, it } from "vitest";
import type { SimpleCommand } from "../../parse/command.ts";
import { readCommandLine } from "../../parse/read-command-line.ts";
import { TABLES } from "./tables.ts";

const WRAPPERS = new Map(TABLES.flatMap((table) => Object.entries(table())));
const EXAMPLES = [...WRAPPERS].flatMap(([name, { examples }]) =>
  examples.map(([line, runs]) => [name, line, runs] as const),
);

/** As a person would write it, without quotes. */
function told({ program, args, redirects }: SimpleCommand): string {
  const words = [program, ...args].flatMap((word) => (word === undefined ? [] : [word.text]));
  return [...words, ...redirects.map(({ way, target }) => `${way === "read" ? "<" : ">"} ${target.text}`)].join(" ");
}

describe("a program that runs others", () => {
  it.each(EXAMPLES)("%s: %s", (_, line, runs) => {
    const { commands } = readCommandLine(line);
    expect(commands.map(told)).toContain(runs);
    expect(commands.find((command) => told(command) === runs)?.via, "says who runs it").not.toEqual([]);
  });

  it("is followed when nothing comes after it", () => {
    for (const name of WRAPPERS.keys())
      expect(readCommandLine(`\\${name} `).commands[0]?.program?.text, name).toBe(name);
  });

  it("is followed whatever its version or machine is", () => {
    const lines = [
      `python3.12 -c "import os; os.system('rm x')"`,
      `ruby3.2 -e 'system("rm x")'`,
      "/lib/ld-linux-aarch64.so.1 /bin/rm x",
      "/lib/ld-musl-x86_64.so.1 /bin/rm x",
    ];
    for (const line of lines) expect(readCommandLine(line).commands.map(told), line).toContain("rm x");
  });
});
