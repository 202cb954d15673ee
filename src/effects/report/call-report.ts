import type { Doubt } from "../parse/command.ts";

/** What a command line or a tool call does, read from its text without running it. */
export interface CallReport {
  /** Every program that is run, in the order of the line, with the ones inside of wrappers, scripts and substitutions. */
  readonly commands: readonly ReportedCommand[];
  /** Everything that the commands or the tool do. */
  readonly effects: readonly ReportedEffect[];
  /** What cannot be known before it runs; empty if the report is complete. */
  readonly unknown: readonly UnknownPart[];
  /** Everything about the call is known, and it only reads, fetches and prints. */
  readonly readOnly: boolean;
}

/** One program that is run, as its arguments are after quotes, variables and substitutions have been resolved. */
export interface ReportedCommand {
  /** The program by its name; absent if the shell itself acts, as in `A=1` and `> file`. */
  readonly program?: string | undefined;
  /** Its arguments. A part that is known only at run time is written `…`. */
  readonly args: readonly string[];
  /** The part of the line that it comes from. */
  readonly text: string;
  /** The folder in which it runs, relative to where the line starts; `cd` is followed. */
  readonly folder: string;
  /** The programs that run it, outermost first: `["sudo", "xargs"]`. */
  readonly via: readonly string[];
  /** The variables that are set for it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The files that the shell connects it to. */
  readonly redirects: readonly ReportedRedirect[];
  /** The commands whose output it reads, by their positions in `commands`. */
  readonly readsFrom: readonly number[];
}

/** A file that the shell opens for a command. */
export interface ReportedRedirect {
  readonly way: "read" | "write" | "append";
  readonly path: string;
}

/** Something that cannot be known before the call runs. */
export interface UnknownPart {
  readonly why: UnknownReason;
  /** What it is about: a piece of the line, a file, or a few words. */
  readonly what: string;
}

/** Why a part of a call is unknown. */
export const UNKNOWN_REASONS = {
  syntax: "the shell grammar of the line cannot be parsed",
  "too long": "the line is longer than the reader accepts",
  "nul character": "the line contains a NUL character, at which shells disagree",
  "too deep": "the line nests or repeats more than the reader follows",
  "too many commands": "the line runs more commands than the reader follows",
  "unknown program": "the name of the program is known only at run time",
  "unknown code": "code that is not in the line is run",
  "unread script": "a script or a task is run whose text is not known",
  "unread patch": "a patch is applied whose text is not known",
  "unknown link": "a symbolic link is made whose target is not known",
  "unknown value": "a path, a host or another target is known only at run time",
  "unknown changes": "the program is known to change things that its arguments do not name, or it is not known at all",
  "unknown tool": "the name and the input of the tool do not show what it does",
} as const satisfies Record<Doubt["why"] | "unknown value" | "unknown changes" | "unknown tool", string>;

/** One of the reasons in `UNKNOWN_REASONS`. */
export type UnknownReason = keyof typeof UNKNOWN_REASONS;

/** What every effect has. */
export interface EffectFacts {
  /** The position in `commands` of the command that has the effect; absent for tools that run no command. */
  readonly command?: number | undefined;
  /** The labels by which rules and guards name the effect, such as `delete-outside`. */
  readonly labels: readonly string[];
  /** One sentence in English. */
  readonly text: string;
}

/** A file or a folder. */
export interface PathTarget {
  readonly of: "path";
  /** The path, relative to where the line starts unless it is absolute; a part that is known only at run time is `…`. */
  readonly path: string;
  /** The absolute path, if `cwd` is given or the path is absolute. */
  readonly absolute?: string | undefined;
  /** The path is known completely. */
  readonly isKnown: boolean;
  /** The shell or the program matches the path against the names of files. */
  readonly isGlob: boolean;
  /** Everything below the path as well. */
  readonly isTree: boolean;
}

/** A table, or a whole database if `database` is set; neither if the statement is not known. */
export interface DataTarget {
  readonly of: "data";
  readonly table?: string | undefined;
  readonly database?: string | undefined;
  /** Which part of it: `all` with its definition, or only rows, columns or the definition. */
  readonly part?: "all" | "every-row" | "rows" | "columns" | "definition" | undefined;
}

/** A branch of a repository; of a remote one if `remote` is set. */
export interface BranchTarget {
  readonly of: "branch";
  readonly branch: string;
  readonly remote?: string | undefined;
}

/** A tag of a repository; of a remote one if `remote` is set. */
export interface TagTarget {
  readonly of: "tag";
  readonly tag: string;
  readonly remote?: string | undefined;
}

/** What version control keeps: commits, the index, stashes. */
export interface HistoryTarget {
  readonly of: "history";
}

/** Work or data that may be saved nowhere else, such as uncommitted changes. */
export interface WorkTarget {
  readonly of: "work";
}

/** Something that a service keeps: a bucket, a repository, a container, a pod. */
export interface ResourceTarget {
  readonly of: "resource";
  /** The program or the server by which the service is reached. */
  readonly service: string;
  readonly resource?: string | undefined;
}

/** Keys, tokens or passwords that a program keeps. */
export interface SecretTarget {
  readonly of: "secret";
  readonly service: string;
}

/** Reads a file, data, or secrets that a program keeps. */
export type ReadEffect = EffectFacts & { readonly does: "read" } & (PathTarget | DataTarget | SecretTarget);

/** How a path changes, if not only its content does. */
export type ChangeManner = "copy" | "replace" | "move" | "link" | "unpack" | "patch" | "pick";

