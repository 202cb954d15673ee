import semver from "semver";
import { expect, test } from "vitest";

const fits = (range: string, version: string) => semver.satisfies(version, range);

test.each([
  ["1.2.3", "1.2.3 v1.2.3", "1.2.4 1.2.2"],
  ["=1.2.3", "1.2.3", "1.2.4"],
  ["^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0 2.0.0-0 1.3.0-beta"],
  ["^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2"],
  ["^0.0.3", "0.0.3", "0.0.4"],
  ["^0.0", "0.0.0 0.0.9", "0.1.0"],
  ["^1.x", "1.0.0 1.9.9", "2.0.0"],
  ["~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"],
  ["~1", "1.0.0 1.9.0", "2.0.0"],
  ["1", "1.0.0 1.9.9", "2.0.0"],
  ["1.2", "1.2.0 1.2.9", "1.3.0"],
  ["1.2.x", "1.2.0 1.2.9", "1.3.0"],
  ["*", "0.0.1 9.9.9", "1.0.0-alpha"],
  ["", "0.0.1 9.9.9", "1.0.0-alpha"],
  [">=1.2.3 <2", "1.2.3 1.9.9", "2.0.0 1.2.2 2.0.0-rc.1"],
  [">= 1.2.3 < 2.0.0", "1.2.3 1.9.9", "2.0.0"],
  [">1.2", "1.3.0 2.0.0", "1.2.0 1.2.9"],
  ["<=1.2", "1.2.9 0.1.0", "1.3.0"],
  ["<1.2", "1.1.9", "1.2.0 1.2.0-rc"],
  ["1.2 - 1.4", "1.2.0 1.4.9", "1.5.0 1.1.0"],
  ["^1.2.3-beta.2", "1.2.3-beta.2 1.2.3-beta.11 1.2.3 1.4.0", "1.2.3-beta.1 1.2.4-beta.3"],
  ["1.x || >=3.1", "1.5.0 3.1.0", "2.0.0 3.0.9"],
])("the range %j holds for %s and not for %s", (range, inside, outside) => {
  expect(inside.split(" ").map((version) => [version, fits(range, version)])).toEqual(
    inside.split(" ").map((version) => [version, true]),
  );
  expect(outside.split(" ").map((version) => [version, fits(range, version)])).toEqual(
    outside.split(" ").map((version) => [version, false]),
  );
});

test.each(["latest", "^", "1.2.3.4", "../x", "git+https://x", "^1.2.3 ; rm", "1".repeat(300), "=>1"])(
  "%j is no range",
  (range) => expect(semver.validRange(range)).toBeNull(),
);

test("versions are ordered by their numbers, then a prerelease comes before its release, part by part", () => {
  const sorted = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.2.0",
    "1.10.0",
    "2.0.0",
  ];
  expect(semver.sort(sorted.toReversed())).toEqual(sorted);
});

test("only a whole version is exact", () => {
  expect(["1.2.3", "v1.2.3", "1.2.3-rc.1"].map((text) => semver.valid(text) !== null)).toEqual([true, true, true]);
  expect(["1.2", "^1.2.3", "latest", "1.2.x", ""].map((text) => semver.valid(text) !== null)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
