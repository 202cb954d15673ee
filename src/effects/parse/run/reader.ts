import type { Function as FunctionNode, ParsedScript } from "unbash";
import type { Doubt, Input, Lookups, SimpleCommand, Word } from "../command.ts";
import type { Shell, Stdin } from "../shell-state.ts";
import type { Field } from "../value.ts";

/** Where a command stands while it is read. */
export interface Frame {
  readonly shell: Shell;
  /** The text that positions of nodes count in. */
  readonly text: string;
  readonly via: readonly string[];
  readonly stdin: Stdin;
  readonly depth: number;
}

/** What comes of a command: what it prints, and how it ends, as far as that is known. */
export interface Outcome {
  readonly stdout: string;
  readonly ends: "well" | "badly" | "unknown";
  /** The one file whose contents are printed. */
  readonly path?: string | undefined;
  /** The files whose names are printed, as patterns. */
  readonly listed?: readonly Field[] | undefined;
}

/** What goes with words that are run. */
interface WordsToRun {
  readonly source: string;
  readonly assignments?: Readonly<Record<string, Word>>;
  readonly redirects?: SimpleCommand["redirects"];
  /** Only programs, no functions of this shell. */
  readonly isProgram?: boolean;
}

/** A `>(…)`, which runs when it is known what is written into it. */
interface Sink {
  readonly path: string;
  readonly run: (stdin: Stdin) => void;
}

/** One reading on its way. */
export interface Reader {
  readonly commands: SimpleCommand[];
  readonly around: Lookups;
  readonly sinks: Sink[];
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

/** Input that nobody gives. */
export const NO_INPUT: Input = { from: "nothing" };

/** Nothing printed, no trouble. */
export const SILENT: Outcome = { stdout: "", ends: "well" };
