import { LARGEST_BODY } from "./http-refusal.ts";

/** The head of a call as nearly every agent posts it. */
export interface PlainHead {
  readonly method: "POST";
  readonly path: string;
  /** By their small names, all but the length. */
  readonly headers: Readonly<Record<string, string>>;
  /** All of it that is not the length: what stands before, and behind. */
  readonly around: readonly [string, string];
  /** How many bytes its head has, with the empty line. */
  readonly size: number;
  /** How many bytes follow. */
  readonly length: number;
}

/**
 * Reads the head of a call that says plainly how long it is. Nothing where anything is unusual: a head in pieces, a name
 * that stands there twice, a body of unknown length or too long, a wish for another protocol. Node's own parser sees to
 * those. Letter by letter: whatever else could read it has to come into the processor's memory first, and takes several
 * times as long.
 */
export function plainHead(bytes: Buffer): PlainHead | undefined {
  const text = bytes.toString("latin1", 0, LONGEST_HEAD);
  const pathEnd = text.indexOf(" ", FIRST_WORD.length);
  if (!text.startsWith(FIRST_WORD) || !text.startsWith(VERSION, pathEnd)) return undefined;
  const headers: Record<string, string> = {};
  const names: string[] = [];
  let [count, countAt] = ["", 0];
  let at = pathEnd + VERSION.length;
  while (text.charCodeAt(at) !== RETURN) {
    const colon = endOfName(text, at);
    const end = endOfLine(text, colon + 1);
    if (colon === at || end < 0) return undefined;
    const name = text.slice(at, colon).toLowerCase();
    if (names.includes(name) || UNUSUAL.has(name)) return undefined;
    names.push(name);
    const value = text.slice(colon + 1, end).trim();
    if (name === LENGTH) [count, countAt] = [value, text.indexOf(value, colon + 1)];
    else headers[name] = value;
    at = end + 2;
  }
  const { connection = "keep-alive" } = headers;
  const isPlain = text.charCodeAt(at + 1) === NEWLINE && connection.toLowerCase() === "keep-alive";
  if (!isPlain || !isCount(count) || Number(count) > LARGEST_BODY) return undefined;
  return {
    method: "POST",
    path: text.slice(FIRST_WORD.length, pathEnd),
    headers,
    around: [text.slice(0, countAt), text.slice(countAt + count.length, at + 2)],
    size: at + 2,
    length: Number(count),
  };
}

/** Reads a head that differs from this one in nothing but its length, as an agent's next one does; nothing where it differs in more. */
export function headLike({ path, headers, around }: PlainHead, bytes: Buffer): PlainHead | undefined {
  const [before, behind] = around;
  const text = bytes.toString("latin1", 0, before.length + LONGEST_COUNT + behind.length);
  if (!text.startsWith(before)) return undefined;
  const end = endOfCount(text, before.length);
  const length = Number(text.slice(before.length, end));
  if (end === before.length || length > LARGEST_BODY || !text.startsWith(behind, end)) return undefined;
  return { method: "POST", path, headers, around, size: end + behind.length, length };
}

/** Where the colon is; where no name ends with one, the beginning. */
function endOfName(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) return at;
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (!isLetter && code !== DASH) return start;
  }
  return start;
}

/** Where the line ends that holds nothing but signs that can be seen; before everything, where it does not. */
function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === RETURN) return text.charCodeAt(at + 1) === NEWLINE ? at : -1;
    if (code < 32 || code > 126) return -1;
  }
  return -1;
}

function isCount(text: string): boolean {
  return text !== "" && text.length <= LONGEST_COUNT && endOfCount(text, 0) === text.length;
}

/** Where the digits end that begin here. */
function endOfCount(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
  return at;
}

const FIRST_WORD = "POST ";
const LENGTH = "content-length";
const VERSION = " HTTP/1.1\r\n";
const UNUSUAL: ReadonlySet<string> = new Set(["transfer-encoding", "expect", "upgrade", "trailer", "te"]);
const LONGEST_HEAD = 8 * 1024;
const LONGEST_COUNT = 8;
const [RETURN, NEWLINE, COLON, DASH] = [13, 10, 58, 45];
