/** Stands in a word's text for what only the run will know. */
export const GAP = "\uFFFC";

/** A word of a command, as far as it can be known before it runs. */
export interface Word {
  /** Its value without quotes; unknown stretches are a `GAP`, a home folder that is not known stays `~`. */
  readonly text: string;
  /** Known to the last character: no variable, substitution or pattern decides about it when it runs. */
  readonly isKnown: boolean;
  /** The shell matches it against the names of files. */
  readonly isGlob: boolean;
}

/** A file that a command is connected to by the shell. */
export interface Redirect {
  readonly way: "read" | "write" | "append";
  readonly target: Word;
}

/** Where a command's standard input comes from. */
export type Input =
  | { readonly from: "nothing" }
  /** The output of other commands of this reading, by their positions. */
  | { readonly from: "commands"; readonly of: readonly number[] }
  /** `written` is a here-document with the variables that the shell inserts into it. */
  | { readonly from: "text"; readonly text: Word; readonly written?: string | undefined }
  | { readonly from: "file"; readonly path: Word };

/** One program that is run, seen through quotes, variables, wrappers and nesting. */
export interface SimpleCommand {
  /** The program as it is named, without its folder where that is one of the system's; nothing for bare assignments. */
  readonly program: Word | undefined;
  readonly args: readonly Word[];
  /** Variables that are set for it, or for the shell when it has no program. */
  readonly assignments: Readonly<Record<string, Word>>;
  readonly redirects: readonly Redirect[];
  readonly input: Input;
  /** The commands whose output it is given by the path of a descriptor, by their positions. */
  readonly takes?: readonly number[] | undefined;
  /** The folder it runs in, as seen from where the line starts (`cd` is followed); `GAP` in it when unknown. */
  readonly folder: string;
  /** The programs that run it, outermost first: `sudo`, `xargs`, `bash -c` … */
  readonly via: readonly string[];
  /** The piece of the text that it comes from, for people. */
  readonly source: string;
  /** The file that it stands in, where that lay on the disk before the line ran; the folder of a project for its tasks. */
  readonly script?: string | undefined;
}

/** Why a reading cannot vouch for everything that the line does. */
export interface Doubt {
  readonly why:
    | "syntax"
    | "too long"
    | "nul character"
    | "too deep"
    | "too many commands"
    | "unknown program"
    | "unknown code"
    | "unread script"
    | "unread patch"
    | "unknown link";
  readonly what: string;
}

/** A command line, taken apart. */
export interface Reading {
  readonly commands: readonly SimpleCommand[];
  /** Empty when the reading is whole. */
  readonly doubts: readonly Doubt[];
  /** What the line leaves in files, as far as its text is known; a `GAP` for what only the run knows. */
  readonly texts: () => readonly string[];
  /** The files with code of other languages than the shell's that it runs. */
  readonly scripts: readonly ScriptFile[];
}

/** A file with code that lay on the disk before the line ran. */
export interface ScriptFile {
  /** As seen from where the line starts. */
  readonly path: string;
  readonly text: string;
}

/** What a reading may look at outside of the text; nothing when left out. The reader of a file bounds its contents. */
export interface Lookups {
  /** The text of a script file that the line is about to run. */
  readonly script?: ((path: string) => string | undefined) | undefined;
  /** Whether the work that the reading may take is used up: what is left of the line is then a doubt. */
  readonly isSpent?: (() => boolean) | undefined;
  /** A script that is run again in the same state is not read again: for callers that do not ask how often something is run. */
  readonly readsOnce?: boolean | undefined;
  /** The command line behind `npm run name`, `make name` and their like. */
  readonly task?: ((runner: string, name: string, folder: string) => string | undefined) | undefined;
  /** Where a path leads through links, when that is elsewhere than its letters say; a link that is removed leads nowhere. */
  readonly real?: (path: string, isFollowed: boolean) => string | undefined;
  /** A path that names the folder of the project in another way than the call does, by the name that the call has for it. */
  readonly inProject?: (path: string) => string | undefined;
  /** Whether nothing lies at a path yet, although its folder is there. */
  readonly isMissing?: (path: string) => boolean;
  /** Whether a folder lies at a path. */
  readonly isFolder?: (path: string) => boolean;
  /** Whether what lies at a path can be made again or was never meant to last; undefined where only its name says it. */
  readonly isDisposable?: (path: string) => boolean | undefined;
  /** The addresses that git would talk to for a remote by its name, or for none; nothing when they are not all known. */
  readonly remoteUrls?: (folder: string, name: string | undefined, way: "in" | "out") => readonly string[] | undefined;
  /** Variables of the environment that may be asked for, such as HOME; nothing for those that are not there. */
  readonly inherited?: Readonly<Record<string, () => string | undefined>> | undefined;
  /** Variables whose value is known. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}
