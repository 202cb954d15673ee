import { GAP, type SimpleCommand } from "../parse/command.ts";
import { LIMITS } from "../parse/limits.ts";
import { isProgram } from "../programs/program-name.ts";

/** What `tr` makes of a text; undefined for what is not read here. */
export function translate(text: string, args: readonly string[]): string | undefined {
  const isDeleting = args[0] === "-d";
  const isPlain = args.every((arg, index) => (index === 0 && isDeleting) || !/^-./.test(arg));
  const [from, to] = isDeleting ? [args[1], ""] : args;
  if (!isPlain || from === undefined || to === undefined) return undefined;
  const [ones, others] = [signsOf(from), signsOf(to)];
  if (ones === undefined || others === undefined) return undefined;
  const table = new Map<string, string>();
  for (const [index, sign] of ones.entries())
    table.set(sign, isDeleting ? "" : (others[index] ?? others.at(-1) ?? sign));
  return Array.from(text, (sign) => table.get(sign) ?? sign).join("");
}

function signsOf(set: string): string[] | undefined {
  if (set === "[:upper:]") return signsOf("A-Z");
  if (set === "[:lower:]") return signsOf("a-z");
  if (/\[[:=.]|\[.\*/.test(set)) return undefined;
  const plain = set.replaceAll(/\\(n|t|\\|[0-7]{3})/g, (_, sign: string) =>
    sign === "n" ? "\n" : sign === "t" ? "\t" : sign === "\\" ? "\\" : String.fromCharCode(Number.parseInt(sign, 8)),
  );
  const signs: string[] = [];
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at] ?? "";
    const end = plain[at + 2];
    if (plain[at + 1] === "-" && end !== undefined && end >= sign) {
      for (let code = sign.charCodeAt(0); code <= end.charCodeAt(0) && signs.length < 1024; code++)
        signs.push(String.fromCharCode(code));
      at += 2;
    } else signs.push(sign);
  }
  return signs;
}

