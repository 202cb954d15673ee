import { expect, it } from "vitest";
import { scanJson } from "./json-scan.ts";

it.each([
  ['{"a":1}', true],
  ['{"a":"}"}', true],
  ['{"a":"\\\\"}\n', true],
  ['{"a":"\\""}', true],
  ['{"a":[1,{"b":2}]}', true],
  ['{"a":1', false],
  ['{"a":"}', false],
  ['{"a":"\\"}', false],
  ['{"a":1} x', false],
  ["", false],
])("%j is whole: %s, as a parser says", (text, isWhole) => {
  expect(scanJson(text, 10).isWhole).toBe(isWhole);
});

it("counts values, not signs inside of strings", () => {
  expect(scanJson('{"a":[1,2,3],"b":"x,y,z,w,v"}', 4).isTooMuch).toBe(false);
  expect(scanJson('{"a":[1,2,3],"b":"x,y,z,w,v"}', 3).isTooMuch).toBe(true);
});
