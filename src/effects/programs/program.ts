import type { CodeReading, Role } from "../effect.ts";
import type { Doubt, Word } from "../parse/command.ts";
import type { Shell, Stdin } from "../parse/shell-state.ts";
import type { Field } from "../parse/value.ts";
import type { Act } from "./act.ts";
import type { OptionStyle, Options } from "./options.ts";

/**
 * What one way of calling a program does. The fields of `Act` (`when`, `roles`, `reads`, `writes`, `talks`, `keys` …)
 * describe most programs: `{ options: "output|o=", reads: operands, writes: option("output") }`.
 */
export interface Use extends Act {
  /** Its options with their arity, as `readOptions` takes them. */
  readonly options?: string;
  readonly style?: OptionStyle;
  /** The commands, scripts and code that it runs. */
  readonly runs?: Runs;
  /** The options that load code besides its main script. */
  readonly loads?: Loading;
  /** The options of a dry run, by their main names: with one of them it does nothing. */
  readonly dry?: string;
  /** When a run changes nothing beyond its effects. */
  readonly readOnly?: ReadOnly;
  /** Whether a run changes the records of version control: the index, commits, branches, tags. */
  readonly records?: (run: Options) => boolean;
}

/**
 * When a run changes nothing beyond the effects that its row reports: always, with verbs by their position
 * (`ls|pr view`), or by its arguments. `false`: it writes files that no argument names.
 */
type ReadOnly = boolean | string | ((run: Options) => boolean | undefined);

/** One program, or several with the same usage. */
export interface Program extends Use {
  /** Its traits, which do not depend on the run; with names if only some names of the row have the trait. */
  readonly is?: Readonly<Partial<Record<Trait, true | string>>>;
  /** Its verbs, by their first operands: `push` or `stash drop`; several names are separated by `|`. */
  readonly verbs?: Readonly<Record<string, Use | readonly Role[]>>;
  /** The language that it runs, and where the code comes from. */
  readonly interpreter?: Interpreter;
  /** How far the code that it runs is analysed, if that does not follow from its language. */
  readonly code?: CodeReading;
  /** The files of a project that contain the commands which it runs by name. */
  readonly taskFiles?: readonly string[];
  /** The folder of a project whose programs take precedence over all others. */
  readonly toolFolder?: string;
  /** What it prints, if that follows from its arguments and its input; by name if the row's names differ. */
  readonly prints?: Output | Readonly<Record<string, Output>>;
  /** The files whose names it prints, as globs; undefined if it prints something else. */
  readonly lists?: (args: readonly Field[]) => readonly Field[] | undefined;
  /** By name, the endings of the files that it changes, separated by blanks, if it ignores all other files. */
  readonly endings?: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
}

/**
 * A command line and what it does. Texts that begin with `runs` are commands that must be found in it; the others are all
 * of its other effects, as `effectText` prints them.
 */
export type Example = readonly [line: string, ...expected: string[]];

