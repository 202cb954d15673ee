import type { EventFacts } from "../event/field.ts";
import { type Doubt, GAP, type Lookups, type ScriptFile, type SimpleCommand, type Word } from "./parse/command.ts";

/** What a tool call does, whichever agent makes it and however the tool is called. */
export interface CallEffects {
  readonly effects: readonly Effect[];
  /** The programs that it runs; empty for tools other than shells. */
  readonly commands: readonly SimpleCommand[];
  /** Where relative paths begin, and where `~` is. */
  readonly place: CallPlace;
  /** The texts that a command line writes into files, as far as they are known; empty for tools other than shells. */
  readonly texts: readonly string[];
  /** The files with code of other languages than the shell's that a command line runs; empty for tools other than shells. */
  readonly scripts: readonly ScriptFile[];
  /** What else it may change besides its effects, in a few words each. */
  readonly unknown: readonly string[];
  /** The paths that a tool other than a shell may write by its input, and what else it may change. */
  readonly ofTool: ToolChanges;
  /** It changes and destroys nothing, and nothing about it is unknown; reading, sending and ending processes are not changes. */
  readonly readOnly: boolean;
}

/** What a tool other than a shell may change, by its input and its name. */
export interface ToolChanges {
  readonly paths: readonly string[];
  /** What cannot be known before it runs, in a few words each. */
  readonly unknown: readonly string[];
}

/** The folder in which a call happens, that of its project, and the home of its user. */
export interface CallPlace {
  readonly cwd: string | undefined;
  /** Where the patterns of rules begin; the call's own folder where no project is known. */
  readonly root?: string | undefined;
  readonly home: string | undefined;
  /** Whether what is at a path can be made again, by its content; undefined if only its name suggests it. */
  readonly isDisposable?: ((path: string) => boolean | undefined) | undefined;
  /** The text of a file; undefined if it cannot be read. */
  readonly textAt?: ((path: string) => string | undefined) | undefined;
  /** The names that the shell puts in the place of a pattern; undefined if the disk cannot answer, or is not asked. */
  readonly filesMatching?: Lookups["filesMatching"];
  /** The files in a folder and below it; undefined if it is not a folder, if it has too many, or if the disk is not asked. */
  readonly filesIn?: Lookups["filesIn"];
  /** Whether nothing is at a path yet; undefined if the disk cannot be asked. */
  readonly isMissing?: ((path: string) => boolean | undefined) | undefined;
  /** What git knows about the repository that contains a folder. */
  readonly repository?: Lookups["repository"];
}

/** What may be looked up on the disk for a call, by the folder in which it happens. */
export type LookupsFor = (event: EventFacts) => Lookups;

/** What a command does to the world beyond reading and printing, by what a guard would call it. */
export const ROLES = {
  delete: "removes files or folders",
  overwrite: "destroys what a file or device held",
  permission: "changes the permissions of files",
  "history-rewrite": "changes or drops history that others may have",
  "work-loss": "throws away work or data that may not be saved elsewhere",
  privilege: "acts with more rights than its user",
  "network-in": "fetches from other machines",
  "network-out": "sends to other machines",
  "package-install": "installs code of others",
  publish: "makes something public",
  kill: "ends processes",
  disk: "writes to disks, partitions or devices",
  persistence: "lets something run later or at every start",
  "run-code": "runs code that came from elsewhere",
  "typed-code": "waits for code that is typed into it afterwards",
  exhaust: "uses up the machine",
  database: "changes or drops data in a database",
  cloud: "changes or removes resources in a cloud or cluster",
  container: "starts or changes containers",
  account: "changes users, passwords or keys",
  settings: "changes settings of the system or of tools",
  power: "stops or restarts the machine",
  message: "writes to people in the user's name",
  payment: "moves money",
  "trace-removal": "removes the record of what was done",
  recoverable: "loses nothing but what is local, made for development, or made again by the next migration",
  production: "acts on what is named production",
  outage: "stops, replaces or withdraws what runs at a service, or changes it without showing before what changes",
  "foreign-source": "takes code from an address or a registry other than the usual one",
  unverified: "switches off the check of certificates, signatures or checksums",
  expose: "lets other machines reach this one, its files or a service",
  export: "takes data of people out of production or out of a service",
  record: "records the screen, the camera, the microphone or the clipboard of the user",
  reveal: "shows keys, tokens or passwords that a tool keeps",
} as const;

export type Role = keyof typeof ROLES;

/** How a program changes a path, if that is more than writing into it. */
const PATH_CHANGES = {
  copy: "a copy is written there, through a link that lies there",
  replace: "a copy takes the place of what lies there",
  move: "it is moved away, or what was moved takes its place",
  link: "a link is made there",
  access: "who may use it changes, and nothing in it",
  unpack: "what an archive or a repository holds comes to lie in it",
  patch: "a patch says which of its lines change, and may bring links",
  trash: "it goes where it can be taken back from: a trash, or the history",
  pick: "only some of what lies in it, which the program picks by itself",
} as const;

