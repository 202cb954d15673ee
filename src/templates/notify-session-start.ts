import { NOTIFY, sh } from "./shell-text.ts";
import { template } from "./template.ts";

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
