import { expect, test } from "vitest";
import { redactor } from "../../src/trace/redact.ts";
import { harmlessTexts, secretPlaces } from "./secret-places.ts";

const { value, text } = redactor();

test("no secret of a command line, a file, a body or a tool's arguments comes into a record", () => {
  const places = secretPlaces(7);
  expect(places.length).toBeGreaterThanOrEqual(700);
  const leaks = places.filter(({ args, hidden }) => {
    const seen = JSON.stringify(value(args));
    return seen.includes(hidden) || seen.includes(JSON.stringify(hidden).slice(1, -1));
  });

  expect(leaks.map(({ place, args }) => `${place}   ${JSON.stringify(args)}`)).toEqual([]);
});

test("at most one of two hundred harmless long strings is taken for a secret", () => {
  const texts = harmlessTexts(7, 2000);
  const changed = texts.filter((one) => text(one) !== one);
  expect(changed.length, changed.join("\n")).toBeLessThanOrEqual(texts.length / 200);
});
