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

/** How an agent writes its history: where the files lie, and what of a line is a call. */
export interface TranscriptFormat {
  /** Folders in the user's home. */
  readonly folders: readonly string[];
  /** The variable that names another folder instead of the first part of each. */
  readonly homeVariable?: string;
  /** Which files below them, by their paths from there. */
  readonly file: RegExp;
  /** Whether a line is of this format, where a file is named by a user. */
  readonly recognises: (line: Payload) => boolean;
  /** Reads the lines of one file, first to last. */
  readonly reader: (path: string) => (line: Payload) => readonly TranscriptCall[];
}
