/** Takes the place of a part of a word that is known only at run time. */
export const GAP = "\uFFFC";

/** A word of a command, as far as it can be known before it runs. */
export interface Word {
  /** Its value without quotes; unknown stretches are a `GAP`, a home folder that is not known stays `~`. */
  readonly text: string;
  /** Known to the last character: no variable, substitution or pattern decides about it when it runs. */
  readonly isKnown: boolean;
  /** The shell matches it against the names of files. */
  readonly isGlob: boolean;
  /** The pattern, quoted signs escaped, whose files the shell puts in its place; undefined if a program expands it. */
  readonly files?: string | undefined;
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
  /** The program as it is named, without its folder if that is one of the system's; undefined for bare assignments. */
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
  /** The file that contains it, if it was on the disk before the line ran; the folder of a project for its tasks. */
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
  /** What the line leaves in files, as far as its text is known; a `GAP` for what is known only at run time. */
  readonly texts: () => readonly string[];
  /** The files with code of other languages than the shell's that it runs. */
  readonly scripts: readonly ScriptFile[];
}

/** A file with code that was on the disk before the line ran. */
export interface ScriptFile {
  /** As seen from where the line starts. */
  readonly path: string;
  readonly text: string;
}

/** What git knows about the repository that contains a folder. */
export interface RepositoryFacts {
  /** The branch that is checked out; undefined for a detached HEAD. */
  readonly branch: () => string | undefined;
  /** The local branches. */
  readonly branches: () => readonly string[];
  /** Whether a name is a branch, here or of a remote. */
  readonly isBranch: (name: string) => boolean;
  /** The last value of a setting. */
  readonly setting: (key: string) => string | undefined;
  /** All values of a setting. */
  readonly settings: (key: string) => readonly string[];
  readonly isTracked: (path: string) => boolean;
  /** Whether git does not track a file, or something in a folder. */
  readonly isUntracked: (path: string) => boolean;
  /** Whether a file is in the commit that a reference names; it is not if there is no such reference. */
  readonly isCommittedOn: (path: string, ref: string) => boolean;
  /** Whether anything differs from the last commit, new files included. */
  readonly isDirty: () => boolean;
}

/** How the shell expands a pattern. */
export interface GlobOptions {
  /** A wildcard at the beginning of a name also matches a dot. */
  readonly hasDots: boolean;
  /** `**` matches any number of folders; undefined if that depends on the user's shell. */
  readonly isDeep: boolean | undefined;
  /** The place that a symlink leads to is named as well. */
  readonly isFollowed: boolean;
  /** The folder in which the shell is then. */
  readonly folder: string;
}

/** What a reading may look at outside of the text; undefined if left out. The reader of a file bounds its contents. */
export interface Lookups {
  /** The text of a script file that the line is about to run. */
  readonly script?: ((path: string) => string | undefined) | undefined;
  /** Whether the work that the reading may take is used up: what is left of the line is then a doubt. */
  readonly isSpent?: (() => boolean) | undefined;
  /** A script that is run again in the same state is not read again: for callers that do not ask how often something is run. */
  readonly readsOnce?: boolean | undefined;
  /** The command line of `npm run name`, `make name` and similar programs. */
  readonly task?: ((runner: string, name: string, folder: string) => string | undefined) | undefined;
  /** Where a path leads through links, if that is another path than the written one; a link that is removed leads nowhere. */
  readonly real?: (path: string, isFollowed: boolean) => string | undefined;
  /** A path that names the folder of the project in another way than the call does, by the name that the call has for it. */
  readonly inProject?: (path: string) => string | undefined;
  /** Whether nothing is at a path yet, although its folder is there. */
  readonly isMissing?: (path: string) => boolean;
  /** The names that the shell puts in the place of a pattern; undefined if the disk cannot answer. */
  readonly filesMatching?: ((pattern: string, options: GlobOptions) => readonly string[] | undefined) | undefined;
  /** The files in a folder and below it, as seen from it, without what tools have made; undefined if the disk cannot answer. */
  readonly filesIn?: ((folder: string) => readonly string[] | undefined) | undefined;
  /** What git knows about the repository that contains a folder; undefined if there is none. */
  readonly repository?: ((folder: string) => RepositoryFacts | undefined) | undefined;
  /** Whether a path is a folder. */
  readonly isFolder?: (path: string) => boolean;
  /** Whether what is at a path can be made again or was never meant to last; undefined if only its name suggests it. */
  readonly isDisposable?: (path: string) => boolean | undefined;
  /** The addresses that git would talk to for a remote by its name, or for none; undefined if they are not all known. */
  readonly remoteUrls?: (folder: string, name: string | undefined, way: "in" | "out") => readonly string[] | undefined;
  /** Variables of the environment that may be asked for, such as HOME; undefined for those that are not there. */
  readonly inherited?: Readonly<Record<string, () => string | undefined>> | undefined;
  /** Variables whose value is known. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}
