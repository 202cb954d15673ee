import { expect, it } from "vitest";
import { globsMeet } from "./path-test.ts";

it.each([
  ["**/a.ts", "src/**", true],
  ["src/**", "src/a.ts", true],
  ["src/**/*.ts", "src/x/a.ts", true],
  ["*.ts", "a.*", true],
  ["*.ts", "*.js", false],
  ["docs/**", "src/**", false],
  ["**/*.ts", "src/*.md", false],
  ["a?c", "abc", true],
  ["src/*", "src/a/b", false],
  ["**", "a/b/c", true],
])("%s and %s may mean the same path: %s", (one, other, expected) => {
  expect(globsMeet(one, other)).toBe(expected);
  expect(globsMeet(other, one)).toBe(expected);
});
