import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, toJsonText } from "./json.ts";

test("plain values are plain JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(toJsonText(value)).toBe(JSON.stringify(value));
    }),
  );
});

test("any value at all becomes JSON that can be read back", () => {
  const odd = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true });
  fc.assert(
    fc.property(odd, (value) => {
      expect(() => JSON.parse(toJsonText(value))).not.toThrow();
    }),
  );
});

const circle: Record<string, unknown> = {};
circle.list = [circle];
const same = { a: 1 };

test.each<[string, unknown, string]>([
  ["a circle is cut where it closes", circle, '{"list":["[circular]"]}'],
  ["the same thing twice is no circle", [same, same, 1n], '[{"a":1},{"a":1},"1"]'],
  ["a toJSON that breaks spoils only itself", { a: { toJSON: () => 1n }, b: 2 }, '{"a":"1","b":2}'],
  ["a toJSON that gives itself ends", { a: 1n, b: selfish() }, '{"a":"1","b":"[circular]"}'],
  ["a name that reaches a prototype is only a name", JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
  ["nothing is null", undefined, "null"],
])("%s", (_rule, value, text) => {
  expect(toJsonText(value)).toBe(text);
});

test.each([300, 3000, 6000, 100_000])(
  "data nested %i deep has a text, which does not depend on the order of its outer keys",
  (depth) => {
    const deep = (inner: string) => JSON.parse(`${'{"a":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`);
    expect(canonicalJson({ one: deep("1"), two: 2 })).toBe(canonicalJson({ two: 2, one: deep("1") }));
    if (depth < 5000) expect(canonicalJson(deep("1"))).not.toBe(canonicalJson(deep("2")));
  },
);

function selfish(): object {
  const self = { toJSON: () => self };
  return self;
}
