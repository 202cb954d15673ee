import { shellWord } from "../effects/parse/value.ts";
import { readOptions } from "../effects/programs/options.ts";
import type { Program } from "../effects/programs/program.ts";
import { programNamed } from "../effects/programs/program-name.ts";

/** A copy of an approved file, and how to run it as if it were in the file's place. */
export interface FileCopy {
  readonly path: string;
  /** The copy for a shell that reads it into its own run. */
  readonly sourced: string;
  readonly kind: "shell" | "python" | "other";
  /** The program that runs it if it is executed; undefined if the file is not executable. */
  readonly interpreter: readonly string[] | undefined;
  /** Runs a Python script under another name. */
  readonly starter: string;
}

/** An argument of a command, and the copy of the file that it names, if any. */
export interface PinnableArgument {
  readonly text: string;
  readonly copy: FileCopy | undefined;
}

/** The replacements of the arguments that run a file, by their position. */
export function argumentReplacements(words: readonly PinnableArgument[]): Map<number, readonly string[]> {
  const pinned = new Map<number, readonly string[]>();
  for (let at = 0; at < words.length; at++) {
    const { text, copy } = words[at] as PinnableArgument;
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
    // `timeout 5 ./check.sh`, `env NAME=value ./check.sh`: the program that it runs is one of the arguments.
    if (row?.runs === undefined) return pinned;
    while (words[at + 1] !== undefined && !isProgramWord(words[at + 1] as PinnableArgument)) at++;
  }
  return pinned;
}

function isProgramWord({ text, copy }: PinnableArgument): boolean {
  return copy !== undefined || (!/^-|=|^\d/.test(text) && programNamed(text) !== undefined);
}

function withScript(
  row: Program,
  words: readonly PinnableArgument[],
  at: number,
  pinned: Map<number, readonly string[]>,
): Map<number, readonly string[]> {
  const args = words.slice(at + 1).map(({ text }) => ({ text, isKnown: true, isGlob: false }));
  const { given, operands } = readOptions(args, row.options, row.style);
  const code = row.interpreter?.code ?? ["c", "command", "s"];
  const [script] = operands;
  if (script === undefined || [...code, "module"].some((name) => given.has(name))) return pinned;
  const place = at + 1 + args.indexOf(script);
  const { copy } = words[place] as PinnableArgument;
  if (copy !== undefined) pinned.set(place, asScript(copy, script.text, row.is?.shell === true));
  return pinned;
}

/** The arguments that run a copy instead of an executed file. */
function asProgram(copy: FileCopy, name: string): readonly string[] | undefined {
  const { interpreter } = copy;
  if (interpreter === undefined) return undefined;
  if (interpreter.length === 0) return [copy.path];
  return [...interpreter, ...asScript(copy, name, copy.kind === "shell")];
}

/** The arguments that replace the script of an interpreter; the script still receives its own name. */
function asScript({ path, kind, starter }: FileCopy, name: string, isShell: boolean): readonly string[] {
  if (isShell) return ["-c", `. ${shellWord(path)}`, name];
  return kind === "python" ? [starter, path, name] : [path];
}

const SOURCING: ReadonlySet<string> = new Set([".", "source"]);
