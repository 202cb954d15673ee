import * as v from "valibot";
import { expect, test } from "vitest";
import { gotInWords, wantedInWords } from "./schema-words.ts";

test.each<[string, v.GenericSchema, unknown, string]>([
  ["a choice", v.picklist(["deny", "ask"]), "x", '"x"; one of deny, ask'],
  ["a choice that may be left out", v.optional(v.picklist(["deny", "ask"])), null, "empty; one of deny, ask"],
  ["a list", v.array(v.string()), {}, "an object; a list"],
  ["an object", v.looseObject({}), 5, "5; an object"],
  ["a text or a list", v.union([v.string(), v.array(v.string())]), 5, "5; a string or a list"],
  ["a switch", v.boolean(), "yes", '"yes"; true or false'],
  ["a whole number", v.pipe(v.number(), v.integer()), 1.5, "1.5; a whole number"],
  ["a limit", v.pipe(v.number(), v.minValue(0)), -1, "-1; at least 0"],
  [
    "words of its own",
    v.pipe(
      v.string(),
      v.check(() => false, "a duration"),
    ),
    "x",
    '"x"; a duration',
  ],
])("%s is asked for in plain words", (_name, schema, value, words) => {
  const [issue] = v.safeParse(schema, value).issues ?? [];
  expect(issue && `${gotInWords(issue)}; ${wantedInWords(issue)}`).toBe(words);
});
