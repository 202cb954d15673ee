import type { HookSpec } from "../hook/schema.ts";
import { repository, wrote } from "./example-events.ts";
import { sh, template } from "./template.ts";

/** Commits only what could be staged, only when there is something, and never into a merge that is under way. */
const SPEC = {
  description: "Commits everything after a write; leaves a merge, a rebase and a repository without an author alone.",
  command: sh`
    [ "$(git rev-parse --is-inside-work-tree 2>/dev/null)" = true ] || exit 0
    git -c user.useConfigOnly=true var GIT_COMMITTER_IDENT >/dev/null 2>&1 || exit 0
    for busy in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
      [ ! -e "$(git rev-parse --git-path "$busy")" ] || exit 0
    done
    git add -A || exit 1
    git diff --cached --quiet && exit 0
    git commit --quiet -m 'Auto-save: file written' || exit 1`,
  timeout: 30,
  onError: "continue",
  exitCodes: "claude",
  tags: ["git"],
} as const satisfies HookSpec;

const SAVED = "git log -1 --format=%s | grep -q '^Auto-save: '";
const UNTOUCHED = "git log -1 --format=%s | grep -q '^chore: begin'";

/** Every write is a commit; the tool is called `write`. */
export const gitAutoCommit = template({
  title: "Commit after every write, for a tool called write",
  why: "A good state is overwritten before it was saved.",
  needs: ["git"],
  spec: { name: "git_auto_commit", event: "tool:post_execute:write", ...SPEC },
  examples: [
    {
      does: "commits what was written",
      ...wrote("a.txt", "text", "write"),
      before: `${repository()} && echo hi > a.txt`,
      expect: "continue",
      after: `${SAVED} && [ -z "$(git status --porcelain)" ]`,
    },
    {
      does: "makes no commit if nothing changed",
      ...wrote("a.txt", "text", "write"),
      before: repository(),
      expect: "continue",
      after: UNTOUCHED,
    },
    {
      does: "makes no commit if staging fails",
      ...wrote("a.txt", "text", "write"),
      before: `${repository()} && echo hi > a.txt && git add a.txt && touch .git/index.lock`,
      expect: "continue",
      after: UNTOUCHED,
    },
    {
      does: "leaves a merge that is under way alone",
      ...wrote("a.txt", "text", "write"),
      before: `${repository()} && echo hi > a.txt && git rev-parse HEAD > .git/MERGE_HEAD`,
      expect: "continue",
      after: UNTOUCHED,
    },
    {
      does: "skips a repository that knows no author",
      ...wrote("a.txt", "text", "write"),
      before: `${repository()} && git config --unset user.name && git config --unset user.email && echo hi > a.txt`,
      expect: "continue",
      after: `${UNTOUCHED} && git status --porcelain | grep -q '^?? a.txt'`,
    },
    { does: "does nothing outside a repository", ...wrote("a.txt", "text", "write"), expect: "continue" },
  ],
});

/** Every edit is a commit, with whichever file tool. */
export const commitAfterEdit = template({
  title: "Commit after every edit, by any agent",
  why: "A good state is overwritten before it was saved.",
  needs: ["git"],
  spec: { name: "commit_after_edit", event: "tool:post_execute:@write", ...SPEC },
  examples: [
    {
      does: "commits what any agent's file tool wrote",
      ...wrote("a b.txt", "text", "apply_patch"),
      before: `${repository()} && echo hi > 'a b.txt'`,
      expect: "continue",
      after: SAVED,
    },
  ],
});

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
