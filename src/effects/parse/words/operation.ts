import type { ParameterExpansionPart, Word } from "unbash";
import { GAP } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { UNKNOWN, type Value } from "../value.ts";
import { patternTest } from "./pattern.ts";

type Operation = Exclude<NonNullable<ParameterExpansionPart["operation"]>, { type: "Default" | "Names" }>;

interface Operands {
  readonly value: (word: Word) => Value;
  readonly pattern: (word: Word) => Value;
  readonly number: (word: Word) => number | undefined;
  readonly quoted: (text: string) => Value;
}

/** `${x#…}`, `${x/…}`, `${x:…}`, `${x^^}`, `${x@…}` of one value. */
export function operate(operation: Operation, value: Value, tools: Operands): Value {
  const { text, isSure } = value;
  const made = (result: string | undefined, ...others: readonly Value[]): Value =>
    result === undefined || text.includes(GAP)
      ? UNKNOWN
      : { text: result, isSure: isSure && others.every((other) => other.isSure) };
  switch (operation.type) {
    case "Remove": {
      const pattern = tools.pattern(operation.operand);
      return made(removed(text, operation.operator, pattern.text), pattern);
    }
    case "Replace": {
      const pattern = tools.pattern(operation.pattern);
      const replacement = tools.value(operation.replacement);
      // An unquoted & represents the match in newer shells only.
      const isOdd = operation.replacement.text.includes("&") || /\\/.test(operation.replacement.text);
      const result = replaced(text, operation.operator, pattern.text, replacement.text);
      return made(result, pattern, { ...replacement, isSure: replacement.isSure && !isOdd });
    }
    case "CaseModification": {
      const pattern = operation.operand && tools.pattern(operation.operand);
      return made(recased(text, operation.operator, pattern?.text), ...(pattern ? [pattern] : []));
    }
    case "Slice": {
      const from = tools.number(operation.offset);
      const length = operation.length && tools.number(operation.length);
      if (from === undefined || (operation.length !== undefined && length === undefined)) return UNKNOWN;
      return made(slice(text, from, length));
    }
    case "Transform":
      return transformed(operation.operand.text, value, tools);
    case "Unknown":
      return UNKNOWN;
  }
}

function slice(text: string, from: number, length: number | undefined): string | undefined {
  const signs = Array.from(text);
  const start = from < 0 ? signs.length + from : from;
  if (start < 0 || start > signs.length) return "";
  const end = length === undefined ? signs.length : length < 0 ? signs.length + length : start + length;
  return end < start ? undefined : signs.slice(start, end).join("");
}

function transformed(letter: string, value: Value, tools: Operands): Value {
  if (letter === "P") {
    const { text } = tools.quoted(value.text);
    return { text, isSure: false };
  }
  if (letter === "U") return { text: value.text.toUpperCase(), isSure: false };
  if (letter === "L") return { text: value.text.toLowerCase(), isSure: false };
  if (letter === "E") return { text: value.text, isSure: false };
  return UNKNOWN;
}

/** `${x#pattern}` and similar expansions: the text without a matching beginning or end; undefined if that is not known. */
function removed(text: string, operator: "#" | "##" | "%" | "%%", pattern: string): string | undefined {
  const test = patternTest(pattern);
  if (test === undefined || text.length > SHORT) return undefined;
  const signs = Array.from(text);
  const isLongest = operator.length === 2;
  const isStart = operator[0] === "#";
  for (let turn = 0; turn <= signs.length; turn++) {
    const length = isLongest ? signs.length - turn : turn;
    const piece = isStart ? signs.slice(0, length) : signs.slice(signs.length - length);
    if (test(piece.join(""))) return (isStart ? signs.slice(length) : signs.slice(0, signs.length - length)).join("");
  }
  return text;
}

/** `${x/pattern/text}`: the longest match is replaced; undefined if that is not known. */
function replaced(
  text: string,
  operator: "/" | "//" | "/#" | "/%",
  pattern: string,
  replacement: string,
): string | undefined {
  const test = patternTest(pattern);
  if (test === undefined || text.length > SHORT) return undefined;
  if (pattern === "") return text;
  const signs = Array.from(text);
  let result = "";
  let at = 0;
  while (at <= signs.length) {
    const mayStart = operator !== "/#" || at === 0;
    const end = mayStart ? longest(signs, at, test, operator === "/%") : undefined;
    if (end === undefined) result += signs[at++] ?? "";
    else {
      result += replacement;
      if (end === at) result += signs[at++] ?? "";
      else at = end;
      if (operator !== "//") return result + signs.slice(at).join("");
      if (at >= signs.length) return result;
    }
    if (result.length > LIMITS.value) return undefined;
  }
  return result;
}

function longest(
  signs: readonly string[],
  from: number,
  test: (text: string) => boolean,
  isToEnd: boolean,
): number | undefined {
  for (let end = signs.length; end > from; end--) {
    if (test(signs.slice(from, end).join(""))) return end;
    if (isToEnd) return undefined;
  }
  return undefined;
}

/** `${x^^}` and similar expansions; undefined if that is not known. */
function recased(text: string, operator: "^" | "^^" | "," | ",,", pattern: string | undefined): string | undefined {
  const test = pattern === undefined || pattern === "" ? () => true : patternTest(pattern);
  if (test === undefined || !/^[\t\n -~]*$/.test(text)) return undefined;
  const change = (sign: string) => (!test(sign) ? sign : operator[0] === "^" ? sign.toUpperCase() : sign.toLowerCase());
  return operator.length === 2 ? Array.from(text, change).join("") : change(text[0] ?? "") + text.slice(1);
}

/** Patterns are tried at every place, which is only quick for texts like these. */
const SHORT = 256;
