import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges, changesBetween, conflictBetween, isSame, mergePatch, whyRefused } from "./patch.ts";

const json = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.constantFrom("a", "b", "c"), json, { maxKeys: 3 });

describe("a patch merges: objects meet, null removes, everything else replaces", () => {
  const rows: [target: unknown, patch: unknown, merged: unknown][] = [
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
    [{ a: { b: 1, c: 2 } }, { a: { c: null } }, { a: { b: 1 } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: 1 }, { a: { b: { c: null } } }, { a: { b: {} } }],
    [{ a: 1 }, {}, { a: 1 }],
    [undefined, { a: 1 }, { a: 1 }],
  ];
  test.each(rows)("%j with %j is %j", (target, patch, merged) => {
    expect(mergePatch(target, patch)).toEqual(merged);
  });
});

test("neither the target, nor the patch, nor any prototype is touched", () => {
  const before = prototypes();
  fc.assert(
    fc.property(fc.object(), fc.object(), (target, patch) => {
      const merged = mergePatch(deepFrozen(target), deepFrozen(patch));
      applyChanges(target, changesBetween(target, merged));
    }),
  );
  for (const text of HOSTILE) mergePatch({ a: {} }, JSON.parse(text));
  expect(prototypes()).toEqual(before);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("names that reach a prototype are refused, however deep", () => {
  test.each(hostileRows())("%s names %s", (text, name) => {
    expect(whyRefused(JSON.parse(text))).toBe(`it names "${name}"`);
  });

  test("names that only look like it are names", () => {
    expect(whyRefused({ proto: 1, constructors: { "": [] }, _prototype: null })).toBeUndefined();
  });

  test.each<[string, unknown, string | undefined]>([
    ["64 levels", nested(64), undefined],
    ["65 levels", nested(65), "it is nested more than 64 deep"],
    ["a function", { f: () => 1 }, "it holds a function"],
    ["a symbol", [Symbol("s")], "it holds a symbol"],
    ["a promise", { p: Promise.resolve() }, "it holds more than JSON can"],
    ["a text", "x", undefined],
    ["null", null, undefined],
  ])("%s", (_what, value, why) => {
    expect(whyRefused(value)).toBe(why);
  });
});

test("the changes between two values make the second of the first", () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      expect(applyChanges(deepFrozen(before), changesBetween(before, after))).toEqual(after);
      expect(changesBetween(before, structuredClone(before))).toEqual([]);
    }),
  );
});

test("equality is that of JSON", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSame(one, structuredClone(one))).toBe(true);
      expect(isSame(one, other)).toBe(isSame(other, one));
    }),
  );
  for (const [one, other] of [
    [[], {}],
    [{ a: undefined }, { b: undefined }],
    [[1], [1, 2]],
    [null, {}],
    ["1", 1],
  ])
    expect(isSame(one, other)).toBe(false);
});

test("a removal takes away the key itself, and nothing around it", () => {
  expect(applyChanges({ a: 1, b: 2 }, [{ path: ["a"] }])).toStrictEqual({ b: 2 });
  expect(applyChanges({ deep: { x: 1, y: 2 } }, [{ path: ["deep", "x"] }])).toStrictEqual({ deep: { y: 2 } });
  expect(applyChanges({ deep: { x: 1 } }, [{ path: ["deep", "x"], value: undefined }])).toStrictEqual({
    deep: { x: undefined },
  });
});

test("what is refused is found behind what is not", () => {
  expect(whyRefused({ fine: { a: 1 }, also: [1], later: { prototype: 1 } })).toBe('it names "prototype"');
  expect(whyRefused([1, {}, { constructor: 1 }])).toBe('it names "constructor"');
});

test("one contradiction among many changes is one", () => {
  const one = { path: ["a"], value: 1 };
  expect(
    conflictBetween(
      [one],
      [
        { path: ["b"], value: 1 },
        { path: ["a"], value: 2 },
      ],
    ),
  ).toEqual(one);
});

test("a merge reaches no prototype, also when the patch was not checked before", () => {
  const merged = mergePatch({}, JSON.parse('{ "__proto__": { "x": 1 }, "a": 1 }'));
  expect(merged).toStrictEqual({ a: 1 });
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});

describe("two changes conflict when both cannot be made", () => {
  const rows: [one: object, other: object, path: string[] | undefined][] = [
    [{ a: 1 }, { b: 2 }, undefined],
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: 1 }, { a: 2 }, ["a"]],
    [{ a: null }, { a: 2 }, ["a"]],
    [{ a: null }, { a: null }, undefined],
    [{ deep: { x: 1 } }, { deep: { y: 1 } }, undefined],
    [{ deep: { x: 1 } }, { deep: 3 }, ["deep", "x"]],
    [{ deep: null }, { deep: { x: 1 } }, ["deep"]],
  ];
  test.each(rows)("%j and %j: %j", (one, other, path) => {
    const before = { a: 0, b: 0, deep: { x: 0, y: 0 } };
    const changes = [one, other].map((patch) => changesBetween(before, mergePatch(before, patch)));
    expect(conflictBetween(changes[0]!, changes[1]!)?.path).toEqual(path);
    expect(conflictBetween(changes[1]!, changes[0]!) === undefined).toBe(path === undefined);
  });
});

const HOSTILE = [
  '{"__proto__":{"polluted":1}}',
  '{"a":{"__proto__":{"polluted":1}}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"a":{"constructor":{"prototype":{"polluted":1}}}}',
  '{"a":[{"prototype":{"polluted":1}}]}',
];

function hostileRows(): [text: string, name: string][] {
  return ["__proto__", "prototype", "constructor"].flatMap((name) =>
    [`{"${name}":1}`, `{"a":{"b":{"${name}":{}}}}`, `[[{"${name}":null}]]`].map((text): [string, string] => [
      text,
      name,
    ]),
  );
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { inner: nested(levels - 1) };
}

function prototypes(): PropertyKey[][] {
  return [Object.prototype, Array.prototype, Function.prototype].map((each) => Reflect.ownKeys(each));
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFrozen(inner);
  return value;
}
