/** The head of a call as nearly every agent posts it. */
export interface PlainHead {
  readonly method: "POST";
  readonly path: string;
  /** By their small names. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes its head has, with the empty line. */
  readonly size: number;
  /** How many bytes follow. */
  readonly length: number;
}

/**
 * Reads the head of a call that says plainly how long it is. Nothing where anything is unusual: a head in pieces, a name
 * that stands there twice, a body of unknown length, a wish for another protocol. Node's own parser sees to those. Letter by
 * letter: whatever else could read it has to come into the processor's memory first, and takes several times as long.
 */
export function plainHead(bytes: Buffer): PlainHead | undefined {
  const text = bytes.toString("latin1", 0, LONGEST_HEAD);
  const pathEnd = text.indexOf(" ", FIRST_WORD.length);
  if (!text.startsWith(FIRST_WORD) || !text.startsWith(VERSION, pathEnd)) return undefined;
  const headers: Record<string, string> = {};
  const names: string[] = [];
  let at = pathEnd + VERSION.length;
  while (text.charCodeAt(at) !== RETURN) {
    const colon = endOfName(text, at);
    const end = endOfLine(text, colon + 1);
    if (colon === at || end < 0) return undefined;
    const name = text.slice(at, colon).toLowerCase();
    if (names.includes(name) || UNUSUAL.has(name)) return undefined;
    names.push(name);
    headers[name] = text.slice(colon + 1, end).trim();
    at = end + 2;
  }
  const { "content-length": length = "", connection = "keep-alive" } = headers;
  const isPlain = text.charCodeAt(at + 1) === NEWLINE && connection.toLowerCase() === "keep-alive";
  if (!isPlain || !isCount(length)) return undefined;
  return {
    method: "POST",
    path: text.slice(FIRST_WORD.length, pathEnd),
    headers,
    size: at + 2,
    length: Number(length),
  };
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
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 48 || text.charCodeAt(at) > 57) return false;
  return text !== "" && text.length <= LONGEST_COUNT;
}

const FIRST_WORD = "POST ";
const VERSION = " HTTP/1.1\r\n";
const UNUSUAL: ReadonlySet<string> = new Set(["transfer-encoding", "expect", "upgrade", "trailer", "te"]);
const LONGEST_HEAD = 8 * 1024;
const LONGEST_COUNT = 8;
const [RETURN, NEWLINE, COLON, DASH] = [13, 10, 58, 45];
