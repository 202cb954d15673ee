import { repository } from "./example-events.ts";
import { APPEND, NOW, sh } from "./shell-text.ts";
import { template } from "./template.ts";

const LOG = '"$XDG_STATE_HOME/sluice/sessions.log"';

/** What a session left behind is written down. */
export const sessionSummary = template({
  title: "Note what a session left uncommitted",
  why: "Days later nobody knows which session changed what.",
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
