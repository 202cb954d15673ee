import type { ParsedScript, Word } from "unbash";

/**
 * The syntax of a line of plain words, without the parser: most calls are such lines, and loading the parser costs more
 * than everything else about them. Nothing for every other text.
 */
export function plainLine(text: string): ParsedScript | undefined {
  if (!isPlain(text)) return undefined;
  const words = wordsIn(text);
  const [name] = words;
  if (name === undefined || RESERVED.has(name.text)) return undefined;
  const suffix = words.slice(1);
  const end = text.length;
  const command = { type: "Command" as const, pos: 0, end, name, prefix: [], suffix, args: suffix, redirects: [] };
  return {
    type: "Script",
    pos: 0,
    end,
    shebang: undefined,
    commands: [{ type: "Statement", pos: 0, end, command, background: undefined }],
  };
}

/** A plain line has blanks between its words, and nowhere else. */
function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    const blank = text.indexOf(" ", at);
    const end = blank === -1 ? text.length : blank;
    if (end > at) words.push(wordAt(text.slice(at, end), at));
    at = end + 1;
  }
  return words;
}

/** No quotes, no expansions, no patterns, no assignments, no operators, one line: what a shell takes as it is. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

function wordAt(text: string, pos: number): Word {
  return { type: "Word", text, value: text, pos, end: pos + text.length, parts: undefined };
}

const PLAIN = /^[\w./:@%+,-]+(?: +[\w./:@%+,-]+)*$/;

const RESERVED: ReadonlySet<string> = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc".split(" "),
);
