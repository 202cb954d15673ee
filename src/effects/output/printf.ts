import { GAP } from "../parse/command.ts";
import type { Field } from "../parse/value.ts";

/** What `printf` makes of a format and its arguments; undefined if that is not known. */
export function formatted(args: readonly Field[]): string | undefined {
  const [format, ...values] = args[0]?.text === "--" ? args.slice(1) : args;
  if (format === undefined || format.text.includes(GAP)) return undefined;
  const pieces =
    format.text.match(
      /%%|%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]|%|\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[0-7]{1,3}|[\s\S])|[^%\\]+|\\$/g,
    ) ?? [];
  let result = "";
  let at = 0;
  do {
    const from = at;
    for (const piece of pieces) {
      if (piece === "%%") result += "%";
      else if (piece[0] === "\\") {
        if (piece === "\\c") return result;
        result += unescaped(piece);
      } else if (piece[0] === "%") {
        const made = directive(piece, values[at++]?.text ?? "");
        if (made === undefined) return undefined;
        result += made;
      } else result += piece;
    }
    if (at === from || result.length > MAX_OUTPUT) break;
  } while (at < values.length);
  return result.length > MAX_OUTPUT ? undefined : result;
}

const MAX_OUTPUT = 65_536;

function directive(piece: string, value: string): string | undefined {
  const [, flags = "", width = "", precision, letter] = /^%([-+ #0]*)(\d*)(?:\.(\d+))?([a-zA-Z])$/.exec(piece) ?? [];
  if (Number(width) > 4096) return undefined;
  const pad = (text: string) =>
    flags.includes("-")
      ? text.padEnd(Number(width))
      : text.padStart(Number(width), flags.includes("0") && letter !== "s" ? "0" : " ");
  if (letter === "s") return pad(precision === undefined ? value : value.slice(0, Number(precision)));
  if (letter === "b") return pad(escapes(value));
  if (letter === "c") return pad(value.slice(0, 1));
  if (letter === "q") return /^[\w./:=@%+-]+$/.test(value) ? pad(value) : undefined;
  if (value.includes(GAP) || precision !== undefined || /[+ #]/.test(flags)) return undefined;
  const number = /^-?(?:0|[1-9]\d{0,14})$/.test(value)
    ? Number(value)
    : value === ""
      ? 0
      : /^0x[\da-f]{1,12}$/i.test(value)
        ? Number(value)
        : undefined;
  if (number === undefined) return undefined;
  if (letter === "d" || letter === "i") return pad(String(number));
  if (number < 0) return undefined;
  if (letter === "x") return pad(number.toString(16));
  if (letter === "X") return pad(number.toString(16).toUpperCase());
  if (letter === "o") return pad(number.toString(8));
  return letter === "u" ? pad(String(number)) : undefined;
}

/** A text with its escapes as `echo -e`, `printf %b` and `$'…'` read them. */
export function escapes(text: string): string {
  return text.replaceAll(
    /\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|0[0-7]{0,3}|[1-7][0-7]{0,2}|[\s\S])/g,
    (piece) => unescaped(/^\\0[0-7]/.test(piece) ? `\\${piece.slice(2)}` : piece),
  );
}

function unescaped(piece: string): string {
  const [, octal] = /^\\([0-7]{1,3})$/.exec(piece) ?? [];
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
  const [, hex] = /^\\[xuU]([\da-fA-F]+)$/.exec(piece) ?? [];
  if (hex !== undefined) {
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : GAP;
  }
  return SIGNS[piece[1] ?? ""] ?? piece;
}

const SIGNS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};
