// The words of every problem that Sluice can report, read from the tables in the source: code, fact, next step.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every row of every table of problems, by its code. Parts that depend on the case stand as ‹name›. */
export function problemMessages(folder) {
  const found = new Map();
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const text = readFileSync(join(folder, name), "utf8");
    for (const { index, 1: room } of text.matchAll(/\bproblems\(\s*"(\w+)",\s*\{/g)) {
      const start = text.indexOf("{", index);
      for (const [key, row] of members(text.slice(start + 1, endOf(text, start)))) {
        const [what, fix] = ["what", "fix"].map((part) => wordsOf(sourceOf(row, part)));
        found.set(`${room}/${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, { what, fix });
      }
    }
  }
  return new Map([...found].sort(([one], [other]) => one.localeCompare(other)));
}

/** The members of an object's text: name and source of each. */
function members(text) {
  const rows = [];
  for (let at = 0; at < text.length; ) {
    const name = /\s*(?:\/\*\*.*?\*\/\s*|\/\/[^\n]*\n\s*)*(\w+)\s*(?=:|\()/sy;
    name.lastIndex = at;
    const match = name.exec(text);
    if (match === null) break;
    const end = upToComma(text, name.lastIndex);
    rows.push([match[1], text.slice(name.lastIndex, end)]);
    at = end + 1;
  }
  return rows;
}

/** The source of a property somewhere in a row. */
function sourceOf(row, property) {
  const match = new RegExp(`[{,\\s]${property}:`).exec(row);
  if (match === null) return "";
  const from = match.index + match[0].length;
  return row.slice(from, upToComma(row, from));
}

/** Where the value that begins here ends: at a comma or a closing bracket of its own level. */
function upToComma(text, from) {
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === "," || letter === ")" || letter === "}" || letter === "]") return at;
    if (isOpening(letter)) at = endOf(text, at);
  }
  return text.length;
}

function isOpening(letter) {
  return "([{\"'`".includes(letter);
}

/** The end of what opens here: a bracket, a string or a template. */
function endOf(text, from) {
  const opening = text[from];
  if (opening === '"' || opening === "'" || opening === "`") {
    for (let at = from + 1; at < text.length; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === opening) return at;
      else if (opening === "`" && text.startsWith("${", at)) at = endOf(text, at + 1);
    }
    return text.length;
  }
  for (let at = from + 1; at < text.length; at++) {
    if (")]}".includes(text[at])) return at;
    if (isOpening(text[at])) at = endOf(text, at);
  }
  return text.length;
}

/** The texts in an expression: one, or what it may be. */
function wordsOf(expression) {
  const texts = [];
  for (let at = 0; at < expression.length; at++) {
    if (!"\"'`".includes(expression[at])) continue;
    const end = endOf(expression, at);
    // A text inside a call is a part of a text, or what is compared.
    if (end > at + 1) texts.push(templateWords(expression.slice(at + 1, end)));
    at = end;
  }
  return [...new Set(texts.filter((text) => / /.test(text.trim())))];
}

function templateWords(text) {
  let words = "";
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("${", at)) {
      const end = endOf(text, at + 1);
      words += `‹${nameIn(text.slice(at + 2, end))}›`;
      at = end;
    } else if (text[at] === "\\") words += text[++at] === "n" ? " " : text[at];
    else words += text[at];
  }
  return words;
}

/** What a placeholder is called: the last plain name of its expression. */
function nameIn(expression) {
  const names = expression.match(/[A-Za-z_]\w*/g) ?? [];
  return names.find((name) => !NOISE.has(name)) ?? "…";
}

const NOISE = new Set([
  "given",
  "String",
  "JSON",
  "stringify",
  "formatPlace",
  "plural",
  "visible",
  "didYouMean",
  "list",
]);
