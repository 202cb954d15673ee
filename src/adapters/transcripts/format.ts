import type { Payload } from "../payload.ts";

/** A tool call that an agent has written into its own history, as the payload that its hook would have got. */
export interface TranscriptCall {
  readonly payload: Payload;
  /** Tells a call from all others of its session: the same one may be written down twice. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly made?: "sub-agent" | "sdk" | undefined;
}

/** A file of a history. */
interface TranscriptFile {
  readonly path: string;
  /** The folder that its session worked in, if a file beside it names it. */
  readonly folder?: string | undefined;
}

/** How an agent writes its history: where the files lie, and what of a line is a call. */
export interface TranscriptFormat {
  /** Folders in the user's home. */
  readonly folders: readonly string[];
  /** The variable that names another folder instead of the one that each of them begins with. */
  readonly home?: { readonly variable: string; readonly instead: string };
  /** Which files below them, by their paths from there. */
  readonly file: RegExp;
  /** Which of them are read before all others, however old they are: others are understood by them. */
  readonly first?: RegExp;
  /** The name of a file in a folder around those of a session that contains the folder the session worked in. */
  readonly folderFile?: string;
  /** The tables of a database that are read, in this order; a row is a line, and names its table. */
  readonly tables?: readonly string[];
  /** Whether a line is of this format, where a file is named by a user. */
  readonly recognises: (line: Payload) => boolean;
  /** Begins to read a history, file by file; of each its lines, first to last. */
  readonly reader: () => (file: TranscriptFile) => (line: Payload) => readonly TranscriptCall[];
}
