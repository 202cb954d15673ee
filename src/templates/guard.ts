import { ARGS, COMMAND_TEXT, COMMANDS, PATHS, quoted, sh, VALUES } from "./shell-text.ts";

/** What a guard reads, line by line. */
const LOOKS = {
  /** Each command of a shell line, without quotes and wrappers. */
  commands: COMMANDS,
  /** A shell line as it was written. */
  command_text: COMMAND_TEXT,
  /** The files that a file tool names. */
  paths: PATHS,
} as const;

interface Guard {
  readonly looksAt: keyof typeof LOOKS;
  /** An extended regular expression; a line that matches is denied. */
  readonly denies: string;
  /** What to do instead. */
  readonly says: string;
}

/** The command of a guard that needs one look: it exits 1 and says what to do instead, or 0 and says nothing. */
export function guard({ looksAt, denies, says }: Guard): string {
  return sh`
    ${ARGS}
    ${VALUES}
    ${LOOKS[looksAt]}
    ${looksAt} | grep -qE ${quoted(denies)} || exit 0
    printf '%s\n' ${quoted(says)}
    exit 1`;
}
