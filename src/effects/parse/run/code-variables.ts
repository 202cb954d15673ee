import type { Word } from "../command.ts";
import type { Inner } from "../../programs/program.ts";

/** What the values of these variables make some program run: a command line, or a file of them. */
export function codeInVariables(assignments: Readonly<Record<string, Word>>, program: string | undefined): Inner[] {
  const found: Inner[] = [];
  for (const name in assignments) {
    const value = assignments[name];
    const row = CODE_VARIABLES[name];
    if (value === undefined || row === undefined || value.text === "") continue;
    if (row.of !== undefined && program !== undefined && !row.of.includes(program)) continue;
    if (row.holds === "prompt") {
      if (/\$\(|`/.test(value.text))
        found.push({ runs: "shell", text: { ...value, text: `: "${value.text}"` }, via: name });
      continue;
    }
    found.push(
      row.holds === "text"
        ? { runs: "shell", text: withoutPipe(value), via: name }
        : { runs: "file", path: value, via: name },
    );
  }
  return found;
}

/** `|command` and `||command`: what is printed is taken. */
function withoutPipe(value: Word): Word {
  return value.text.startsWith("|") ? { ...value, text: value.text.replace(/^[|\s-]+/, "") } : value;
}

interface CodeVariable {
  /** A prompt is no command, and what it inserts is run. */
  readonly holds: "text" | "file" | "prompt";
  /** Only these programs look at it. */
  readonly of?: readonly string[];
}

const SHELLS = ["sh", "bash", "dash", "ksh", "zsh", "env"];

/** Variables whose value is run. */
const CODE_VARIABLES: Readonly<Record<string, CodeVariable>> = {
  __proto__: null as never,
  BASH_ENV: { holds: "file", of: SHELLS },
  ENV: { holds: "file", of: SHELLS },
  PROMPT_COMMAND: { holds: "text", of: SHELLS },
  PS0: { holds: "prompt" },
  PS1: { holds: "prompt" },
  PS2: { holds: "prompt" },
  PS4: { holds: "prompt" },
  GIT_SSH_COMMAND: { holds: "text" },
  GIT_SSH: { holds: "text" },
  GIT_EXTERNAL_DIFF: { holds: "text" },
  GIT_PAGER: { holds: "text" },
  GIT_EDITOR: { holds: "text" },
  GIT_SEQUENCE_EDITOR: { holds: "text" },
  GIT_ASKPASS: { holds: "text" },
  GIT_PROXY_COMMAND: { holds: "text" },
  SSH_ASKPASS: { holds: "text" },
  SUDO_ASKPASS: { holds: "text" },
  SUDO_EDITOR: { holds: "text" },
  PAGER: { holds: "text" },
  MANPAGER: { holds: "text" },
  EDITOR: { holds: "text" },
  VISUAL: { holds: "text" },
  BROWSER: { holds: "text" },
  FCEDIT: { holds: "text" },
  LESSOPEN: { holds: "text" },
  LESSCLOSE: { holds: "text" },
  RSYNC_RSH: { holds: "text" },
  CVS_RSH: { holds: "text" },
  TAR_RSH: { holds: "text" },
  MAKESHELL: { holds: "text" },
};