/** Creates or changes a file, data, a branch, a tag or the history. */
export type WriteEffect = EffectFacts & { readonly does: "write" } & (
    | (PathTarget & {
        readonly how?: ChangeManner | undefined;
        /** What is copied, moved or linked there. */
        readonly source?: string | undefined;
      })
    | DataTarget
    | BranchTarget
    | TagTarget
    | HistoryTarget
  );

/** Removes a file, data, a branch, a tag, unsaved work, or something at a service. */
export type DeleteEffect = EffectFacts & { readonly does: "delete" } & (
    | (PathTarget & {
        /** Without a question, also if the file is write-protected. */
        readonly isForced: boolean;
        /** `move`: it is at another path afterwards. `trash`: it can be taken back. `pick`: only some of its files. */
        readonly how?: "move" | "trash" | "pick" | undefined;
      })
    | DataTarget
    | BranchTarget
    | TagTarget
    | WorkTarget
    | ResourceTarget
  );

/** Runs a program, or code that is not a program of its own. */
export type RunEffect = EffectFacts & { readonly does: "run" } & (
    | {
        readonly of: "program";
        readonly program: string;
        /** The part of the program, such as `push` of git. */
        readonly verb?: string | undefined;
      }
    | {
        readonly of: "code";
        /** What runs the code. */
        readonly program: string;
        /** Where the code comes from. */
        readonly from: "network" | "file" | "text" | "environment" | "variable" | "data" | "typed" | "unknown";
        readonly path?: string | undefined;
        readonly host?: string | undefined;
      }
  );

/** Fetches from another machine. */
export type FetchEffect = EffectFacts & {
  readonly does: "fetch";
  /** Absent if the line does not name it. */
  readonly host?: string | undefined;
  readonly url?: string | undefined;
  /** The name by which version control knows the other repository. */
  readonly remote?: string | undefined;
};

/** Sends something to another machine or to people. */
export type SendEffect = EffectFacts & {
  readonly does: "send";
  /** Absent if the line does not name it. */
  readonly host?: string | undefined;
  readonly url?: string | undefined;
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  /** The file that is sent. */
  readonly path?: string | undefined;
  /** What is sent, if it is not a file: `environment`, `text`, `message` … */
  readonly what?: string | undefined;
  /** The service and the people that a message goes to. */
  readonly service?: string | undefined;
  readonly to?: string | undefined;
};

/** Installs code of others. */
export type InstallEffect = EffectFacts & {
  readonly does: "install";
  /** Absent if the packages are the ones that the project lists. */
  readonly package?: string | undefined;
  /** The package manager. */
  readonly program: string;
};

/** Makes something public. */
export type PublishEffect = EffectFacts & {
  readonly does: "publish";
  readonly program: string;
  /** The package, image, site or branch, if it is named. */
  readonly what?: string | undefined;
  readonly host?: string | undefined;
};

/** Changes the access to a file, an account or this machine. */
export type ChangeAccessEffect = EffectFacts & { readonly does: "change-access" } & (
    | PathTarget
    | { readonly of: "account"; readonly program: string; readonly account?: string | undefined }
    | { readonly of: "network"; readonly program: string }
  );

/** Changes the machine or the settings of a tool. */
export type ChangeSystemEffect = EffectFacts & {
  readonly does: "change-system";
  /** `startup`: something runs later or at every start. `traces`: the record of what was done is removed. */
  readonly what: "settings" | "startup" | "power" | "disk" | "traces" | "resources";
  readonly program: string;
  /** The service, the setting or the unit, if it is named. */
  readonly name?: string | undefined;
};

/** Ends a process or a service. */
export type EndProcessEffect = EffectFacts & {
  readonly does: "end-process";
  readonly program: string;
  /** Its number or its name, if the line names it. */
  readonly process?: string | undefined;
};

/** Moves money. */
export type SpendEffect = EffectFacts & {
  readonly does: "spend";
  readonly service: string;
  readonly what?: string | undefined;
};

/** Creates, changes, stops or replaces something at a service. */
export type ChangeServiceEffect = EffectFacts & { readonly does: "change-service" } & ResourceTarget;

/** Replaces commits that others may already have. */
export type RewriteHistoryEffect = EffectFacts & {
  readonly does: "rewrite-history";
  readonly program: string;
  readonly branch?: string | undefined;
  readonly remote?: string | undefined;
};

type AnyEffect =
  | ReadEffect
  | WriteEffect
  | DeleteEffect
  | RunEffect
  | FetchEffect
  | SendEffect
  | InstallEffect
  | PublishEffect
  | ChangeAccessEffect
  | ChangeSystemEffect
  | EndProcessEffect
  | SpendEffect
  | ChangeServiceEffect
  | RewriteHistoryEffect;

type KeyOf<T> = T extends unknown ? keyof T : never;
type WithEveryKey<T, K extends PropertyKey> = T extends unknown
  ? T & { readonly [Key in Exclude<K, keyof T>]?: undefined }
  : never;

/**
 * One thing that a call does, by `does`. Targets that an effect does not have are `undefined`, so that
 * `effects.some(({ path }) => path === ".env")` can be written without asking for the kind first.
 */
export type ReportedEffect = WithEveryKey<AnyEffect, KeyOf<AnyEffect>>;

/** The kinds of effects. */
export type EffectKind = AnyEffect["does"];

/** An effect before its labels and its sentence are known. */
export type EffectDraft = DraftOf<AnyEffect>;
type DraftOf<T> = T extends unknown ? Omit<T, keyof EffectFacts> : never;
