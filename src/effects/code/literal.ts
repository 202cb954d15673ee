import { GAP } from "../parse/command.ts";

/** What an argument of a call is, as far as it consists of literals. */
export type Argument =
  | { readonly is: "text"; readonly text: string; readonly name?: string }
  | { readonly is: "list"; readonly items: readonly Argument[]; readonly name?: string }
  | { readonly is: "other"; readonly source: string; readonly name?: string };

/** A call in some program: the name with its dots, and the arguments. */
export interface CodeCall {
  readonly name: string;
  readonly args: readonly Argument[];
  /** For a method of a made object, the arguments it was made with: `Path('x').unlink()`. */
  readonly made: readonly Argument[];
  /** Where its name begins in the code. */
  readonly at?: number;
}

/** A token: a text, a name with dots, or a sign. */
export type Token =
  | { readonly is: "text"; readonly text: string; readonly isPlain: boolean }
  | { readonly is: "name"; readonly text: string; readonly at: number }
  | { readonly is: "command"; readonly text: string }
  | { readonly is: "sign"; readonly text: string };

/** How a language writes comments and texts. */
export interface Writing {
  readonly comments: RegExp;
  /** Texts in which `#{…}` or `$x` is filled in. */
  readonly filled: RegExp | undefined;
  /** Backticks run a command. */
  readonly hasCommandTicks: boolean;
}

