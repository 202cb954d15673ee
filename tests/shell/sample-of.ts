import type { Dice } from "../readers/dice.ts";

/** A text that a regular expression is likely to fit, for expressions of choices, classes and repetitions; what it forbids is not heeded. */
export function sampleOf(source: string, dice: Dice): string {
  let at = 0;
  return choice();

  function choice(): string {
    const branches = [sequence()];
    while (source[at] === "|") {
      at++;
      branches.push(sequence());
    }
    return dice.pick(branches);
  }

  function sequence(): string {
    let text = "";
    while (at < source.length && source[at] !== "|" && source[at] !== ")") text += repeated();
    return text;
  }

  function repeated(): string {
    const start = at;
    const first = atom();
    const sign = source[at] ?? "";
    if (!"?*+".includes(sign) || sign === "") return first;
    const end = at + 1;
    const times = sign === "?" ? dice.below(2) : dice.below(3) + (sign === "+" ? 1 : 0);
    let text = "";
    for (let time = 0; time < times; time++) {
      at = start;
      text += atom();
    }
    at = end;
    return text;
  }

  function atom(): string {
    const char = source[at++] ?? "";
    if (char === "(") return group();
    if (char === "[") return oneOfClass();
    if (char === "^" || char === "$") return "";
    if (char === ".") return "x";
    return char === "\\" ? escaped() : char;
  }

  function group(): string {
    const isForbidden = source.startsWith("?!", at);
    at += 2;
    const text = choice();
    at++;
    return isForbidden ? "" : text;
  }

  function oneOfClass(): string {
    const isNegated = source[at] === "^";
    const signs: string[] = [];
    while (source[at] !== "]") {
      const sign = source[at++] ?? "";
      signs.push(sign === "\\" ? escaped() : sign);
    }
    at++;
    return isNegated ? "x" : dice.pick(signs);
  }

  function escaped(): string {
    const char = source[at++] ?? "";
    return char === "w" ? dice.pick(["a", "z", "0", "_"]) : char;
  }
}
