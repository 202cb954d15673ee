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
  /** Whether a run changes what is kept beside the files: the index, commits, branches, tags. */
  readonly records?: (run: Options) => boolean;
}

/**
 * When a run changes nothing beyond the effects that its row tells: always, with verbs by their position
 * (`ls|pr view`), or as its arguments say. `false`: it writes files that no argument names.
 */
type ReadOnly = boolean | string | ((run: Options) => boolean | undefined);

/** One program, or several that are called alike. */
export interface Program extends Use {
  /** What it is, whatever this run of it does; for some of the row's names only where these are given. */
  readonly is?: Readonly<Partial<Record<Trait, true | string>>>;
  /** Parts that are chosen by the first operands, such as `push` or `stash drop`; several names apart by `|`. */
  readonly verbs?: Readonly<Record<string, Use | readonly Role[]>>;
  /** The language that it runs, and where the code stands. */
  readonly interpreter?: Interpreter;
  /** How far code is read that it runs, where its language does not say. */
  readonly code?: CodeReading;
  /** The files of a project in which the commands stand that it runs by name. */
  readonly taskFiles?: readonly string[];
  /** The folder of a project whose programs it finds before all others. */
  readonly toolFolder?: string;
  /** What it prints, where that follows from its arguments and its input; by name where the row's names differ. */
  readonly prints?: Output | Readonly<Record<string, Output>>;
  /** The files whose names it prints, as patterns; nothing where it prints something else. */
  readonly lists?: (args: readonly Field[]) => readonly Field[] | undefined;
  /** By name, the endings of the files that it changes, apart by blanks, where it makes nothing of any other file. */
  readonly endings?: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
}

/**
 * A command line, and what comes of it: texts with `runs` in front are commands that must be found in it; the others
 * are all of its effects beyond running, in the words of `effectText`.
 */
export type Example = readonly [line: string, ...expected: string[]];

/** What a program is, as far as guards, rules and trust ask for it. */
export const TRAITS = {
  scheduler: "decides what runs later or at every start",
  "system-account": "keeps users, groups and passwords of the machine",
  "system-settings": "keeps settings of the machine: kernel, network, firewall, protection",
  "version-control": "keeps the history of files",
  "volume-manager": "keeps volumes and snapshots",
  "image-maker": "fills a file that stands for a disk",
  "keeps-passwords": "keeps passwords of the user, and shows them when it is asked",
  "hook-options": "has options that name another program to run",
  "socket-tool": "joins a connection with another program",
  shell: "reads command lines from its input",
  "takes-code": "runs what its operands, its files or its input hold, without a language of its own",
  "enters-folder": "changes the folder in which the rest of the line runs",
  "sets-times": "changes when a file was written, and nothing in it",
  "file-finder": "shows names and lines of the files in a folder",
  "text-search": "shows lines that fit a pattern",
  "passes-hidden": "leaves out what lies in hidden folders unless an option asks for it",
  "passes-ignored": "leaves out what git ignores unless an option asks for it",
  "only-formats": "lays the text of files out anew, and leaves what it means",
  "edits-in-place": "changes lines of files by a script",
  "other-world": "runs programs as another user, in another root, or with other files in front of the real ones",
  "takes-text": "is given texts for people: issues, comments, notices, prompts",
  "prints-files": "shows what files hold",
  "prints-words": "shows its own words, or variables that they name",
  "holds-services": "runs programs inside of a service, with all that it was given",
  "remote-shell": "runs programs on another machine",
  "runs-code": "runs code of another language that an option holds",
  "lists-variables": "shows all variables when it is given no words",
  "shows-typed": "shows what was typed before",
  "lists-names": "shows the names of variables, functions or programs",
  "sets-options": "sets options of the shell when it is given any",
  "inserts-variables": "shows what comes in, with the values of the variables that it names",
  "passes-text-on": "shows what comes in, whole or in part",
  "uses-keys": "takes a file with keys without showing it",
  "hands-all-on": "hands on all of its input, and never ends where that never does",
  "keeps-all": "takes all of its input before it prints anything",
  "ends-others": "ends what it runs after a time",
  counts: "prints numbers up to a limit",
  "prints-endlessly": "prints until it is stopped",
  "keeps-lines": "shows lines of its input as they are, all or some",
  "shows-every-line": "shows every line of its input, whole or in part",
  "fills-variables": "reads its input into variables that its words name",
  "words-from-input": "makes words for another program from its input",
  "makes-pipes": "makes named pipes, which carry what is written to them later",
  "makes-links": "gives a file or folder a second name",
  "reports-machine": "shows the state of the machine, of which other users than root see only a part",
  "makes-windows-links": "the same, by the words of cmd or PowerShell",
  "windows-shell": "reads command lines as Windows does",
  "empties-first": "empties the files that it writes before it has read its input",
  "copies-data": "puts what a file or its input holds into another file",
  "runs-package": "runs a command of an installed package, or a script file",
  "options-until-dashes": "keeps options in front of `--` to itself, wherever they stand",
  "often-shadowed": "is run by its name so often that another program of that name takes its place unseen",
  "finds-programs": "says where programs lie",
  "finds-processes": "says which processes there are, by their numbers",
  "loads-unnamed": "runs or loads code of the project that no argument names, and no file of tasks that is read",
  "runs-named": "runs or loads files that its words or the values of its options name",
  "runs-folder": "runs every program in the folders that it is given",
  "writes-unnamed": "writes files that no argument names, whatever it reads or runs",
} as const;

