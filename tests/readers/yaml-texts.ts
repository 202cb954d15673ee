import { stringify } from "yaml";
import type { Dice } from "./dice.ts";
import { ODD_SCALARS, ORDINARY_SCALARS } from "./odd-scalars.ts";

/** How a text is made: `tidy` quotes what needs quotes, `wild` writes anything anywhere. */
export type Manner = "tidy" | "wild";

/** A file of hooks as somebody might have written it: any indentation, quotes, comments and blank lines. */
export function yamlText(dice: Dice, manner: Manner): string {
  const indent = dice.onceIn(20) ? "  " : "";
  const start = dice.onceIn(3) ? ["# yaml-language-server: $schema=./schema.json", ...gap(dice)] : [];
  const lines = [...start, ...block(file(dice), indent, dice, manner)];
  return lines.join("\n") + (dice.onceIn(8) ? "" : "\n".repeat(1 + dice.below(2)));
}

/** A few lines of pieces that mean something to YAML, put together without any sense. */
export function yamlSoup(dice: Dice): string {
  const line = () => {
    const pieces = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(dice.onceIn(4) ? ODD_SCALARS : PIECES));
    return " ".repeat(dice.below(5)) + pieces.join("");
  };
  return Array.from({ length: 1 + dice.below(5) }, line).join("\n") + dice.pick(["", "\n", "\n", "\n\n", "\n  "]);
}

/** Whole lines, each fine by itself, indented without any sense. */
export function yamlOutline(dice: Dice): string {
  const line = () => " ".repeat(dice.onceIn(6) ? dice.below(6) : 2 * dice.below(3)) + dice.pick(LINES);
  return Array.from({ length: 1 + dice.below(8) }, line).join("\n") + dice.pick(["", "\n", "\n\n"]);
}

/** Lists and objects in brackets on one line, in each other. */
export function yamlBrackets(dice: Dice, manner: Manner): string {
  const start = dice.pick(["a: ", "- ", "- b: ", "a:\n  - ", "a:\n    c: "]);
  return `${start}${inBrackets(dice, manner, 1)}${comment(dice)}${dice.pick(["\n", "", "\nz: 1\n"])}`;
}

function inBrackets(dice: Dice, manner: Manner, depth: number): string {
  const isWild = manner === "wild";
  const value = () => (depth < 4 && dice.onceIn(4) ? inBrackets(dice, manner, depth + 1) : listScalar(dice, manner));
  const pad = dice.pick(["", " ", " ", "  "]);
  const names = ["a", "b", "'c'", '"d"', "e-f", "$g"];
  const odd = ["x y", "1", "null", "a", ""];
  const isList = dice.onceIn(2);
  const parts = Array.from({ length: dice.below(5) }, (_, at) => {
    if (isList) return value();
    const colon = isWild && dice.onceIn(6) ? dice.pick([":", " : ", "", " "]) : dice.pick([": ", ": ", ":  "]);
    return (isWild && dice.onceIn(6) ? dice.pick(odd) : names[at]) + colon + (isWild && dice.onceIn(8) ? "" : value());
  });
  const inside = parts.join(dice.pick([", ", ", ", ",", " , "])) + (isWild && dice.onceIn(10) ? "," : "");
  const close = isWild && dice.onceIn(15) ? dice.pick(["]", "}", ""]) : isList ? "]" : "}";
  return `${isList ? "[" : "{"}${pad}${inside}${pad}${close}`;
}

/** What a file holds, before anybody has chosen how to write it. */
type Part =
  | { readonly kind: "scalar" }
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "list"; readonly items: readonly Part[] }
  | { readonly kind: "map"; readonly members: readonly (readonly [string, Part])[] };

const SCALAR: Part = { kind: "scalar" };

