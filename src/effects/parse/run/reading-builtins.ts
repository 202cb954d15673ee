import { outputOf } from "../../output/output.ts";
import { formatted } from "../../output/printf.ts";
import { has, value } from "../../programs/call.ts";
import { type Options, readOptions } from "../../programs/options.ts";
import { GAP } from "../command.ts";
import type { Shell, Stdin } from "../shell-state.ts";
import { guess, textValue, UNKNOWN, type Value } from "../value.ts";
import { assign, assignList, separators } from "../variables.ts";
import { type Builtin, UNCLEAR, WELL } from "./reader.ts";
import { fromDescriptor } from "./redirect.ts";

const read: Builtin = ({ args }, { shell, stdin: usual }) => {
  const options = readOptions(args, "a= d= i= n= N= p= t= u= e r s", "first");
  const asked = inputAskedFor(options, shell);
  const stdin = asked ?? usual;
  const line = nextLine(stdin, value(options, "d")?.text);
  const ifs = separators(shell);
  const isPlain =
    !has(options, "n", "N") &&
    !(has(options, "u") && asked === undefined) &&
    (has(options, "r") || !line?.includes("\\")) &&
    (ifs?.isSure ?? true);
  const list = value(options, "a")?.text;
  const names = options.operands.map(({ text }) => text);
  if (line === undefined || line.includes(GAP)) {
    for (const name of list === undefined ? (names.length > 0 ? names : ["REPLY"]) : [list])
      assign(shell, name, stdin.listed?.[0] === undefined ? UNKNOWN : guess(stdin.listed[0].text));
    return line === undefined ? { stdout: "", ends: "badly" } : UNCLEAR;
  }
  const pieces = piecesOf(line, ifs?.text ?? " \t\n", list === undefined ? Math.max(names.length, 1) : Infinity);
  const values = pieces.map((text): Value => ({ text, isSure: isPlain }));
  if (list !== undefined)
    assignList(
      shell,
      list,
      values.map((piece) => [undefined, piece]),
    );
  else if (names.length === 0) assign(shell, "REPLY", { text: line, isSure: isPlain });
  for (const [index, name] of names.entries()) assign(shell, name, values[index] ?? textValue(""));
  return WELL;
};

/** `-u 3`: another descriptor than the standard input. */
function inputAskedFor(options: Options, shell: Shell): Stdin | undefined {
  const descriptor = value(options, "u");
  return descriptor && fromDescriptor(shell, Number.parseInt(descriptor.text, 10));
}

/** The next line of the input; nothing at its end. */
function nextLine(stdin: Stdin, delimiter = "\n"): string | undefined {
  const { text, at } = stdin;
  if (stdin.input.from === "nothing" && text === "") return GAP;
  if (at >= text.length) return undefined;
  const end = delimiter === "" ? -1 : text.indexOf(delimiter[0] ?? "\n", at);
  stdin.at = end < 0 ? text.length : end + 1;
  return text.slice(at, end < 0 ? text.length : end);
}

function piecesOf(line: string, ifs: string, most: number): string[] {
  const blanks = ifs.replaceAll(/[^ \t\n]/g, "");
  const found: string[] = [];
  let rest = trimStart(line, blanks);
  while (found.length < most - 1 && rest !== "") {
    const end = [...rest].findIndex((sign) => ifs.includes(sign));
    if (end < 0) break;
    found.push(rest.slice(0, end));
    rest = trimStart(rest.slice(end), blanks);
    if (rest !== "" && ifs.includes(rest[0] ?? "") && !blanks.includes(rest[0] ?? ""))
      rest = trimStart(rest.slice(1), blanks);
  }
  let end = rest.length;
  while (end > 0 && blanks.includes(rest[end - 1] ?? "")) end--;
  found.push(rest.slice(0, end));
  return most === Infinity ? found.filter((piece) => piece !== "") : found;
}

function trimStart(text: string, blanks: string): string {
  let at = 0;
  while (at < text.length && blanks.includes(text[at] ?? "")) at++;
  return text.slice(at);
}

const mapfile: Builtin = ({ args }, { shell, stdin: usual }) => {
  const options = readOptions(args, "d= n= O= s= u= C= c= t", "first");
  const name = options.operands[0]?.text ?? "MAPFILE";
  const asked = inputAskedFor(options, shell);
  const stdin = asked ?? usual;
  const text = stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  if (text.includes(GAP) || has(options, "d", "n", "O", "s") || (has(options, "u") && asked === undefined))
    assign(shell, name, UNKNOWN);
  else {
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    assignList(
      shell,
      name,
      lines.map((line) => [undefined, textValue(has(options, "t") ? line.replace(/\n$/, "") : line)]),
    );
  }
  return WELL;
};

const print: Builtin = ({ name, args }, { shell, stdin }) => {
  const [first, variable, ...rest] = args;
  if (name !== "printf" || first?.text !== "-v" || variable === undefined)
    return outputOf({ name, args, stdin, shell });
  const [, list, index] = /^(\w+)\[(\d+)\]$/.exec(variable.text) ?? [];
  const made = formatted(rest);
  const value = made === undefined ? UNKNOWN : { text: made, isSure: rest.every(({ isKnown }) => isKnown) };
  if (list !== undefined && index !== undefined) assign(shell, list, value, { index });
  else assign(shell, variable.text, value);
  return WELL;
};

/** Builtins that fill variables from the input or from a format. */
export const READING: Readonly<Record<string, Builtin>> = { read, mapfile, readarray: mapfile, printf: print };