export type Trait = keyof typeof TRAITS;

/** Programs by their names; several names of one row stand apart by blanks. */
export type Programs = Readonly<Record<string, Program>>;

/** What a program prints; `output/output.ts` works it out. */
export type Output =
  /** Its words, a format that they fill, or the files that they name. */
  | "words"
  | "format"
  | "files"
  /** The names of files, or lines that are made of them. */
  | "names"
  /** Nothing, and whether it ends well. */
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
  /** Its input as it is, which it puts into files, too. */
  | "input"
  /** What code of its own language prints. */
  | "code"
  /** Nothing, while files get other names. */
  | "copies"
  /** What comes from elsewhere, unless a file is named for it, or always into a file. */
  | "fetched"
  | "fetched-file"
  | "temporary-path";

/** Languages other than the shell's in which a command line can carry code. */
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
  /** Without a reader of its own: told by the names of its functions. */
  | "other";

/** How a program runs code of a language: from an option, from a file, or from its standard input. */
export interface Interpreter {
  readonly language: Language;
  /** The options whose value is code, by their main names. */
  readonly code?: readonly string[];
  /** The option that names a script. */
  readonly file?: string;
  /** How the names of files end that hold its language: `js mjs`. */
  readonly endings?: string;
  /** How its scripts are named; without it, the first operand is the script. */
  readonly script?: RegExp;
}

/** What the value of an option, a variable or a setting is, where a program runs or loads it besides its main script. */
export type LoadedValue =
  /** A command line, or the name of a program. */
  | "line"
  /** The same behind `exec=`. */
  | "exec line"
  /** A file of the program's language, by its path or as the name of a module. */
  | "module"
  /** The same, in a setting such as `auto_prepend_file=a.php`. */
  | "setting"
  /** Code of the program's language. */
  | "code"
  /** A folder in which modules are found before all others. */
  | "folder"
  /** A file with variables, one a line. */
  | "variables"
  /** A file with settings of a package manager. */
  | "package settings"
  /** Options of node. */
  | "node options";

/** The options by which a program is given code besides its main script. */
export interface Loading {
  readonly language: Language;
  /** Those options with their arity, as `readOptions` takes them; for values that hold options. */
  readonly options: string;
  /** By main name of the option. */
  readonly holds: Readonly<Record<string, LoadedValue>>;
}

/** Says what a program runs because of how it is called. */
export type Runs = (run: Invocation) => readonly Inner[];

/** A program that is called, with everything that it could run. */
export interface Invocation extends Options {
  /** Its canonical name. */
  readonly name: string;
  /** All of its words, as they stand. */
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
  readonly assignments: Readonly<Record<string, Word>>;
  /** What a program asks for by name: `npm run name`. */
  readonly task: (runner: string, name: string) => string | undefined;
  /** A small file that decides what is run. */
  readonly file: (path: Word) => string | undefined;
}

/** Something that a program runs because of how it is called; `via` is how people would call that. */
export type Inner =
  | {
      readonly runs: "words";
      readonly words: readonly Field[];
      readonly via: string;
      readonly assignments?: Readonly<Record<string, Word>>;
      readonly folder?: Word;
      /** Only programs, no functions of this shell. */
      readonly isProgram?: boolean;
      /** The input of the program around it is used up. */
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
      /** Nothing is written into it: what it held is gone. */
      readonly isEmptied?: boolean;
      /** The text that is written into it, where the call itself holds that text. */
      readonly text?: string;
    }
  | { readonly runs: "doubt"; readonly why: Doubt["why"]; readonly what: string };