function file(dice: Dice): Part {
  const hooks = some(dice, 1, 3, () => hook(dice));
  if (dice.onceIn(12)) return hooks;
  const list: Part = dice.onceIn(3)
    ? {
        kind: "map",
        members: [
          ["definitions", hooks],
          ["disabled", scalars(dice)],
        ],
      }
    : hooks;
  return members(dice, [["hooks", list]], {
    extends: scalars,
    trace: () => SCALAR,
    guards: () => SCALAR,
    intents: object,
    llm: object,
  });
}

function hook(dice: Dice): Part {
  const first = dice.pick(["name", "event", '"event"', "'name'"]);
  return members(dice, [[first, SCALAR]], {
    command: script,
    timeout: () => SCALAR,
    priority: () => SCALAR,
    enabled: () => SCALAR,
    description: () => SCALAR,
    env: object,
    args: scalars,
    matcher: (d) => members(d, [], { events: scalars, tools: scalars, path_patterns: scalars }),
    inline_rules: (d) => some(d, 1, 2, () => object(d)),
    $extra: () => SCALAR,
    "x-y/z.w": () => SCALAR,
  });
}

function script(dice: Dice): Part {
  if (dice.onceIn(2)) return SCALAR;
  const line = () =>
    dice.pick(["echo a", "  nested: x", "# no comment", "", "- a", "if x; then", "a: |", "exit 1  ", "'\"[{", "✅"]);
  return { kind: "lines", lines: ["set -e", ...Array.from({ length: dice.below(4) }, line)] };
}

function object(dice: Dice): Part {
  return members(dice, [], {
    field: () => SCALAR,
    operator: () => SCALAR,
    value: () => SCALAR,
    NAME: () => SCALAR,
    deep: dice.onceIn(3) ? object : () => SCALAR,
  });
}

function scalars(dice: Dice): Part {
  return some(dice, 0, 3, () => SCALAR);
}

function some(dice: Dice, least: number, most: number, make: () => Part): Part {
  return { kind: "list", items: Array.from({ length: least + dice.below(most - least + 1) }, make) };
}

function members(
  dice: Dice,
  always: readonly (readonly [string, Part])[],
  maybe: Readonly<Record<string, (dice: Dice) => Part>>,
): Part {
  const chosen = Object.entries(maybe).filter(() => dice.onceIn(3));
  return { kind: "map", members: [...always, ...chosen.map(([key, make]) => [key, make(dice)] as const)] };
}

function block(part: Part, indent: string, dice: Dice, manner: Manner): string[] {
  switch (part.kind) {
    case "map":
      return part.members.flatMap(([key, value]) => [
        ...gap(dice),
        ...beside(`${indent}${key}:`, value, indent, dice, manner),
      ]);
    case "list":
      return part.items.flatMap((item) => [...gap(dice), ...entry(item, indent, dice, manner)]);
    case "lines":
    case "scalar":
      return [indent + scalar(dice, manner)];
  }
}

function entry(item: Part, indent: string, dice: Dice, manner: Manner): string[] {
  const isInline = item.kind === "map" && item.members.length > 0 && !dice.onceIn(6);
  if (!isInline) return beside(`${indent}-`, item, indent, dice, manner);
  const dash = `-${" ".repeat(dice.onceIn(4) ? 1 + dice.below(3) : 1)}`;
  const [first = "", ...rest] = block(
    item,
    indent + " ".repeat(dash.length),
    { ...dice, onceIn: (times) => times !== GAP && dice.onceIn(times) },
    manner,
  );
  return [indent + dash + first.trimStart(), ...rest];
}

