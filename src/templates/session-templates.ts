import { repository } from "./example-events.ts";
import { sh, template } from "./template.ts";

/** `notify title text` shows a message on the desktop, where there is one. */
const NOTIFY = sh`
  notify() {
    if command -v notify-send; then notify-send -- "$1" "$2"
    elif command -v osascript; then
      osascript -e 'on run argv' -e 'display notification (item 2 of argv) with title (item 1 of argv)' -e 'end run' "$1" "$2"
    fi >/dev/null 2>&1 || :
  }`;

/** `append file` adds its standard input to a file that only this user can read, in the folder for state. */
const APPEND = sh`
  append() {
    folder=\${XDG_STATE_HOME:-$HOME/.local/state}/sluice
    umask 077
    { [ -d "$folder" ] || mkdir -p "$folder"; } && cat >> "$folder/$1"
  }`;

/** `now` prints the time. */
const NOW = `now() { date '+%Y-%m-%dT%H:%M:%S%z'; }`;

/** An observer never decides: it only monitors, and a log that cannot be written is a recorded failure, no denial. */
export const logAll = template({
  title: "Log every event",
  why: "Without a log, what the agent did and when is lost.",
  spec: {
    name: "log_all",
    event: "*",
    description: "Appends a line for every event to sluice/events.log in the folder for state (~/.local/state).",
    command: sh`
      ${NOW}
      ${APPEND}
      line=$(printf '[%s] %s %s %s' "$(now)" "$SLUICE_EVENT" "\${SLUICE_SESSION_ID:--}" "\${SLUICE_TOOL_NAME:--}" | tr -d '[:cntrl:]')
      printf '%s\n' "$line" | append events.log || exit 1`,
    mode: "monitor",
    onError: "continue",
    exitCodes: "claude",
    tags: ["log"],
  },
  examples: [
    {
      does: "creates the folder and logs the event with its tool",
      event: "tool:pre_execute",
      tool: "bash",
      args: { command: "ls" },
      expect: "continue",
      after: `grep -q 'tool:pre_execute .* bash$' "$XDG_STATE_HOME/sluice/events.log"`,
    },
    {
      does: "does not stop the call if the log cannot be written",
      event: "tool:pre_execute",
      tool: "bash",
      args: { command: "ls" },
      files: { state: "a file where the folder should be" },
      expect: "continue",
    },
    {
      does: "keeps a tool's name from forging a line",
      event: "tool:post_execute",
      tool: "mcp__x\n[1970] tool:error",
      expect: "continue",
      after: `[ "$(wc -l < "$XDG_STATE_HOME/sluice/events.log")" -eq 1 ]`,
    },
  ],
});

/** A new session shows on the desktop. */
export const notifySessionStart = template({
  title: "Tell the desktop when a session starts",
  why: "A session that starts in the background goes unseen.",
  needs: ["notify-send or osascript"],
  spec: {
    name: "notify_session_start",
    event: "session:start",
    description: "Shows a desktop notification when a session starts; silent where there is no desktop.",
    command: sh`
      ${NOTIFY}
      notify 'Sluice' "Session started in \${PWD##*/}"`,
    timeout: 5,
    onError: "continue",
    tags: ["notify"],
  },
  examples: [
    {
      does: "shows the folder's name and prints nothing into the conversation",
      event: "session:start",
      programs: { "notify-send": 'printf "%s\\n" "$@" > shown; echo noise' },
      expect: "continue",
      after: `grep -q "^Session started in $(basename "$PWD")$" shown`,
    },
    {
      does: "is quiet when the notification fails",
      event: "session:start",
      programs: { "notify-send": "echo no bus >&2; exit 1" },
      expect: "continue",
    },
  ],
});

