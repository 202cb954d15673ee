import type { Dice } from "./dice.ts";

/** The text after a slip or two of the hand: characters and lines lost, doubled, moved or put in. */
export function mutated(text: string, dice: Dice): string {
  let slipped = text;
  for (let slips = 1 + dice.below(3); slips > 0; slips--) slipped = dice.pick(SLIPS)(slipped, dice);
  return slipped;
}

const SLIPS: readonly ((text: string, dice: Dice) => string)[] = [
  (text, dice) => at(text, dice, (start, end) => start + end.slice(1)),
  (text, dice) => at(text, dice, (start, end) => start + dice.pick(SNIPPETS) + end),
  (text, dice) => at(text, dice, (start, end) => start + dice.pick(SNIPPETS) + end),
  (text, dice) => at(text, dice, (start, end) => start + end.slice(0, 1) + end),
  (text, dice) => at(text, dice, (start) => start),
  (text, dice) => lines(text, dice, (line) => [line, line]),
  (text, dice) => lines(text, dice, () => []),
  (text, dice) => lines(text, dice, (line) => [` ${line}`]),
  (text, dice) => lines(text, dice, (line) => [line.replace(/^ /, "")]),
  (text, dice) => lines(text, dice, (line) => ["  ".repeat(dice.below(4)) + line.trimStart()]),
  (text, dice) => lines(text, dice, (line) => [line + dice.pick(SNIPPETS)]),
  (text, dice) => lines(text, dice, (line) => [" ".repeat(dice.below(7)) + dice.pick(SNIPPETS), line]),
];

function at(text: string, dice: Dice, change: (start: string, end: string) => string): string {
  const place = dice.below(text.length + 1);
  return change(text.slice(0, place), text.slice(place));
}

function lines(text: string, dice: Dice, change: (line: string) => readonly string[]): string {
  const all = text.split("\n");
  const place = dice.below(all.length);
  return all.flatMap((line, index) => (index === place ? change(line) : [line])).join("\n");
}

// biome-ignore format: a table of pieces reads better in rows
const SNIPPETS = [
  " ", "  ", "\n", "\n\n", "\n  ", "-", "- ", "- - ", ":", ": ", "#", " #", " # ", "'", '"', "''", '""', "[", "]", "{", "}", "[]", "{}", ",",
  ", ", "|", "|-", "|+", ">", "&a ", "*a", "!x ", "? ", "%", "@", "`", "\\", "\\n", "\\u00e9", "\\ud83d", "/", "//", "/*", "*/", "// x\n",
  "/* x */", "---", "\n---\n", "\n...\n", "0", "1", "-1", ".", "e", "x", "null", "true", "~", "a: b", "a:", "\t", "\r", "\r\n", "\0",
  "\u00a0", "\u2028", "\ufeff", "é", "🚀", "\ud83d", "__proto__: 1", '"a": 1', '"a": 1,',
];
