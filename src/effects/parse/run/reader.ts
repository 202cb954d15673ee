import type { Assignment, Function as FunctionNode, ParsedScript } from "unbash";
import {
  type Doubt,
  GAP,
  type Input,
  type Lookups,
  type ScriptFile,
  type SimpleCommand,
  type Word,
} from "../command.ts";
import { LIMITS } from "../limits.ts";
import type { Shell, Stdin } from "../shell-state.ts";
import type { Field } from "../value.ts";

/** The position of a command while it is read. */
export interface Frame {
  readonly shell: Shell;
  /** The text that positions of nodes count in. */
  readonly text: string;
  readonly via: readonly string[];
  readonly stdin: Stdin;
  readonly depth: number;
  /** What is printed becomes a part of a word: `$(…)`. */
  readonly isInserted?: boolean | undefined;
  /** The file that contains it, if it was on the disk before. */
  readonly script?: string | undefined;
  /** The tasks that run it, each with its folder: one that runs itself is not read again. */
  readonly tasks?: readonly string[] | undefined;
}

/** The same place with another shell and another input; written out, which is much faster than spreading. */
export function framed({ text, via, depth, isInserted, script, tasks }: Frame, shell: Shell, stdin: Stdin): Frame {
  return { shell, text, via, stdin, depth, isInserted, script, tasks };
}

/** The result of a command: what it prints, and how it ends, as far as that is known. */
export interface Outcome {
  readonly stdout: string;
  readonly ends: "well" | "badly" | "unknown";
  /** The one file whose contents are printed. */
  readonly path?: string | undefined;
  /** The files whose names are printed, as patterns. */
  readonly listed?: readonly Field[] | undefined;
}

/** Variables take what the commands of a substitution print, as by an assignment. */
export function reportTaken(names: readonly string[], source: string, frame: Frame, reader: Reader): void {
  const assignments: Record<string, Word> = {};
  for (const name of names) assignments[name] = { text: GAP, isKnown: false, isGlob: false };
  reader.runWords([], frame, { source, assignments });
}

/** The same for the positional parameters, if their words are not all known. */
export function reportParameters(args: readonly Word[], source: string, frame: Frame, reader: Reader): void {
  if (args.length === 0 || !source.includes("$") || args.every(({ isKnown }) => isKnown)) return;
  reportTaken([...args.map((_, at) => String(at + 1)), "@", "*"], source, frame, reader);
}

/** What belongs to words that are run. */
interface WordsToRun {
  readonly source: string;
  readonly assignments?: Readonly<Record<string, Word>> | undefined;
  readonly redirects?: SimpleCommand["redirects"];
  /** Only programs, no functions of this shell. */
  readonly isProgram?: boolean | undefined;
}

/** A `>(…)`, which runs when it is known what is written into it. */
interface Sink {
  readonly path: string;
  readonly run: (stdin: Stdin) => void;
  /** It runs only where something is written into it. */
  readonly isSpare?: boolean;
}

/** One reading on its way. */
export interface Reader {
  readonly commands: SimpleCommand[];
  readonly around: Lookups;
  /** The files with code of other languages that were read. */
  readonly scripts: ScriptFile[];
  readonly sinks: Sink[];
  /** What scripts came to, by all that decides what they do, where each is read once. */
  readonly outcomes: Map<string, Outcome> | undefined;
  readonly spent: { steps: number; parsed: number; files: number; doubts: number; ways: number };
  readonly doubt: (why: Doubt["why"], what: string) => void;
  /** Takes one step; false when there were too many. */
  readonly step: () => boolean;
  readonly runScript: (script: ParsedScript, frame: Frame) => Outcome;
  /** Parses a text and runs it. */
  readonly runText: (text: string, frame: Frame) => Outcome;
  readonly runBody: (body: FunctionNode["body"], frame: Frame) => Outcome;
  /** Runs a command whose words are known already. */
  readonly runWords: (words: readonly Field[], frame: Frame, more: WordsToRun) => Outcome;
}

/** No input at all. */
export const NO_INPUT: Input = { from: "nothing" };

/** Nothing printed, no trouble. */
export const SILENT: Outcome = { stdout: "", ends: "well" };

/** Runs what was left to be run when this shell ends. */
export function runTraps(frame: Frame, reader: Reader): void {
  if (frame.shell.traps.length === 0) return;
  for (const text of frame.shell.traps.splice(0)) reader.runText(text, { ...frame, depth: frame.depth + 1 });
}

/** The positions of the commands that were reported since then. */
export function positionsFrom(from: number, { commands }: Reader): readonly number[] {
  return Array.from({ length: Math.min(commands.length - from, LIMITS.turns) }, (_, index) => from + index);
}

/** A command with its words expanded and its redirections read. */
export interface Prepared {
  readonly words: readonly Field[];
  /** `declare x=1`: words that are assignments. */
  readonly declared: readonly Assignment[];
  readonly assignments: Readonly<Record<string, Word>>;
  readonly redirects: SimpleCommand["redirects"];
  readonly source: string;
  /** The commands whose output it is given by the path of a descriptor. */
  readonly takes?: readonly number[] | undefined;
  /** Functions are passed over, as by `command`. */
  readonly isProgram?: boolean | undefined;
}

/** A call of something that the shell does itself. */
interface BuiltinCall {
  readonly name: string;
  readonly args: readonly Field[];
  readonly prepared: Prepared;
}

/** Does to the shell what a builtin would do. */
export type Builtin = (call: BuiltinCall, frame: Frame, reader: Reader) => Outcome;

/** Done, nothing printed. */
export const WELL: Outcome = { stdout: "", ends: "well" };

/** Nothing is printed, and how it ends is known only at run time. */
export const UNCLEAR: Outcome = { stdout: "", ends: "unknown" };

/** Words with blanks between them, as `eval` reads them. */
export function joined(words: readonly Field[]): Field {
  const text = words.map((word) => word.text).join(" ");
  return { text, isKnown: !text.includes(GAP) && words.every(({ isKnown }) => isKnown), isGlob: false };
}