/** A key or a dash with what belongs to it. */
function beside(start: string, value: Part, indent: string, dice: Dice, manner: Manner): string[] {
  const space = " ".repeat(dice.onceIn(10) ? 1 + dice.below(3) : 1);
  const deeper = indent + " ".repeat(dice.onceIn(4) ? 1 + dice.below(4) : 2);
  if (value.kind === "scalar") return [start + space + scalar(dice, manner) + comment(dice)];
  if (value.kind === "lines") {
    const header = dice.pick(["|", "|", "|", "|-"]);
    return [start + space + header, ...value.lines.map((line) => (line === "" ? "" : deeper + line))];
  }
  const size = value.kind === "list" ? value.items.length : value.members.length;
  if (size === 0)
    return [start + (dice.onceIn(3) ? "" : space + (value.kind === "list" ? "[]" : "{}")) + comment(dice)];
  if (value.kind === "list" && value.items.every(({ kind }) => kind === "scalar") && dice.onceIn(2))
    return [
      `${start}${space}[${value.items.map(() => listScalar(dice, manner)).join(dice.pick([", ", ",", " , "]))}]${comment(dice)}`,
    ];
  const isFlush = value.kind === "list" && !start.endsWith("-") && dice.onceIn(4);
  return [start + comment(dice), ...block(value, isFlush ? indent : deeper, dice, manner)];
}

function scalar(dice: Dice, manner: Manner): string {
  const text = textOf(dice, manner);
  const isBare = manner === "wild" ? !dice.onceIn(4) : NEEDS_NO_QUOTES.has(text);
  return isBare && !dice.onceIn(5) ? text : quoted(text, dice, manner);
}

function listScalar(dice: Dice, manner: Manner): string {
  const text = textOf(dice, manner);
  const isBare = manner === "wild" ? !dice.onceIn(4) : /^[\w@.*][\w@.*:/ -]*\w$/.test(text) && !text.includes(": ");
  return isBare && !dice.onceIn(5) ? text : quoted(text, dice, manner);
}

function textOf(dice: Dice, manner: Manner): string {
  return dice.onceIn(manner === "wild" ? 3 : 150) ? dice.pick(ODD_SCALARS) : dice.pick(ORDINARY_SCALARS);
}

function quoted(text: string, dice: Dice, manner: Manner): string {
  const isPrintable = /^[ -~\u00a1-\uffee]*$/u.test(text);
  if (isPrintable && dice.onceIn(2)) return `'${text.replaceAll("'", "''")}'`;
  return manner === "wild" && dice.onceIn(3) ? `"${text}"` : JSON.stringify(text);
}

function comment(dice: Dice): string {
  return dice.onceIn(12) ? dice.pick(["  ", " # why", " #", "   # a: b", " #- x"]) : "";
}

// biome-ignore format: a table of pieces reads better in rows
const PIECES = [
  "a: ", "b: ", "c:", "'d': ", '"e": ', "a:", "- ", "- ", "-", "-  ", "x", "y z", "1", "'q'", '"w"', "|", "|-", "| ", " ", "  ", "# n", " # n", "#",
  "[", "]", ", ", "[a, b]", "{}", "[]", "null", "true", "~", ":", ": ", "- a: ", "- a: 1", "a: 1", "b: 2", "- |", "a: |", "$k: ", "a/b.c-d: ", "",
] as const;
// biome-ignore format: a table of lines reads better in rows
const LINES = [
  "a:", "b:", "c: 1", "d: x # n", "- x", "-", "- e: 1", "- f:", "-  g:", "# n", "#", "", "", "'h': [a, b]", "i: {}", "- []", "a: |", "k: |-", "- |",
  "- m: |", "l: ''", "x", "...", "---", "n: # n",
] as const;
const GAP = 7;

function gap(dice: Dice): string[] {
  return dice.onceIn(GAP) ? [dice.pick(["", "", "   ", "# note", "    # deep: note", "  # - x"])] : [];
}

/** What means the same with and without quotes, and the words and numbers that are meant as such. */
const NEEDS_NO_QUOTES = new Set<string>(
  [...ORDINARY_SCALARS, ...ODD_SCALARS].filter(
    (text) =>
      /^(?:true|false|null|-?\d{1,5}(?:\.\d)?)$/.test(text) || stringify(text, { lineWidth: 0 }) === `${text}\n`,
  ),
);