export type PathChange = keyof typeof PATH_CHANGES;

/**
 * How code of a language other than the shell's is read: for its plain calls, not at all, or as the small language of an
 * editor or a filter.
 */
export type CodeReading = "read" | "unread" | "small";

/** Another repository, by the name that git has for it in a folder; without a name the one that is usual there. */
export interface NamedRemote {
  readonly name: string | undefined;
  readonly folder: string;
}

/** What a tool does at a service: the name of the act in its table, and the part of the call that shows it. */
export interface ServiceAct {
  readonly kind: string;
  /** A part that is longer than a person reads is cut. */
  readonly text: string;
}

/** What a statement does in a database, by its row of `SQL_DOINGS`, and the table or other object that it names. */
export interface DataChange {
  readonly does: string;
  readonly object: string;
  /** The statement on one line. */
  readonly text: string;
}

/** One thing that a command line does. */
export type Effect =
  /** A program runs; `roles` name what it does, if it does anything. */
  | {
      readonly does: "run";
      /** As the reading names it; empty if the shell itself acts, as in `> file`. */
      readonly program: string;
      /** The part of the program that is asked for, such as `push` of git or `s3 rm` of aws. */
      readonly verb?: string | undefined;
      readonly roles: readonly Role[];
      readonly command: number;
      /** It runs code in a language of its own, and how far that code was read. */
      readonly code?: CodeReading | undefined;
      /** What it does in a database, statement by statement, if its statements are known. */
      readonly data?: readonly DataChange[] | undefined;
      /** What a tool that is not a program does at a service, and the part of its input that shows it. */
      readonly act?: ServiceAct | undefined;
    }
  /** A path is touched, as the shell or the program would resolve it; `isTree` for folders with everything in them. */
  | {
      readonly does: "read" | "write" | "delete";
      readonly path: Word;
      readonly isTree: boolean;
      /** Without asking, also against write protection. */
      readonly isForced: boolean;
      readonly program: string;
      readonly command: number;
      /** How the path changes, if that is more than its content. */
      readonly by?: PathChange | undefined;
      /** What is put at a written path: the file that is copied or moved there, or that a link leads to. */
      readonly source?: Word | undefined;
      /** If the path is a folder, the source is put into it under its own name. */
      readonly landsIn?: boolean | undefined;
      /** How many folders in front of each name an archive loses. */
      readonly stripped?: number | undefined;
      /** What the program does is not known: an argument only names the path, and may be all that is done with it. */
      readonly isAssumed?: true | undefined;
    }
  /** Another machine is talked to. */
  | {
      readonly does: "network";
      readonly way: "in" | "out" | "both";
      readonly host: Word | undefined;
      /** The name by which git knows the other repository, seen from a folder; none for the one that is usual there. */
      readonly remote?: NamedRemote | undefined;
      readonly program: string;
      readonly command: number;
    }
  /**
   * What one command reads ends up in another: a file in the network, the network in a shell. `path` is the file that
   * it comes from, or else the file that it ends in or is run from.
   */
  | {
      readonly does: "flow";
      readonly from: "file" | "network" | "text" | "environment" | "variable" | "data";
      readonly path: Word | undefined;
      readonly to: "network" | "shell" | "file" | "terminal";
      readonly command: number;
      /** It came in an archive that the line unpacks. */
      readonly isUnpacked?: boolean;
    }
  /** What happens cannot be known before it runs. */
  | { readonly does: "unknown"; readonly doubt: Doubt; readonly command: number | undefined };

/** An effect on a path: it is read, written or deleted. */
export type PathEffect = Extract<Effect, { isTree: boolean }>;

/** Whether an effect is one on a path. */
export function isPathEffect(effect: Effect): effect is PathEffect {
  return effect.does === "read" || effect.does === "write" || effect.does === "delete";
}

/** An effect in a few words: `deletes build tree forced`, `sends to example.com`, or the roles of a run. */
export function effectText(effect: Effect): string {
  switch (effect.does) {
    case "run":
      return effect.roles.join(" ");
    case "read":
    case "write":
    case "delete":
      return `${effect.does}s ${shown(effect.path)}${effect.isTree ? " tree" : ""}${effect.isForced ? " forced" : ""}`;
    case "network":
      return `${WAYS[effect.way]} ${effect.host === undefined ? "?" : shown(effect.host)}`;
    case "flow":
      return `${effect.from}${effect.path === undefined ? "" : ` ${shown(effect.path)}`} flows to ${effect.to}`;
    case "unknown":
      return `unknown: ${effect.doubt.what}`;
  }
}

function shown(word: Word): string {
  return word.text.replaceAll(GAP, "…");
}

const WAYS = { in: "fetches from", out: "sends to", both: "talks to" } as const;