/** Traits of programs that guards, rules and trust need. */
export const TRAITS = {
  scheduler: "controls what runs later or at every start",
  "system-account": "manages users, groups and passwords of the machine",
  "system-settings": "manages settings of the machine: kernel, network, firewall, protection",
  "version-control": "keeps the history of files",
  "volume-manager": "manages volumes and snapshots",
  "image-maker": "fills a file that represents a disk",
  "keeps-passwords": "stores passwords of the user and can print them",
  "hook-options": "has options that name another program to run",
  "socket-tool": "connects a socket with another program",
  shell: "reads command lines from its input",
  "takes-code": "runs the content of its operands, its files or its input, without a language of its own",
  "enters-folder": "changes the folder in which the rest of the line runs",
  "sets-times": "changes the times of a file, and not its content",
  "file-finder": "prints names and lines of the files in a folder",
  "text-search": "prints lines that match a pattern",
  "passes-hidden": "skips hidden folders unless an option includes them",
  "passes-ignored": "skips files that git ignores unless an option includes them",
  "only-formats": "changes the layout of files, and not their meaning",
  "edits-in-place": "changes lines of files by a script",
  "other-world": "runs programs as another user, in another root, or with other files in place of the real ones",
  "takes-text": "takes texts for people: issues, comments, notices, prompts",
  "prints-files": "prints the content of files",
  "prints-words": "prints its arguments, or the variables that they name",
  "holds-services": "runs programs inside a service with all of its data",
  "remote-shell": "runs programs on another machine",
  "runs-code": "runs code of another language from an option",
  "lists-variables": "prints all variables if it has no arguments",
  "shows-typed": "prints commands that were typed before",
  "lists-names": "prints the names of variables, functions or programs",
  "sets-options": "sets options of the shell if it has arguments",
  "inserts-variables": "prints its input with the values of the variables that the input names",
  "passes-text-on": "prints its input, whole or in part",
  "uses-keys": "uses a file with keys without printing it",
  "looks-at-files": "prints names and attributes of files, and not their content",
  "hands-all-on": "passes on all of its input, and does not end before its input ends",
  "keeps-all": "reads all of its input before it prints anything",
  "ends-others": "ends what it runs after a time",
  counts: "prints numbers up to a limit",
  "prints-endlessly": "prints until it is stopped",
  "keeps-lines": "prints lines of its input unchanged, all or some",
  "shows-every-line": "prints every line of its input, whole or in part",
  "fills-variables": "reads its input into the variables that its arguments name",
  "words-from-input": "makes arguments for another program from its input",
  "makes-pipes": "makes named pipes",
  "makes-links": "makes links to files and folders",
  "reports-machine": "prints the state of the machine, of which users other than root see only a part",
  "makes-windows-links": "makes links by the syntax of cmd or PowerShell",
  "windows-shell": "reads command lines of Windows",
  "empties-first": "truncates the files that it writes before it has read its input",
  "copies-data": "copies a file or its input into another file",
  "runs-package": "runs a command of an installed package, or a script file",
  "options-until-dashes": "takes all options before `--` itself, wherever they are",
  "often-shadowed": "is run by its name so often that another program of that name is not noticed",
  "any-host": "sends files to any host that its arguments name",
  "finds-programs": "prints the paths of programs",
  "finds-processes": "prints the numbers of processes",
  "loads-unnamed": "runs or loads code of the project that neither an argument nor a known file of tasks names",
  "runs-named": "runs or loads files that its operands or the values of its options name",
  "runs-folder": "runs every program in the folders that are its operands",
  "writes-unnamed": "writes files that no argument names",
} as const;

export type Trait = keyof typeof TRAITS;

/** Programs by their names; the names of one row are separated by blanks. */
export type Programs = Readonly<Record<string, Program>>;

/** What a program prints; `output/output.ts` computes it. */
export type Output =
  /** Its arguments, a format with their values, or the files that they name. */
  | "words"
  | "format"
  | "files"
  /** The names of files, or lines that contain them. */
  | "names"
  /** Nothing, and whether it succeeds. */
  | "nothing"
  | "success"
  | "failure"
  /** Its input, changed. */
  | "base64"
  | "base32"
  | "decoded"
  | "hex"
  | "reversed"
  | "reversed-lines"
  | "translated"
  | "edited"
  | "first-lines"
  | "packed"
  | "unpacked"
  /** Its input, which it also writes into files. */
  | "input"
  /** The output of code in its own language. */
  | "code"
  /** Nothing; it copies or renames files. */
  | "copies"
  /** What it fetches: unless an option names a file for it, or always into a file. */
  | "fetched"
  | "fetched-file"
  | "temporary-path";