/** What the agent tells its user reaches the desktop. */
export const desktopNotification = template({
  title: "Show the agent's notifications on the desktop",
  why: "An agent that waits for an answer waits unseen.",
  needs: ["notify-send or osascript", "jq for the agent's own words"],
  spec: {
    name: "desktop_notification",
    event: "session:notification",
    description:
      "Shows what the agent tells its user as a desktop notification, without jq only that it does; silent where there is no desktop.",
    command: sh`
      ${NOTIFY}
      message=$(jq -r '.data.message // empty' 2>/dev/null | cut -c 1-300)
      notify 'Agent' "\${message:-An agent in \${PWD##*/} waits for you.}"`,
    timeout: 5,
    onError: "continue",
    tags: ["notify"],
  },
  examples: [
    {
      does: "passes the message on as it is, quotes and all",
      event: "session:notification",
      data: { message: `Needs "approval" for $(rm x); it's waiting` },
      programs: {
        jq: `node -e 'process.stdin.on("data", (d) => console.log(JSON.parse(d).data.message))'`,
        "notify-send": 'shift; printf "%s\\n" "$@" > shown',
      },
      expect: "continue",
      after: `grep -qF 'Needs "approval" for $(rm x); it'"'"'s waiting' shown`,
    },
    {
      does: "is quiet when the notification fails",
      event: "session:notification",
      data: { message: "done" },
      programs: { "notify-send": "exit 1" },
      expect: "continue",
    },
    {
      does: "says that the agent waits where its words cannot be read",
      event: "session:notification",
      data: { message: "done" },
      programs: { jq: "exit 127", "notify-send": 'shift; printf "%s\\n" "$@" > shown' },
      expect: "continue",
      after: "grep -q 'waits for you' shown",
    },
  ],
});

/** What the user asked for is kept, for the user alone. */
export const logPrompts = template({
  title: "Keep a private log of prompts",
  why: "What was asked for is gone when the session is.",
  spec: {
    name: "log_prompts",
    event: "user:prompt_submit",
    description:
      "Appends the event of every prompt, a line of JSON, to sluice/prompts.log in the folder for state; only you can read it.",
    command: sh`
      ${APPEND}
      append prompts.log || exit 1`,
    mode: "monitor",
    onError: "continue",
    exitCodes: "claude",
    tags: ["log"],
  },
  examples: [
    {
      does: "keeps a prompt with quotes and lines as one line of JSON",
      event: "user:prompt_submit",
      data: { prompt: 'say "hi"\nand go' },
      expect: "continue",
      after: String.raw`grep -q '"prompt":"say \\"hi\\"\\nand go"' "$XDG_STATE_HOME/sluice/prompts.log"`,
    },
    {
      does: "lets no other user read the log",
      event: "user:prompt_submit",
      data: { prompt: "hello" },
      expect: "continue",
      after: `ls -l "$XDG_STATE_HOME/sluice/prompts.log" | grep -q '^-rw-------'`,
    },
  ],
});

const LOG = '"$XDG_STATE_HOME/sluice/sessions.log"';

/** What a session left behind is written down. */
export const sessionSummary = template({
  title: "Note what a session left uncommitted",
  why: "Days later it is unclear which session changed what.",
  needs: ["git"],
  spec: {
    name: "session_summary",
    event: "session:end",
    description: "Appends the changed files of the repository to sluice/sessions.log in the folder for state.",
    command: sh`
      ${NOW}
      ${APPEND}
      [ "$(git rev-parse --is-inside-work-tree 2>/dev/null)" = true ] || exit 0
      {
        printf '[%s] session %s in %s\n' "$(now)" "\${SLUICE_SESSION_ID:--}" "$PWD"
        git diff --stat HEAD 2>/dev/null
        git ls-files --others --exclude-standard | sed 's/^/ new: /'
      } | append sessions.log || exit 1`,
    onError: "continue",
    exitCodes: "claude",
    tags: ["log", "git"],
  },
  examples: [
    {
      does: "notes changed and new files",
      event: "session:end",
      before: `${repository()} && echo 1 > a.txt && git add a.txt && git commit -q -m a && echo 2 > a.txt && echo 3 > 'b c.txt'`,
      expect: "continue",
      after: `grep -q '^ a.txt | 2' ${LOG} && grep -qx ' new: b c.txt' ${LOG}`,
    },
    {
      does: "notes nothing outside a repository",
      event: "session:end",
      expect: "continue",
      after: `[ ! -e ${LOG} ]`,
    },
  ],
});
