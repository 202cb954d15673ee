import { describe, expect, test } from "vitest";
import { deepCopy } from "./deep-copy.ts";

test("a change of a copy changes nothing of the original", () => {
  const original = { args: { command: "ls", list: [{ a: 1 }] }, when: new Date(0), seen: new Map([["k", { a: 1 }]]) };
  const copy = deepCopy(original);
  expect(copy).toEqual(original);
  copy.args.command = "other";
  Object.assign(copy.args.list[0] ?? {}, { a: 2 });
  copy.when.setFullYear(2000);
  Object.assign(copy.seen.get("k") ?? {}, { a: 2 });
  expect(original).toEqual({
    args: { command: "ls", list: [{ a: 1 }] },
    when: new Date(0),
    seen: new Map([["k", { a: 1 }]]),
  });
});

test("what is told twice, or tells of itself, is so in the copy", () => {
  const inner = { a: 1 };
  const circle: Record<string, unknown> = { one: inner, two: inner };
  circle.self = circle;
  const copy = deepCopy(circle);
  expect(copy.self).toBe(copy);
  expect(copy.one).toBe(copy.two);
  expect(copy.one).not.toBe(inner);
});

test("an object keeps its methods, and a function stays what it is", () => {
  class Point {
    x = 1;
    double() {
      return this.x * 2;
    }
  }
  const log = () => 1;
  const copy = deepCopy({ point: new Point(), log });
  copy.point.x = 4;
  expect([copy.point.double(), copy.log]).toEqual([8, log]);
});

test("a key named __proto__ is a key and nothing more", () => {
  const copy = deepCopy(JSON.parse('{"__proto__":{"isAdmin":true}}'));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true}}');
});

describe("what cannot be copied comes as its JSON would read", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];
  const unreadable = {
    get no() {
      throw new Error("no");
    },
  };
  test.each<[string, unknown, string]>([
    ["an address", { at: new URL("http://localhost/a") }, '{"at":"http://localhost/a"}'],
    ["a map of functions", { map: new Map([["f", () => 1]]) }, '{"map":{}}'],
    ["something very deep", deep, "[too deep]"],
    ["a getter that throws", { unreadable, kept: 1 }, '{"unreadable":"[unreadable]","kept":1}'],
  ])("%s", (_what, value, text) => {
    expect(JSON.stringify(deepCopy(value))).toContain(text);
  });
});
