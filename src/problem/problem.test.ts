import { describe, expect, test, vi } from "vitest";
import { formatPlace, type Place, Problem, problems, warn } from "./problem.ts";

const PROBLEMS = problems("room", {
  lostKey: ({ key }: { key: string }) => ({ what: `The key ${key} is lost.`, fix: "Look under the mat." }),
  rain: () => ({ what: "It rains." }),
});

describe("a place is written as editors link it", () => {
  const rows: [Place, string][] = [
    [{ file: "hooks.yaml" }, "hooks.yaml"],
    [{ file: "hooks.yaml", line: 12 }, "hooks.yaml:12"],
    [{ file: "hooks.yaml", line: 12, column: 3 }, "hooks.yaml:12:3"],
    [{ file: "hooks.yaml", column: 3 }, "hooks.yaml"],
  ];
  test.each(rows)("%o is %s", (place, text) => {
    expect(formatPlace(place)).toBe(text);
  });
});

test("a row of the table becomes a problem with a stable code", () => {
  const problem = PROBLEMS.lostKey({ key: "a" });
  expect(problem).toBeInstanceOf(Error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ code: "room/lost-key", message: "The key a is lost.", fix: "Look under the mat." });
});

test("a person reads the code and the place, then the fact, then the step", () => {
  const place = { file: "hooks.yaml", line: 2, column: 5 };
  expect(PROBLEMS.lostKey({ key: "a" }, { place }).format()).toBe(
    "room/lost-key  hooks.yaml:2:5\n  The key a is lost.\n  Look under the mat.",
  );
  expect(PROBLEMS.rain(undefined).format()).toBe("room/rain\n  It rains.");
});

test("a problem that learns its place keeps its words, its path and its cause", () => {
  const cause = new Error("below");
  const problem = PROBLEMS.lostKey({ key: "a" }, { path: ["hooks", 0], cause }).at({ file: "f", line: 1 });
  expect(problem).toMatchObject({
    code: "room/lost-key",
    message: "The key a is lost.",
    fix: "Look under the mat.",
    path: ["hooks", 0],
    place: { file: "f", line: 1 },
    cause,
  });
});

test("a program reads the same facts as JSON", () => {
  const problem = PROBLEMS.lostKey({ key: "a" }, { place: { file: "f", line: 1, column: 2 } });
  expect(JSON.parse(JSON.stringify(problem))).toEqual({
    code: "room/lost-key",
    what: "The key a is lost.",
    fix: "Look under the mat.",
    file: "f",
    line: 1,
    column: 2,
  });
});

test("a warning goes to standard error once, with its code", () => {
  const said = vi.spyOn(console, "warn").mockImplementation(() => {});
  warn(PROBLEMS.rain(undefined));
  expect(said.mock.calls).toEqual([["sluice: room/rain\n  It rains."]]);
  said.mockRestore();
});