/** Code as tokens, without comments; bounded by the length of the code. */
export function tokensOf(code: string, writing: Writing): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /(\s+)|([rRbBuUfF]{0,2})("""|'''|"|'|`)|((?:%x|qx)\s*[([{|!])|([A-Za-z_$@][\w$]*(?:(?:\.|::|->)[A-Za-z_]\w*)*!?)|(\d+)|([\s\S])/y;
  while (pattern.lastIndex < code.length && tokens.length < MAX_TOKENS) {
    const at = pattern.lastIndex;
    writing.comments.lastIndex = at;
    const comment = writing.comments.exec(code);
    if (comment !== null) {
      pattern.lastIndex = at + Math.max(comment[0].length, 1);
      continue;
    }
    const match = pattern.exec(code);
    if (match === null) break;
    const [, blank, prefix = "", quote, percent, name, number, sign] = match;
    if (blank !== undefined) continue;
    if (quote !== undefined) {
      const end = closing(code, pattern.lastIndex, quote, opensInsertion(quote, prefix, writing));
      const raw = code.slice(pattern.lastIndex, end);
      pattern.lastIndex = end + quote.length;
      if (quote === "`" && writing.hasCommandTicks) tokens.push({ is: "command", text: raw });
      else tokens.push(text(raw, quote, prefix, writing));
    } else if (percent !== undefined) {
      const close = CLOSING[percent.at(-1) ?? ""] ?? percent.at(-1) ?? ")";
      const end = code.indexOf(close, pattern.lastIndex);
      tokens.push({ is: "command", text: code.slice(pattern.lastIndex, end < 0 ? undefined : end) });
      pattern.lastIndex = end < 0 ? code.length : end + 1;
    } else if (name !== undefined) tokens.push({ is: "name", text: name, at });
    else tokens.push({ is: "sign", text: number ?? sign ?? "" });
  }
  return tokens;
}

const INSERTION_SIGNS: ReadonlySet<string> = new Set(["{", "#", "$", "@"]);
const MAX_TOKENS = 20_000;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** How a text begins what is filled into it, and what is filled in may hold quotes of its own. */
function opensInsertion(quote: string, prefix: string, { filled }: Writing): RegExp | undefined {
  if (/f/i.test(prefix)) return /\{[^{}]{0,200}\}/y;
  if (quote === "`" || (quote.startsWith('"') && filled !== undefined)) return /(?:[#$@]\{|\{(?=\$))[^{}]{0,200}\}/y;
  return undefined;
}

function closing(code: string, from: number, quote: string, insertion: RegExp | undefined): number {
  for (let at = from; at < code.length; at++) {
    if (insertion !== undefined && INSERTION_SIGNS.has(code[at] ?? "")) {
      insertion.lastIndex = at;
      const skipped = insertion.exec(code)?.[0].length ?? 0;
      if (skipped > 0) {
        at += skipped - 1;
        continue;
      }
    }
    if (code[at] === "\\") at++;
    else if (code.startsWith(quote, at)) return at;
  }
  return code.length;
}

function text(raw: string, quote: string, prefix: string, { filled }: Writing): Token {
  const isFilled =
    (/f/i.test(prefix) && raw.includes("{")) ||
    (quote === "`" && raw.includes("${")) ||
    (quote === '"' && filled?.test(raw) === true);
  return { is: "text", text: /r/i.test(prefix) ? raw : unescapedText(raw), isPlain: !isFilled };
}

function unescapedText(raw: string): string {
  return raw.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([0-7]{1,3})|([\s\S]))/g,
    (_, hex, unicode, octal, sign) => {
      if (hex ?? unicode) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return { n: "\n", t: "\t", r: "\r", "\n": "" }[sign as string] ?? sign;
    },
  );
}

/** What code calls a place that every user has: the home as `~`, the folder that it works in as `.`, a new one in `/tmp`. */
export function placeNamed(source: string): string | undefined {
  return PLACES.find(([place]) => place.test(source))?.[1];
}

/** A text with places for what is filled in: the home folder if it is that, else what is known only at run time. */
export function withInsertionsRead(text: string): string {
  return text.replaceAll(INSERTED(), (whole, inside: string | undefined) => {
    return placeNamed((inside ?? whole).replaceAll(/["'\s]/g, "")) ?? GAP;
  });
}

const INSERTED = () => /[$@]\w+(?:(?:->)?(?:\{[^{}]{0,80}\}|\[[^[\]]{0,80}\]))?|[#$@]?\{([^{}]*)(?:\}|$)/g;

/** A path that code puts together from the home and names. */
export function placeIn(source: string, depth = 0): string {
  const known = placeNamed(source);
  if (known !== undefined) return known;
  const [, called = "", inside] =
    /^((?:require\(\w+\)\.)?[\w.]*?\b(?:join|expanduser|expand_path|resolve|Path))\(([\s\S]*)\)$/.exec(source) ?? [];
  if (inside === undefined || depth > 4) return /^[\w~./-]+$/.test(source) && depth > 0 ? source : GAP;
  if (!called.endsWith("join") && !called.endsWith("resolve")) return placeIn(inside, depth + 1);
  return inside
    .split(/,(?![^()]*\))/)
    .map((piece) => placeIn(piece, depth + 1))
    .join("/");
}

/** What code calls the user's home, the folder that it works in, and a new one for files that do not last. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:process\.env(?:\.HOME|\[HOME\])|(?:\w+\.|require\(\w+\)\.)?homedir\(\)|(?:\$_)?ENV\[HOME\]|\$_SERVER\[HOME\]|ENV\.fetch\(HOME\)|\$ENV\{HOME\}|Dir\.home|(?:os\.path\.)?expanduser\(~\)|(?:pathlib\.)?Path\.home\(\)|os\.environ(?:\[HOME\]|\.get\(HOME\))|os\.getenv\(HOME\)|getenv\(HOME\)|Deno\.env\.get\(HOME\))$/,
    "~",
  ],
  [/^(?:(?:process|Deno)\.cwd\(\)|os\.getcwd\(\)|getcwd\(\)|Dir\.pwd|(?:pathlib\.)?Path\.cwd\(\)|__dirname)$/, "."],
  [
    /^(?:[\w.]+\.|require\(\w+\)\.)?(?:mkdtemp|mkdtempSync|mktmpdir|makeTempDir|makeTempDirSync)\([\s\S]*\)$/,
    "/tmp/made",
  ],
];
