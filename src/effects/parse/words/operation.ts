import type { ParameterExpansionPart, Word } from "unbash";
import { GAP } from "../command.ts";
import { UNKNOWN, type Value } from "../value.ts";
import { recased, removed, replaced } from "./transform.ts";

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
      // An unquoted & stands for the match in newer shells only.
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