/** Languages of code that a command line can contain, besides that of the shell. */
export type Language =
  | "python"
  | "javascript"
  | "perl"
  | "ruby"
  | "php"
  | "lua"
  | "r"
  | "julia"
  | "groovy"
  | "tcl"
  | "compiled"
  | "awk"
  | "sed"
  | "make"
  /** Without an analyser of its own: recognised by the names of its functions. */
  | "other";

/** How a program runs code of a language: from an option, from a file, or from its standard input. */
export interface Interpreter {
  readonly language: Language;
  /** The options whose value is code, by their main names. */
  readonly code?: readonly string[];
  /** The option that names a script. */
  readonly file?: string;
  /** The endings of files in its language: `js mjs`. */
  readonly endings?: string;
  /** Matches the names of its scripts; without it, the first operand is the script. */
  readonly script?: RegExp;
}

/** The value of an option, a variable or a setting that a program runs or loads besides its main script. */
export type LoadedValue =
  /** A command line, or the name of a program. */
  | "line"
  /** The same after `exec=`. */
  | "exec line"
  /** A file of the program's language, by its path or as the name of a module. */
  | "module"
  /** The same, in a setting such as `auto_prepend_file=a.php`. */
  | "setting"
  /** Code of the program's language. */
  | "code"
  /** A folder whose modules take precedence over all others. */
  | "folder"
  /** A file with variables, one on each line. */
  | "variables"
  /** A file with settings of a package manager. */
  | "package settings"
  /** Options of node. */
  | "node options";

/** The options by which a program loads code besides its main script. */
export interface Loading {
  readonly language: Language;
  /** Those options with their arity, as `readOptions` takes them; for values that contain options. */
  readonly options: string;
  /** By main name of the option. */
  readonly holds: Readonly<Record<string, LoadedValue>>;
}

/** Returns what a program runs because of its arguments and its input. */
export type Runs = (run: Invocation) => readonly Inner[];

/** A run of a program, with everything that it could run. */
export interface Invocation extends Options {
  /** Its canonical name. */
  readonly name: string;
  /** All of its arguments, as they are written. */
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
  readonly assignments: Readonly<Record<string, Word>>;
  /** The command of a task by its name: `npm run name`. */
  readonly task: (runner: string, name: string) => string | undefined;
  /** The text of a small file that decides what is run. */
  readonly file: (path: Word) => string | undefined;
}

/** Something that a program runs; `via` describes the way in which it does. */
export type Inner =
  | {
      readonly runs: "words";
      readonly words: readonly Field[];
      readonly via: string;
      readonly assignments?: Readonly<Record<string, Word>>;
      readonly folder?: Word;
      /** Only a program, not a function of this shell. */
      readonly isProgram?: boolean;
      /** The input of the outer program has been consumed. */
      readonly hasNoInput?: boolean;
    }
  /** `isHere`: in this very shell, as `eval` does. */
  | {
      readonly runs: "shell";
      readonly text: Word;
      readonly via: string;
      readonly args?: readonly Field[];
      /** `$0`. */
      readonly zero?: Field | undefined;
      readonly isHere?: boolean;
    }
  | {
      readonly runs: "file";
      readonly path: Word;
      readonly via: string;
      readonly args?: readonly Field[];
      readonly isHere?: boolean;
      readonly language?: Language;
    }
  | { readonly runs: "input"; readonly via: string; readonly args?: readonly Field[]; readonly language?: Language }
  | {
      readonly runs: "code";
      readonly language: Language;
      readonly text: Word;
      readonly via: string;
      /** It runs once for every line of its input. */
      readonly isPerLine?: boolean;
    }
  | {
      readonly runs: "write";
      readonly path: Word;
      readonly way: "write" | "append" | "read";
      readonly via: string;
      /** Nothing is written into it, so that its content is lost. */
      readonly isEmptied?: boolean;
      /** The text that is written into it, if the call itself contains that text. */
      readonly text?: string;
    }
  | { readonly runs: "doubt"; readonly why: Doubt["why"]; readonly what: string };
