import { expect, it } from "vitest";
import { needList, needObject, needString, needText } from "./payload.ts";

it.each([
  [needText, {}, "`key` has to be a string, and is missing"],
  [needText, { key: null }, "`key` has to be a string, and is null"],
  [needText, { key: "" }, "`key` has to be a string, and is empty"],
  [needText, { key: ["Bash"] }, "`key` has to be a string, and is a list"],
  [needString, { key: 5 }, "`key` has to be a string, and is a number"],
  [needString, { key: {} }, "`key` has to be a string, and is an object"],
  [needObject, { key: [] }, "`key` has to be an object, and is a list"],
  [needObject, { key: "{" }, "`key` has to be an object, and is a string"],
  [needList, { key: true }, "`key` has to be a list, and is true or false"],
])("what a payload lacks is outcome by its kind: %o of %j", (need, holder, words) => {
  expect(() => need(holder, "key")).toThrow(words);
});
