import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as door from "../../src/index.ts";
import type { Check } from "./check.ts";
import { CHECKS } from "./checks.ts";
import { FLOORS } from "./floors.ts";
import { NAMING } from "./programs.ts";
import { madeUpTree, readTree } from "./source-tree.ts";

const ROWS = Object.entries<Check>(CHECKS);
const SOURCE = readTree(fileURLToPath(new URL("../../src", import.meta.url)));
/** The floor of what programs import. */
const DOORS = 15;
const PUBLIC_NAMES = fileURLToPath(new URL("public-names.txt", import.meta.url));

describe("the house", () => {
  it("is read whole: every import is seen, and leads to a file", () => {
    const paths = new Set(SOURCE.map((file) => file.path));
    expect(paths.size).toBeGreaterThan(30);
    const wrong = SOURCE.filter(({ code, imports }) => {
      const written = code.match(/(?:\bfrom|\bimport\(?)\s*"\.{1,2}\//g) ?? [];
      const own = imports.filter((target) => target.endsWith(".ts"));
      return own.length !== written.length || own.some((target) => !paths.has(target));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("names programs in fewer than ten files besides the table of programs", () => {
    expect(NAMING.size).toBeLessThan(10);
  });

  it("stands in ARCHITECTURE.md room by room, each on its floor", () => {
    const page = readFileSync(new URL("../../ARCHITECTURE.md", import.meta.url), "utf8");
    const told = [...page.matchAll(/^\| (\d+) \| `([\w/-]+)(?:\.ts)?` \|/gm)].map(([, floor, room]) => [
      room,
      Number(floor),
    ]);
    const rooms = Object.entries(FLOORS).filter(([, floor]) => floor < DOORS);
    expect(told.map(String).sort()).toEqual(rooms.map(String).sort());
  });

  it.each(ROWS)("keeps the rule: %s", (_, check) => {
    const excused: readonly string[] = check.excused ?? [];
    expect(check.find(SOURCE).filter((violation) => !excused.includes(violation))).toEqual([]);
  });

  it.each(ROWS)("excuses nothing that is mended: %s", (_, check) => {
    const found = check.find(SOURCE);
    expect(check.excused?.filter((excuse) => !found.includes(excuse)) ?? []).toEqual([]);
  });
});

describe("a rule of the house", () => {
  it.each(ROWS)("finds what breaks it: %s", (_, check) => {
    expect(check.find(madeUpTree(check.breaks))).toEqual(check.violations);
  });

  it.each(ROWS)("lets pass what keeps it: %s", (_, check) => {
    expect(check.find(madeUpTree(check.keeps))).toEqual([]);
  });
});

describe("the public door", () => {
  it("exports the names that are written down, and no others", () => {
    const names = Object.keys(door).sort();
    if (process.env.WRITE_PUBLIC_NAMES === "1") writeFileSync(PUBLIC_NAMES, `${names.join("\n")}\n`);
    const written = readFileSync(PUBLIC_NAMES, "utf8").trim().split("\n");
    const howTo = "when meant: WRITE_PUBLIC_NAMES=1 npx vitest run tests/architecture, then read the difference";
    expect(changes(written, names), howTo).toEqual([]);
  });

  it("shows a name that came and a name that went", () => {
    expect(changes(["Hook", "HookEvent"], ["Hook", "fireEvent"])).toEqual(["+ fireEvent", "- HookEvent"]);
  });
});

function changes(written: readonly string[], names: readonly string[]): string[] {
  const came = names.filter((name) => !written.includes(name)).map((name) => `+ ${name}`);
  return [...came, ...written.filter((name) => !names.includes(name)).map((name) => `- ${name}`)];
}
