import type { Dice } from "./dice.ts";
import { ODD_SCALARS, ORDINARY_SCALARS } from "./odd-scalars.ts";

/** A file of hooks in JSON as somebody might have written it: any blanks, comments, trailing commas and escapes. */
export function jsonText(dice: Dice): string {
  return blank(dice) + object(dice, 0) + blank(dice);
}

/** Pieces that mean something to JSON, put together without any sense. */
export function jsonSoup(dice: Dice): string {
  const piece = () => dice.pick(dice.onceIn(8) ? ODD_SCALARS : PIECES) + dice.pick(BLANKS);
  const inside = Array.from({ length: 1 + dice.below(6) }, piece).join("");
  return dice.pick([inside, `[${inside}]`, `{"k":${inside}}`, `{${inside}}`]);
}

function object(dice: Dice, depth: number): string {
  const keys = KEYS.filter(() => dice.onceIn(depth === 0 ? 2 : 4));
  return group(
    "{",
    keys.map((key) => `${JSON.stringify(key)}${blank(dice)}:${blank(dice)}${value(dice, depth + 1)}`),
    "}",
    dice,
  );
}

function list(dice: Dice, depth: number): string {
  return group(
    "[",
    Array.from({ length: dice.below(4) }, () => value(dice, depth + 1)),
    "]",
    dice,
  );
}

function value(dice: Dice, depth: number): string {
  const kind = dice.below(depth > 4 ? 6 : 10);
  if (kind < 4) return text(dice);
  if (kind < 6) return dice.pick(WORDS);
  return kind < 8 ? object(dice, depth) : list(dice, depth);
}

function text(dice: Dice): string {
  const escaped = JSON.stringify(dice.onceIn(60) ? dice.pick(ODD_SCALARS) : dice.pick(ORDINARY_SCALARS));
  if (!dice.onceIn(20)) return escaped;
  return `"${dice.pick(["\\/", "\\u0041", "\\ud83d\\ude80", "\\b\\f", '\\\\\\"', "\\u00E9"])}"`;
}

function group(open: string, parts: readonly string[], close: string, dice: Dice): string {
  const inside = parts.map((part) => blank(dice) + part + blank(dice)).join(",");
  const trailing = parts.length > 0 && dice.onceIn(6) ? `,${blank(dice)}` : "";
  return open + (inside === "" ? blank(dice) : inside) + trailing + close;
}

function blank(dice: Dice): string {
  return dice.pick(BLANKS);
}

const KEYS = [
  "hooks",
  "name",
  "event",
  "command",
  "matcher",
  "timeout",
  "enabled",
  "a b",
  "",
  "__proto__",
  "é",
  'q"',
] as const;
// biome-ignore format: a table of words reads better in rows
const WORDS = [
  "true", "false", "null", "0", "1", "-1", "10", "0.5", "-12.25", "100", "30",
  "1", "2", "3", "4", "5", "6", "7", "8", "9", "11", "12", "13", "14", "15",
];
// biome-ignore format: a table of pieces reads better in rows
const PIECES = [
  '{', '}', '[', ']', ',', ',', ':', '"a"', '"b":', '"a": 1', '1', '-1', '01', '1.5', '1e3', '-', '.5', '1.', '-0', 'true', 'false', 'null', 'nul', '"', '"\\n"', '"\\u00e9"',
  '"\\ud83d"', '"\\x"', '"\t"', '"\n"', '/', '//', '/*', '*/', '/*/', '[]', '{}', '[1,]', '{"c":2,}', '[,]', "'a'", '"a":', '\u00a0', '9007199254740993', '0.1234567890123456789',
] as const;
const BLANKS = [
  "",
  "",
  "",
  " ",
  " ",
  "\n",
  "\n  ",
  "\t",
  "\r\n",
  " // note\n",
  "/* note */",
  " /* a\n * b */ ",
  "//\r\n",
] as const;
