import { LIMITS } from "../limits.ts";
import { patternTest } from "./pattern.ts";

/** `${x#pattern}` and its kin: the text without a beginning or an end that fits; nothing when that is not known. */
export function removed(text: string, operator: "#" | "##" | "%" | "%%", pattern: string): string | undefined {
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

/** `${x/pattern/text}`: the longest match counts; nothing when that is not known. */
export function replaced(
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

/** `${x^^}` and its kin; nothing when that is not known. */
export function recased(
  text: string,
  operator: "^" | "^^" | "," | ",,",
  pattern: string | undefined,
): string | undefined {
  const test = pattern === undefined || pattern === "" ? () => true : patternTest(pattern);
  if (test === undefined || !/^[\t\n -~]*$/.test(text)) return undefined;
  const change = (sign: string) => (!test(sign) ? sign : operator[0] === "^" ? sign.toUpperCase() : sign.toLowerCase());
  return operator.length === 2 ? Array.from(text, change).join("") : change(text[0] ?? "") + text.slice(1);
}

/** Patterns are tried at every place, which is only quick for texts like these. */
const SHORT = 256;
