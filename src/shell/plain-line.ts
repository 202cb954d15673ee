import type { ParsedScript, Word } from "unbash";

/**
 * The syntax of a line of plain words, without the parser: most calls are such lines, and loading the parser costs more
 * than everything else about them. Nothing for every other text.
 */
export function plainLine(text: string): ParsedScript | undefined {
  if (!isPlain(text)) return undefined;
  const words = [...text.matchAll(/[^ ]+/g)].map((found) => wordAt(found[0], found.index));
  const [name, ...suffix] = words;
  if (name === undefined || RESERVED.has(name.text)) return undefined;
  const place = { pos: 0, end: text.length };
  const command = { type: "Command" as const, ...place, name, prefix: [], suffix, args: suffix, redirects: [] };
  return {
    type: "Script",
    ...place,
    shebang: undefined,
    commands: [{ type: "Statement", ...place, command, background: undefined }],
  };
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
