import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { SURVIVORS } from "../campaigns/mutants/survivors.mjs";

const root = resolve(import.meta.dirname, "../..");

test("every change that survives stands in the code it is explained for, once", () => {
  const rows: readonly (readonly (string | undefined)[])[] = SURVIVORS.flatMap(({ survivors }) => survivors);
  const texts = new Map<string, string>();
  const textOf = (file: string) =>
    texts.get(file) ?? texts.set(file, readFileSync(join(root, file), "utf8").replaceAll(/\s+/g, " ")).get(file);
  const isGone = ([file = "", before = "", , line = ""]: readonly (string | undefined)[]) =>
    ![before, line].every((text) => textOf(file)?.includes(text));
  expect(rows.filter(isGone)).toEqual([]);
  const written = rows.map((row) => JSON.stringify(row));
  expect(written.filter((row, at) => written.indexOf(row) !== at)).toEqual([]);
});
