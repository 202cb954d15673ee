import { outputOf } from "../../output/output.ts";
import { formatted } from "../../output/printf.ts";
import { has, value } from "../../programs/call.ts";
import { type Options, readOptions } from "../../programs/options.ts";
import { GAP } from "../command.ts";
import { LIMITS } from "../limits.ts";
import type { Shell, Stdin } from "../shell-state.ts";
import { type Field, fieldOf, MANY, namesOver, textValue, UNKNOWN, type Value, valueFrom } from "../value.ts";
import { assign, assignList, separators } from "../variables.ts";
import { type Builtin, type Frame, type Reader, UNCLEAR, WELL } from "./reader.ts";
import { fromDescriptor } from "./redirect.ts";

const READ_OPTIONS = "a= d= i= n= N= p= t= u= e r s";
const MAPFILE_OPTIONS = "d= n= O= s= u= C= c= t";

const read: Builtin = ({ args }, { shell, stdin }) => {
  const options = readOptions(args, READ_OPTIONS, "first");
  const line = nextLine(stdin, value(options, "d")?.text);
  const ifs = separators(shell);
  const isPlain =
    !has(options, "n", "N") &&
    !(has(options, "u") && inputAskedFor(options, shell) !== stdin) &&
    (has(options, "r") || !line?.includes("\\")) &&
    (ifs?.isSure ?? true);
  const list = value(options, "a")?.text;
  const names = options.operands.map(({ text }) => text);
  if (line === undefined || line.includes(GAP) || stdin.listed !== undefined) {
    const { listed } = stdin;
    const [only, ...others] = listed === undefined ? [] : namesOver(fieldOf(line ?? GAP), listed);
    for (const name of list === undefined ? (names.length > 0 ? names : ["REPLY"]) : [list])
      assign(shell, name, only === undefined || others.length > 0 ? UNKNOWN : valueFrom(only));
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

/** One turn of a loop for each of the files whose names are its input; one if it is not known what comes in. */
export function turnsOverListed(frame: Frame, reader: Reader): readonly Frame[] {
  const { stdin } = frame;
  const { listed = [] } = stdin;
  if (listed.length < 2) return [frame];
  if (listed.length > LIMITS.turns) reader.doubt("unknown code", `more than ${LIMITS.turns} turns of while`);
  return listed.slice(0, LIMITS.turns).map((one) => ({ ...frame, stdin: { ...stdin, listed: [one] } }));
}

/** The frame of a builtin that reads another descriptor than the standard input: `read -u 3`. */
export function withInputAskedFor([first, ...args]: readonly Field[], frame: Frame): Frame {
  const row = first && OPTIONS_OF[first.text];
  if (row === undefined) return frame;
  const stdin = inputAskedFor(readOptions(args, row, "first"), frame.shell);
  return stdin === undefined ? frame : { ...frame, stdin };
}

const OPTIONS_OF: Readonly<Record<string, string>> = {
  __proto__: null as never,
  read: READ_OPTIONS,
  mapfile: MAPFILE_OPTIONS,
  readarray: MAPFILE_OPTIONS,
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

const mapfile: Builtin = ({ args }, frame, reader) => {
  const { shell, stdin } = frame;
  const options = readOptions(args, MAPFILE_OPTIONS, "first");
  const name = options.operands[0]?.text ?? "MAPFILE";
  const text = stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  const isOther = has(options, "u") && inputAskedFor(options, shell) !== stdin;
  const isUnknown = text.includes(GAP) || has(options, "d", "n", "O", "s") || isOther;
  const lines = (isUnknown ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])).map((line) =>
    textValue(has(options, "t") ? line.replace(/\n$/, "") : line),
  );
  const callback = value(options, "C")?.text;
  if (callback !== undefined) callForLines(callback, name, isUnknown ? [UNKNOWN] : lines, frame, reader);
  if (stdin.listed !== undefined)
    assignList(
      shell,
      name,
      namesIn(text, stdin.listed).map((field) => [undefined, valueFrom(field)]),
    );
  else if (isUnknown) assign(shell, name, MANY);
  else
    assignList(
      shell,
      name,
      lines.map((line) => [undefined, line]),
    );
  return WELL;
};

/** The files whose names are the lines of a text. */
function namesIn(text: string, listed: readonly Field[]): readonly Field[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.length === 0 ? listed : lines.flatMap((line) => namesOver(fieldOf(line), listed));
}

/** `-C text`: the text runs with the number of a line and the line as arguments. */
function callForLines(callback: string, name: string, lines: readonly Value[], frame: Frame, reader: Reader): void {
  const below = { ...frame, depth: frame.depth + 1 };
  if (lines.length > LIMITS.turns) reader.doubt("unknown code", `more than ${LIMITS.turns} lines of mapfile`);
  if (frame.depth >= LIMITS.depth) reader.doubt("too deep", callback);
  for (const [at, line] of lines.slice(0, LIMITS.turns).entries()) {
    assign(frame.shell, name, line);
    if (frame.depth < LIMITS.depth) reader.runText(`${callback} ${at} "\${${name}}"`, below);
  }
}

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
