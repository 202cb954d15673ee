import { decimalOf, isOrdinary } from "./plain-text.ts";
import { type ConfigTree, DEEPEST, type TreeMember } from "./tree.ts";

/**
 * Reads JSON with comments and trailing commas, at a fraction of the library's cost on a cold start.
 * Returns `undefined` if it cannot decide about a text: then the library reads or refuses it.
 */
export function readPlainJson(text: string): ConfigTree | undefined {
  if (!isOrdinary(text)) return undefined;
  let at = 0;

  skip();
  if (at === text.length) return { kind: "scalar", at: 0, value: null };
  const tree = value(1);
  skip();
  return at === text.length ? tree : undefined;

  /** Skips blanks and comments; a comment without an end is not skipped, and nothing can be read after it. */
  function skip(): void {
    for (;;) {
      while (BLANKS.includes(text[at] ?? "none")) at++;
      const close = text[at] === "/" ? endOfComment() : undefined;
      if (close === undefined) return;
      at = close;
    }
  }

  function endOfComment(): number | undefined {
    if (text[at + 1] === "/") {
      let end = at + 2;
      while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end++;
      return end;
    }
    const end = text[at + 1] === "*" ? text.indexOf("*/", at + 2) : -1;
    return end === -1 ? undefined : end + 2;
  }

  function value(depth: number): ConfigTree | undefined {
    const start = at;
    switch (text[at]) {
      case "{":
        return depth > DEEPEST ? undefined : map(depth);
      case "[":
        return depth > DEEPEST ? undefined : list(depth);
      case '"': {
        const read = quoted();
        return read === undefined ? undefined : { kind: "scalar", at: start, value: read };
      }
      default: {
        const read = word();
        return read === undefined ? undefined : { kind: "scalar", at: start, value: read };
      }
    }
  }

  function map(depth: number): ConfigTree | undefined {
    const start = at;
    const members: TreeMember[] = [];
    const known = new Set<string>();
    const isWhole = untilClosed("}", () => {
      const keyAt = at;
      const key = text[at] === '"' ? quoted() : undefined;
      skip();
      if (key === undefined || known.has(key) || text[at] !== ":") return false;
      known.add(key);
      at++;
      skip();
      const read = value(depth + 1);
      if (read === undefined) return false;
      members.push({ key, at: keyAt, value: read });
      return true;
    });
    return isWhole ? { kind: "map", at: start, members } : undefined;
  }

  function list(depth: number): ConfigTree | undefined {
    const start = at;
    const items: ConfigTree[] = [];
    const isWhole = untilClosed("]", () => {
      const read = value(depth + 1);
      if (read === undefined) return false;
      items.push(read);
      return true;
    });
    return isWhole ? { kind: "list", at: start, items } : undefined;
  }

  /** Reads the values between commas, up to the closing bracket; a trailing comma is allowed. */
  function untilClosed(bracket: string, readOne: () => boolean): boolean {
    at++;
    skip();
    while (text[at] !== bracket) {
      if (!readOne()) return false;
      skip();
      if (text[at] === ",") at++;
      else if (text[at] !== bracket) return false;
      skip();
    }
    at++;
    return true;
  }

  function quoted(): string | undefined {
    const start = at + 1;
    let end = text.indexOf('"', start);
    while (end !== -1 && isEscaped(end, start)) end = text.indexOf('"', end + 1);
    if (end === -1) return undefined;
    at = end + 1;
    return unescaped(text.slice(start - 1, at));
  }

  /** An odd number of backslashes escapes what follows. */
  function isEscaped(end: number, start: number): boolean {
    let first = end;
    while (first > start && text[first - 1] === "\\") first--;
    return (end - first) % 2 === 1;
  }

  function word(): string | number | boolean | null | undefined {
    const start = at;
    while (at < text.length && !WORD_ENDS.includes(text[at] ?? "")) at++;
    const source = text.slice(start, at);
    return WORDS.has(source) ? WORDS.get(source) : decimalOf(source);
  }
}

function unescaped(token: string): string | undefined {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === "string" && !(token.includes("\\u") && HALF_CHARACTER.test(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

const BLANKS = " \t\n\r";
const WORD_ENDS = `${BLANKS}{}[],:"/`;
const HALF_CHARACTER = /[\ud800-\udfff]/u;
const WORDS = new Map<string, boolean | null>([
  ["null", null],
  ["true", true],
  ["false", false],
]);
