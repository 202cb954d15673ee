import { EVENT, NOTIFY, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

/** What the agent tells its user reaches the desktop. */
export const desktopNotification = template({
  title: "Show the agent's notifications on the desktop",
  why: "An agent that waits for an answer waits unseen.",
  needs: ["notify-send or osascript"],
  spec: {
    name: "desktop_notification",
    event: "session:notification",
    description: "Shows what the agent tells its user as a desktop notification; silent where there is no desktop.",
    command: sh`
      ${EVENT}
      ${VALUES}
      ${NOTIFY}
      notify 'Agent' "$(values message | tr -d '\000-\010\013-\037' | cut -c 1-300)"`,
    timeout: 5,
    onError: "continue",
    tags: ["notify"],
  },
  examples: [
    {
      does: "passes the message on as it is, quotes and all",
      event: "session:notification",
      data: { message: `Needs "approval" for $(rm x); it's waiting` },
      programs: { "notify-send": 'shift; printf "%s\\n" "$@" > shown' },
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
  ],
});
