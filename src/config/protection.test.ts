import { expect, test } from "vitest";
import { countsAs, PROTECTIONS, partNamed, tightening } from "./protection.ts";

const parts = { parts: { mode: PROTECTIONS.mode, on_unknown: PROTECTIONS.onUnknown } };

test.each([
  ["guards", "off", "off"],
  ["guards", "strict", "strict"],
  ["guards", "paranoied", "paranoid"],
  ["guards", "of", "standard"],
  ["guards", undefined, "standard"],
  ["guards", { strict: true }, "standard"],
  ["trace", "onn", "required"],
  ["mode", "advice", "enforce"],
  ["onUnknown", "alow", "deny"],
] as const)("%s: %j counts as %s: what is written, else the nearest that is strict enough", (name, value, counts) => {
  expect(countsAs(value, PROTECTIONS[name])).toBe(counts);
});

test.each([
  ["onUnknown", "on_unknown"],
  ["on-unknown", "on_unknown"],
  ["unknown", "on_unknown"],
  ["mod", "mode"],
  ["colour", undefined],
])("the key %s means the part %s", (key, part) => {
  expect(partNamed(key, parts)).toBe(part);
});

test.each([
  ["off", { whole: PROTECTIONS.guards }, undefined],
  ["strict", { whole: PROTECTIONS.guards }, "strict"],
  [{ mode: "enforce", onUnknown: "allow", colour: "red" }, parts, { mode: "enforce" }],
  [{ mode: "off" }, parts, undefined],
])("a guess may tighten and never loosens: of %j there is left %j", (value, protects, left) => {
  expect(tightening(value, protects)).toEqual(left);
});
