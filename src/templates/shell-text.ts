/**
 * Shell text without the indentation of the file it is written in. Backslashes stay as they are, except before
 * `${` and a backtick, which a template literal would take for its own.
 */
export function sh(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const indent = /\n +/.exec(strings.raw.join(""))?.[0] ?? "\n";
  const raw = strings.raw.map((text) => text.replaceAll(indent, "\n").replace(/\\(?=\$\{|`)/g, ""));
  return String.raw({ raw }, ...values).trim();
}

/** One word of a shell line, whatever it holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `$json` is the tool's input: from the environment, from the file that holds a long one, else the event itself. */
export const ARGS =
  'json=${SLUICE_TOOL_ARGS-${FORGE_TOOL_ARGS-${OPENCODE_TOOL_ARGS-$(cat ${SLUICE_TOOL_ARGS_FILE:+"$SLUICE_TOOL_ARGS_FILE"})}}}';

/** `$json` is the whole event. */
export const EVENT = "json=$(cat)";

/**
 * `values 'key|other'` prints the texts that stand under these keys anywhere in `$json`, decoded; `$json` may also be
 * such a text itself. Items of a list are joined by a blank, or by what is given.
 */
export const VALUES = sh`
  values() {
    printf '%b\n' "$(printf '"_":%s\n' "$json" |
      LC_ALL=C grep -oE '"(_|'"$1"')":("([^"\]|\\.)*"|\["([^"\]|\\.)*"(,"([^"\]|\\.)*")*\])' |
      LC_ALL=C sed -e 's/^"[A-Za-z_]*"://' -e '/^\["/s/","/'"\${2:- }"'/g' -e 's/^\["//' -e 's/"\]$//' \
        -e 's/^"//' -e 's/"$//' -e 's/\\\\\\n/ /g')" | sed 's/\\"/"/g'
  }`;

/** `command_text` prints the command of a shell tool as it was written; it uses `values`. */
export const COMMAND_TEXT = sh`
  command_text() { values 'command|cmd|commandLine|command_line|CommandLine|script|tool_args|tool_input'; }`;

/** `commands` prints each command of a shell line on its own line, without quotes and wrappers; it uses `values`. */
export const COMMANDS = sh`
  ${COMMAND_TEXT}
  commands() {
    command_text | tr -d '\042\047\134' | tr ';&|()\140' '\n\n\n\n\n\n' | sed -E -e 's/^[[:space:]]+//' -e ':next' \
      -e 's/^([A-Za-z_][A-Za-z_0-9]*=[^[:space:]]*|[0-9.]+[smhd]?|[{}!]+|-[^[:space:]]+)[[:space:]]+//' -e 't next' \
      -e 's/^(if|then|elif|else|do|while|until)[[:space:]]+//' -e 't next' \
      -e 's/^([^[:space:]]*\/)?(env|exec|command|builtin|eval|nohup|time|timeout|nice|setsid|xargs)[[:space:]]+//' \
      -e 't next' -e 's/^([^[:space:]]*\/)?(ba|da|z|k)?sh[[:space:]]+-[a-z]*c[[:space:]]+//' -e 't next' \
      -e 's/^find[[:space:]].*[[:space:]]-(exec|execdir|ok)[[:space:]]+//' -e 't next' -e 's/^[^[:space:]]*\///'
  }`;

/** `paths` prints the files that a file tool names, one on a line, also out of a patch; it uses `values`. */
export const PATHS = sh`
  paths() {
    values 'path|file_path|filePath|notebook_path|notebookPath|file|filename|target_file|paths|files|file_paths' '\\n'
    values 'input|patch|patchText|diff|command' |
      sed -nE 's/^(\*\*\* (Add|Update|Delete) File: |\*\*\* Move to: |(\+\+\+|---) [ab]\/)//p'
  }`;

/** `written` prints the text that a file tool puts into files, not what it takes out; it uses `values`. */
export const WRITTEN = sh`
  written() {
    values 'content|contents|file_text|new_string|newString|new_str|new_source|text|code_edit'
    values 'input|patch|patchText|diff' | grep -v '^-'
  }`;

/** `notify title text` shows a message on the desktop, where there is one. */
export const NOTIFY = sh`
  notify() {
    if command -v notify-send; then notify-send -- "$1" "$2"
    elif command -v osascript; then
      osascript -e 'on run argv' -e 'display notification (item 2 of argv) with title (item 1 of argv)' -e 'end run' "$1" "$2"
    fi >/dev/null 2>&1 || :
  }`;

/** `append file` adds its standard input to a file that only this user can read, in the folder for state. */
export const APPEND = sh`
  append() {
    folder=\${XDG_STATE_HOME:-$HOME/.local/state}/sluice
    umask 077
    { [ -d "$folder" ] || mkdir -p "$folder"; } && cat >> "$folder/$1"
  }`;

/** `now` prints the time. */
export const NOW = `now() { date '+%Y-%m-%dT%H:%M:%S%z'; }`;

/** The beginning of a git command up to its subcommand, for a line of `commands`. */
export const GIT = "^git([[:space:]]+(-[Cc][[:space:]]+[^[:space:]]+|-[^[:space:]]+))*[[:space:]]+";

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
