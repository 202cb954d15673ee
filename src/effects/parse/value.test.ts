import { expect, it } from "vitest";
import { shellWord, unquotedWords } from "./value.ts";

const NAMES = [
  "plain/a.b",
  "a b",
  "it's",
  "''",
  'q"uote',
  "do$llar`x`",
  "back\\slash",
  "new\nline",
  "ü 日本",
  "#hash",
  "*?[x]",
];

it.each(NAMES)("a word that is quoted for a shell is read back as it was: %j", (name) => {
  const line = ["/bin/node", name, "run"].map(shellWord).join(" ");
  expect(unquotedWords(line)).toEqual(["/bin/node", name, "run"]);
});

it.each([
  ['exec "$@" /a/b run', ["exec", "$@", "/a/b", "run"]],
  ["a\\ b 'c' d'e f'g", ["a b", "c", "de fg"]],
  ["an 'open quote", ["an", "'open", "quote"]],
  ["", []],
])("words that people write are read as well: %j", (line, words) => {
  expect(unquotedWords(line)).toEqual(words);
});
