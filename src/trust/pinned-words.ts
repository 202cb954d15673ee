import { shellWord } from "../effects/parse/value.ts";
import { readOptions } from "../effects/programs/options.ts";
import type { Program } from "../effects/programs/program.ts";
import { programNamed } from "../effects/programs/program-name.ts";

/** A copy of an approved file, and what it takes to run it as if it lay where the file lies. */
export interface FileCopy {
  readonly path: string;
  /** The copy for a shell that reads it into its own run. */
  readonly sourced: string;
  readonly kind: "shell" | "python" | "other";
  /** What runs it where it is named as a program; nothing for a file that may not be executed. */
  readonly interpreter: readonly string[] | undefined;
  /** Runs a script of Python under another name. */
  readonly starter: string;
}

/** A word of a command that is about to run, and the copy that is meant; no copy for other words. */
export interface PinnableWord {
  readonly text: string;
  readonly copy: FileCopy | undefined;
}

/** What stands in place of the words that run a file, by their position. */
export function pinnedWords(words: readonly PinnableWord[]): Map<number, readonly string[]> {
  const pinned = new Map<number, readonly string[]>();
  for (let at = 0; at < words.length; at++) {
    const { text, copy } = words[at] as PinnableWord;
    if (copy !== undefined) {
      const run = text.includes("/") ? asProgram(copy, text) : undefined;
      if (run !== undefined) pinned.set(at, run);
      return pinned;
    }
    const row = programNamed(text);
    const next = words[at + 1]?.copy;
    if (SOURCING.has(text)) return next === undefined ? pinned : pinned.set(at + 1, [next.sourced]);
    if (row !== undefined && (row.is?.shell === true || row.interpreter !== undefined))
      return withScript(row, words, at, pinned);
    if (text === "exec") continue;
    // `timeout 5 ./check.sh`, `env NAME=value ./check.sh`: what it runs is among its words.
    if (row?.runs === undefined) return pinned;
    while (words[at + 1] !== undefined && !isProgramWord(words[at + 1] as PinnableWord)) at++;
  }
  return pinned;
}

function isProgramWord({ text, copy }: PinnableWord): boolean {
  return copy !== undefined || (!/^-|=|^\d/.test(text) && programNamed(text) !== undefined);
}

function withScript(
  row: Program,
  words: readonly PinnableWord[],
  at: number,
  pinned: Map<number, readonly string[]>,
): Map<number, readonly string[]> {
  const args = words.slice(at + 1).map(({ text }) => ({ text, isKnown: true, isGlob: false }));
  const { given, operands } = readOptions(args, row.options, row.style);
  const code = row.interpreter?.code ?? ["c", "command", "s"];
  const [script] = operands;
  if (script === undefined || [...code, "module"].some((name) => given.has(name))) return pinned;
  const place = at + 1 + args.indexOf(script);
  const { copy } = words[place] as PinnableWord;
  if (copy !== undefined) pinned.set(place, asScript(copy, script.text, row.is?.shell === true));
  return pinned;
}

/** The words that run a copy where a file was named as a program. */
function asProgram(copy: FileCopy, name: string): readonly string[] | undefined {
  const { interpreter } = copy;
  if (interpreter === undefined) return undefined;
  if (interpreter.length === 0) return [copy.path];
  return [...interpreter, ...asScript(copy, name, copy.kind === "shell")];
}

/** The words that stand for the script of an interpreter; the script is told the name that it had. */
function asScript({ path, kind, starter }: FileCopy, name: string, isShell: boolean): readonly string[] {
  if (isShell) return ["-c", `. ${shellWord(path)}`, name];
  return kind === "python" ? [starter, path, name] : [path];
}

const SOURCING: ReadonlySet<string> = new Set([".", "source"]);
