import { expect, test } from "vitest";
import { climbsOut, isOutside, isRootOfMuch, isSystem } from "./path-class.ts";

const word = (text: string) => ({ text, isKnown: true, isGlob: text.includes("*") });

test.each([
  ["/", true],
  ["/*", true],
  ["~", true],
  ["..", true],
  ["../..", true],
  ["/home/ada/app", true],
  [".", false],
  ["../src", false],
  ["/home/ada/app/src", false],
  ["./*", false],
])("from a folder of the project, %s is much: %s", (path, isMuch) => {
  const place = { cwd: "/home/ada/app/src", root: "/home/ada/app", home: "/home/ada" };
  expect(isRootOfMuch(word(path), place)).toBe(isMuch);
});

test.each([
  [".", true],
  ["/home/ada/app", true],
  ["src", false],
])("from the project's own folder, %s is much: %s", (path, isMuch) => {
  expect(isRootOfMuch(word(path), { cwd: "/home/ada/app", root: "/home/ada/app", home: "/home/ada" })).toBe(isMuch);
});

test("a path that leaves the folder by `..` means a neighbour", () => {
  expect(["../a", "src/../../a", "a/../b", "/tmp/a"].map((path) => climbsOut(word(path)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  ["/dev/shm/app/build", false],
  ["/dev/shm", true],
  ["/dev/sda", true],
  ["/opt/app/data", false],
  ["/opt/local/bin", true],
])("%s belongs to the system: %s", (path, isOfSystem) => {
  expect(isSystem(word(path), { cwd: "/home/ada/app", root: "/home/ada/app", home: "/home/ada" })).toBe(isOfSystem);
});

test("a backslash in the name of the project's folder puts none of its files outside", () => {
  const place = { cwd: "/srv/a\\b/app", root: "/srv/a\\b", home: "/home/ada" };
  expect(isOutside(word("/srv/a\\b/app/src"), place)).toBe(false);
  expect(isRootOfMuch(word("/srv/a\\b/app"), place)).toBe(false);
});
