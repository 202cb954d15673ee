import { LIMITS } from "../limits.ts";

/** The texts that brace expansion makes of a word's source; undefined if there is none to expand, "many" where no real line would. */
export function expandBraces(text: string): string[] | undefined | "many" {
  if (!text.includes("{")) return undefined;
  if (text.split("{", MAX_BRACES + 1).length > MAX_BRACES) return "many";
  const all = expand(text, 0);
  return all.length === 1 && all[0] === text ? undefined : all;
}

const MAX_BRACES = 100;

function expand(text: string, depth: number): string[] {
  if (depth > LIMITS.depth) return [text];
  for (let at = 0; at < text.length; at = next(text, at)) {
    // In front of everything, `{}` represents itself.
    if (text[at] !== "{" || (at === 0 && text[1] === "}")) continue;
    const group = groupAt(text, at);
    if (group === undefined) continue;
    const middle = group.items ?? sequence(text.slice(at + 1, group.end));
    if (middle === undefined) continue;
    const before = text.slice(0, at);
    const after = expand(text.slice(group.end + 1), depth + 1);
    const found: string[] = [];
    for (const item of middle)
      for (const inner of group.items === undefined ? [item] : expand(item, depth + 1))
        for (const rest of after) if (found.push(before + inner + rest) >= LIMITS.fields) return found;
    return found;
  }
  return [text];
}

/** Where the braces end, and the pieces between the commas; undefined if they never end. */
function groupAt(text: string, open: number): { end: number; items: string[] | undefined } | undefined {
  const items: string[] = [];
  let depth = 0;
  let from = open + 1;
  let isRange = false;
  for (let at = open + 1; at < text.length; at = next(text, at)) {
    const sign = text[at];
    if (sign === "{") depth++;
    else if (sign === "}" && depth > 0) depth--;
    else if (sign === "," && depth === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
    } else if (sign === "." && text[at + 1] === "." && text[at + 2] !== "}" && depth === 0) isRange = true;
    // Before a comma or a range, a brace closes nothing: `{a}b,c}` is `a}b c`.
    else if (sign === "}" && (items.length > 0 || isRange)) {
      if (items.length > 0) items.push(text.slice(from, at));
      return { end: at, items: items.length > 0 ? items : undefined };
    }
  }
  return undefined;
}

/** The next place that could be a brace: quotes, escapes and expansions are jumped over. */
function next(text: string, at: number): number {
  const sign = text[at];
  if (sign === "\\") return at + 2;
  if (sign === "'") return after(text, text.indexOf("'", at + 1));
  if (sign === '"') return afterQuote(text, at + 1);
  if (sign === "`") return after(text, text.indexOf("`", at + 1));
  if (sign === "$" && text[at + 1] === "'") return afterAnsi(text, at + 2);
  if (sign === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) return afterExpansion(text, at + 1);
  if ((sign === "<" || sign === ">") && text[at + 1] === "(") return afterExpansion(text, at + 1);
  return at + 1;
}

function after(text: string, end: number): number {
  return end < 0 ? text.length : end + 1;
}

function afterQuote(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) at = afterExpansion(text, at + 1);
    else at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

function afterAnsi(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "'") at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function afterExpansion(text: string, open: number): number {
  const close = text[open] === "{" ? "}" : ")";
  let depth = 0;
  let at = open;
  while (at < text.length) {
    if (text[at] === text[open]) depth++;
    else if (text[at] === close && --depth === 0) return at + 1;
    if (text[at] === "'" || text[at] === '"' || text[at] === "\\" || text[at] === "`") at = next(text, at);
    else at++;
  }
  return text.length;
}

/** `{1..5}`, `{a..e..2}`, `{01..10}`. */
function sequence(inner: string): string[] | undefined {
  const numbers = /^(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  if (numbers) {
    const [, from = "", to = "", step] = numbers;
    const isPadded = [from, to].some((number) => /^-?0\d/.test(number));
    const width = isPadded ? Math.max(from.length, to.length) : 0;
    return steps(Number(from), Number(to), Number(step ?? 1)).map((number) => padded(number, width));
  }
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  if (!letters) return undefined;
  const [, from = "", to = "", step] = letters;
  if (from < "a" !== to < "a") return undefined;
  return steps(from.charCodeAt(0), to.charCodeAt(0), Number(step ?? 1)).map((code) => String.fromCharCode(code));
}

function steps(from: number, to: number, by: number): number[] {
  const step = (Math.abs(by) || 1) * (from <= to ? 1 : -1);
  const found: number[] = [];
  for (let at = from; (step > 0 ? at <= to : at >= to) && found.length < LIMITS.fields; at += step) found.push(at);
  return found;
}

function padded(number: number, width: number): string {
  const digits = String(Math.abs(number)).padStart(number < 0 ? width - 1 : width, "0");
  return number < 0 ? `-${digits}` : digits;
}
