import { repository } from "./example-events.ts";
import { sh } from "./shell-text.ts";
import { template } from "./template.ts";

/** The agent begins with what git knows. */
export const contextGitStatus = template({
  title: "Start with the state of the repository",
  why: "The agent begins without knowing its branch and what is already changed.",
  needs: ["git"],
  spec: {
    name: "context_git_status",
    event: "session:start",
    description: "Tells the agent the branch, the last commits and the changed files when a session starts.",
    command: sh`
      [ "$(git rev-parse --is-inside-work-tree 2>/dev/null)" = true ] || exit 0
      printf 'Branch: %s\n' "$(git symbolic-ref --short -q HEAD || echo detached)"
      echo 'Last commits:'
      git log --oneline -n 5 2>/dev/null
      echo 'Changed files:'
      git status --short | head -n 30`,
    onError: "continue",
    tags: ["context", "git"],
  },
  examples: [
    {
      does: "tells branch, commits and changes",
      event: "session:start",
      before: `${repository("topic")} && echo hi > 'a b.txt'`,
      expect: "continue",
      says: '?? "a b.txt"',
    },
    {
      does: "names the branch",
      event: "session:start",
      before: repository("topic"),
      expect: "continue",
      says: "Branch: topic",
    },
    { does: "is silent outside a repository", event: "session:start", expect: "continue" },
  ],
});