/** What a simple `sed s/…/…/` makes of a text: plain signs and dots only, so that it is quick on any text. */
export function substitute(text: string, args: readonly string[]): string | undefined {
  const script = args.length === 1 ? args[0] : args.length === 2 && args[0] === "-e" ? args[1] : undefined;
  const [, , from, to, flags] =
    /^s([/|#,:!])((?:\\.|(?!\1)[^\\])+)\1((?:\\.|(?!\1)[^\\])*)\1(g?)$/s.exec(script ?? "") ?? [];
  if (from === undefined || to === undefined || !/^(?:[\w ./:,@%+=-]|\\[./])+$/.test(from) || /\\[0-9]/.test(to))
    return undefined;
  const pattern = from.includes("\\") ? from : from.replaceAll(/[+]/g, "\\+");
  const replace = (match: string) =>
    to.replaceAll(/\\(.)|&/g, (piece, sign: string | undefined) => (piece === "&" ? match : (sign ?? "")));
  const expression = new RegExp(pattern, flags === "g" ? "g" : "");
  const made = text
    .split("\n")
    .map((line) => line.replace(expression, replace))
    .join("\n");
  return made.length > LIMITS.value ? undefined : made;
}

/** What `sed s/^/…/` and its like put around every line; undefined for another script. */
export function wrappedLines(args: readonly string[]): ((text: string) => string) | undefined {
  const script = args.find((arg) => !arg.startsWith("-"));
  const [, , from, to] =
    /^s([/|#,:!])(\^|\$|\^?\.\*\$?|\\?\(\.\*\\?\))\1((?:\\.|(?!\1)[^\\])*)\1g?$/s.exec(script ?? "") ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isWhole = from.includes("*");
  const around = (line: string) => {
    const made = to.replaceAll(/\\1|\\(.)|&/g, (piece, sign: string | undefined) =>
      piece === "&" || piece === "\\1" ? (isWhole ? line : "") : (sign ?? ""),
    );
    return isWhole ? made : from === "^" ? made + line : line + made;
  };
  return (text) => {
    const made = text.replace(/\n$/, "").split("\n").map(around).join("\n");
    return made.length > LIMITS.value ? GAP : `${made}\n`;
  };
}

/** What one `print` of an awk program prints, with gaps for what comes from its input; undefined if it prints no literal text. */
export function printedByAwk(args: readonly string[]): string | undefined {
  const code = args.find((arg) => arg.includes("print"));
  const [, , format] = /\bprintf\s*(\(?)\s*"((?:[^"\\]|\\.)*)"/.exec(code ?? "") ?? [];
  if (format !== undefined)
    return format
      .replaceAll(/%[-\d.]*[sdi]/g, GAP)
      .replaceAll("\\n", "\n")
      .replaceAll(/\\(.)/g, "$1");
  const [, what = ""] = /\bprint\s*\(?\s*((?:"(?:[^"\\]|\\.)*"|[$\w\s,()])+)/.exec(code ?? "") ?? [];
  if (!/"[^"]*[a-z]/.test(what)) return undefined;
  const pieces = what.match(/"(?:[^"\\]|\\.)*"|,|[$\w()]+/g) ?? [];
  const texts = pieces.map((piece) =>
    piece === "," ? " " : piece.startsWith('"') ? piece.slice(1, -1).replaceAll(/\\(.)/g, "$1") : GAP,
  );
  return `${texts.join("").replaceAll(/\uFFFC{2,}/g, GAP)}\n`;
}

/** What programs that edit files in place put there for something else: `b` of `s/a/b/`. */
export function replacedTexts(commands: readonly SimpleCommand[]): readonly string[] {
  return commands.flatMap(({ program, args }) =>
    isProgram("edits-in-place", program?.text ?? "")
      ? args.flatMap(({ text }) => [...text.matchAll(REPLACED)].map(([, , by = ""]) => by.replaceAll(/\\(.)/g, "$1")))
      : [],
  );
}

/** What code prints for each line of its input, with gaps for what comes from there; undefined if it prints no literal text. */
export function printedByCode(args: readonly string[]): string | undefined {
  for (const code of args) {
    const edited = wrappedLines([code]);
    if (edited !== undefined) return edited(GAP);
    const [, what = ""] = PRINTS().exec(code) ?? [];
    if (!/["'`][^"'`]*[a-z]/.test(what)) continue;
    const pieces = what.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|,|[$\w.()[\]]+/g) ?? [];
    const texts = pieces.map((piece) => {
      if (piece === ",") return " ";
      return /^["'`]/.test(piece) ? piece.slice(1, -1).replaceAll(FILLED, GAP).replaceAll(/\\(.)/g, "$1") : GAP;
    });
    return `${texts.join("").replaceAll(/\uFFFC{2,}/g, GAP)}\n`;
  }
  return undefined;
}

/** Base64 as `base64 -d` reads it; undefined if the text is not base64. */
export function decodeBase64(text: string): string | undefined {
  const packed = text.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return undefined;
  const digits = packed.replace(/=+$/, "");
  // A single digit at the end holds no whole byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return decoded(Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0)));
}

/** Base64 as `base64` prints it, on one line. */
export function encodeBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** Bytes as text: without `Buffer`, which only Node has. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Base32 as `base32 -d` reads it; undefined if the text is not base32. */
export function decodeBase32(text: string): string | undefined {
  const packed = text.replaceAll(/\s|=/g, "");
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of packed) {
    const value = ALPHABET.indexOf(sign);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
      held &= (1 << bits) - 1;
    }
  }
  return decoded(Uint8Array.from(bytes));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Plain hexadecimal as `xxd -r -p` reads it. */
export function decodeHex(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, "");
  return /^[\da-fA-F]*$/.test(digits)
    ? decoded(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
    : undefined;
}

/** The code with encoded texts opened, if both the text and its decoding are literals. */
export function withOpenText(code: string): string {
  if (!DECODES.test(code)) return code;
  let opened = code;
  for (const { call, decode } of HIDDEN)
    opened = opened.replaceAll(call, (whole, text: string) => {
      const plain = decode(text);
      return plain === undefined ? whole : JSON.stringify(plain);
    });
  return opened;
}

const DECODES = /base64|atob|decode|fromhex|hex|unpack|pack|chr|CharCode|CodePoint|join/i;

/** Short texts with commas between them. */
const TEXTS = String.raw`\s*(?:'[^'\\]*'|"[^"\\]*")(?:\s*,\s*(?:'[^'\\]*'|"[^"\\]*")){0,400}\s*`;

/** At least two numbers with commas between them. */
const NUMBERS = String.raw`\d{1,6}(?:\s*,\s*\d{1,6}){1,2000}`;

function joined(list: string): string {
  return [...list.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map(([, one, other]) => one ?? other).join("");
}

function fromNumbers(list: string): string | undefined {
  const numbers = list.split(",").map((number) => Number(number.trim()));
  return numbers.every((number) => Number.isInteger(number) && number < 0x110000)
    ? String.fromCodePoint(...numbers)
    : undefined;
}

const HIDDEN: readonly { readonly call: RegExp; readonly decode: (text: string) => string | undefined }[] = [
  {
    call: /(?:\b(?:\w+|__import__\(\s*['"]\w+['"]\s*\))\.)?(?:b64decode|urlsafe_b64decode|decodebytes)\(\s*b?['"]([\w+/=-]+)['"]\s*\)(?:\.decode\([^()]*\))?/g,
    decode: decodeBase64,
  },
  {
    call: /Buffer\.from\(\s*['"`]([\w+/=-]+)['"`]\s*,\s*['"]base64(?:url)?['"]\s*\)(?:\.toString\([^()]*\))?/g,
    decode: decodeBase64,
  },
  {
    call: /(?:\batob|Base64\.(?:strict_|urlsafe_)?decode64|base64_decode|decode_base64)\(?\s*['"`]([\w+/=-]+)['"`]\s*\)?/g,
    decode: decodeBase64,
  },
  { call: /(?:bytes|bytearray)\.fromhex\(\s*['"]([\da-fA-F\s]+)['"]\s*\)(?:\.decode\([^()]*\))?/g, decode: decodeHex },
  {
    call: /Buffer\.from\(\s*['"`]([\da-fA-F]+)['"`]\s*,\s*['"]hex['"]\s*\)(?:\.toString\([^()]*\))?/g,
    decode: decodeHex,
  },
  { call: /\bString\.from(?:CharCode|CodePoint)\(\s*([\d\s,]{1,2000})\)/g, decode: fromNumbers },
  // `join "", map { chr } 114, 109`, `"".join(map(chr, [114, 109]))`, `[114, 109].pack("c*")` and their like.
  {
    call: new RegExp(
      String.raw`(?:\bjoin\s*\(?\s*(?:''|"[^"\w]?"|q\(\))\s*,\s*map\s*\(?\s*\{?\s*chr\s*(?:\(?\s*\$_\s*\)?)?\s*\}?\s*,?|(?:''|"[^"\w]?")\s*\.join\(\s*map\(\s*chr\s*,|\bimplode\(\s*(?:''|"")\s*,\s*array_map\(\s*['"]chr['"]\s*,|\b(?:bytes|bytearray|Buffer\.from|String\.from(?:CharCode|CodePoint))\(\s*(?:\.\.\.)?|\bpack\s*\(?\s*['"][cCU]\*['"]\s*,)\s*[[(]?(?:array\()?\s*(${NUMBERS})\s*[\])]{0,3}(?:\.(?:decode|toString)\([^()]*\))?`,
      "g",
    ),
    decode: fromNumbers,
  },
  {
    call: new RegExp(
      String.raw`\[\s*(${NUMBERS})\s*\]\.(?:pack\(\s*['"][cCU]\*['"]\s*\)|(?:map|collect)\s*\(?\s*(?:&:chr|\{[^{}]{0,40}\bchr\b[^{}]{0,10}\})\s*\)?\.join(?:\(\s*(?:''|"")?\s*\))?)`,
      "g",
    ),
    decode: fromNumbers,
  },
  {
    call: new RegExp(
      String.raw`(?:''|"")\s*\.join\(\s*chr\(\s*\w+\s*\)\s*for\s+\w+\s+in\s*[[(](${NUMBERS})[\])]\s*\)`,
      "g",
    ),
    decode: fromNumbers,
  },
  { call: /(?<![\w.])chr\s*\(\s*(\d{1,6})\s*\)/g, decode: fromNumbers },
  { call: new RegExp(String.raw`\[(${TEXTS})\]\s*\.join\(\s*(?:''|""|\`\`)\s*\)`, "g"), decode: joined },
  { call: new RegExp(String.raw`(?:''|"")\s*\.join\(\s*[[(](${TEXTS})[\])]\s*\)`, "g"), decode: joined },
];

const PRINTS = () =>
  /\b(?:print\w?|puts|say|log|write)\b\s*\(?\s*f?((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[$\w\s,.+()[\]])+)/;
/** What is filled into a text: `$x`, `#{x}`, `{x}`, `%s`, and the end of its line. */
const FILLED = /[$#]?\{[^{}]*\}|[$@]\w+|%s|\\n/g;

const REPLACED = /s([/|#,:!@~])(?:\\.|(?!\1)[^\\]){1,1000}\1((?:\\.|(?!\1)[^\\]){0,1000})\1/g;
