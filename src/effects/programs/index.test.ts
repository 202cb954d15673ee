import { describe, expect, it } from "vitest";
import {
  indexPrograms,
  inOneShape,
  languageOfEnding,
  namesIn,
  namesOf,
  rowFinder,
  rowNamed,
  TABLES,
  useInOneShape,
} from "./index.ts";
import type { Use } from "./program.ts";

describe("a row finder", () => {
  const made: string[] = [];
  const tables = [
    () => table("first", { "rm unlink": 1, cp: 2 }),
    () => table("second", { cp: 3 }),
    () => table("third", { "git-annex": 4 }),
  ];
  function table(name: string, rows: Record<string, number>): Record<string, number> {
    made.push(name);
    return rows;
  }
  const names = namesIn(tables);

  it("finds a row by each of its names, and makes only the table that has it", () => {
    const rowOf = rowFinder(tables, names);
    made.length = 0;
    expect([rowOf("unlink"), rowOf("rm"), rowOf("unlink")]).toEqual([1, 1, 1]);
    expect(new Set(made)).toEqual(new Set(["first"]));
  });

  it("takes the last table that knows a name", () => {
    expect(rowFinder(tables, names)("cp")).toBe(3);
  });

  it("takes no piece of a name for the name, and no two names for one", () => {
    const rowOf = rowFinder(tables, names);
    made.length = 0;
    for (const name of ["git", "annex", "rm unlink", " rm", "", " ", "constructor", "__proto__"])
      expect(rowOf(name), name).toBeUndefined();
    expect(made).toEqual([]);
  });

  it("forgets what it found rather than keep every name of every line", () => {
    const rowOf = rowFinder(tables, names);
    for (let at = 0; at < 5000; at++) rowOf(`unknown-${at}`);
    expect(rowOf("rm")).toBe(1);
  });
});

describe("the index of all tables, which the build writes down", () => {
  const index = JSON.parse(JSON.stringify(indexPrograms())) as ReturnType<typeof indexPrograms>;

  it("names every program of every table", () => {
    expect(index.names).toEqual(namesIn(TABLES));
    for (const name of index.names.join(" ").trim().split(/\s+/)) expect(rowNamed(name), name).toBeDefined();
  });

  it("says what the tables say", () => {
    expect(index.traits["copies-data"]).toEqual(namesOf("copies-data"));
    expect(namesOf("copies-data")).toContain("cp");
    expect(index.taskFiles).toContain("Makefile");
    expect([index.endings.py, languageOfEnding("py")]).toEqual(["python", "python"]);
    expect(languageOfEnding("constructor")).toBeUndefined();
  });
});

describe("rows in one shape", () => {
  const rows = TABLES.flatMap((table) => Object.entries(table()));

  it("have the fields of the rows, with the acts as one function", () => {
    for (const [names, row] of rows) {
      expect(shapedFields(inOneShape(row)), names).toEqual(shapedFields(row));
      // Only a whole program has a language; some verbs are made like programs.
      for (const use of Object.values(row.verbs ?? {}))
        if (!Array.isArray(use))
          expect(shapedFields(useInOneShape(use as Use)), names).toEqual({
            ...shapedFields(use as Use),
            interpreter: undefined,
          });
    }
  });

  function shapedFields(use: Use): object {
    return Object.fromEntries(Object.entries(use).filter(([field]) => !ACT_FIELDS.includes(field)));
  }

  const ACT_FIELDS: readonly string[] =
    "names when unless otherwise roles reads writes deletes scripts tree forced source landsIn talks to sends keys gives input silent first does".split(
      " ",
    );

  it("have the same fields in the same order, and are made once", () => {
    expect(new Set(rows.map(([, row]) => Object.keys(inOneShape(row)).join())).size).toBe(1);
    for (const [, row] of rows) expect(inOneShape(row)).toBe(inOneShape(row));
  });
});
