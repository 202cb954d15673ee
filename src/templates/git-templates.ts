import { repository, shell, write } from "./example-events.ts";
import { sh, template } from "./template.ts";

const PUSH_REASON = "Pushing to main is blocked here";
const PUSH_TEXT = `${PUSH_REASON}. Push a branch of your own and open a pull request: git push -u origin HEAD:my-branch`;

/** Main changes by review alone. */
export const noPushToMain = template({
  title: "No push to main or master",
  why: "Work without a review reaches everyone.",
  needs: ["git"],
  spec: {
    name: "no_push_to_main",
    event: "tool:pre_execute:@shell",
    description: "Denies a git push whose target is main or master, also when it is the current branch.",
    rules: `call pushes ["main", "master"] -> deny("${PUSH_TEXT}")`,
    tags: ["guard", "git", "shell"],
  },
  examples: [
    ...["git push", "git push origin HEAD", "git push -u origin main", "git push origin +x:refs/heads/main"].map(
      (command) =>
        ({
          does: `denies ${command} on main`,
          ...shell(command),
          before: repository("main"),
          expect: "deny",
          says: PUSH_REASON,
        }) as const,
    ),
    {
      does: "denies a push to master from another branch",
      ...shell("cd . && git push origin HEAD:master"),
      before: repository("topic"),
      expect: "deny",
      says: PUSH_REASON,
    },
    ...["git push", "git push -u origin HEAD", "git push origin topic", "git push origin main-menu"].map(
      (command) =>
        ({
          does: `lets ${command} pass on a branch`,
          ...shell(command),
          before: repository("topic"),
          expect: "continue",
        }) as const,
    ),
    { does: "lets git log main pass", ...shell("git log main"), before: repository("main"), expect: "continue" },
  ],
});

/** Keeps pushed commits from being overwritten. */
export const noForcePush = template({
  title: "No forced push",
  why: "A forced push throws away what others have pushed.",
  spec: {
    name: "no_force_push",
    event: "tool:pre_execute:@shell",
    description: "Denies git push --force, -f, --mirror and +branch.",
    rules: sh`
      call effect "git-force-push" -> deny("A forced push is blocked here. Push to a new branch, use git push --force-with-lease, or ask the user.")`,
    tags: ["guard", "git", "shell"],
  },
  examples: [
    ...[
      "git push --force",
      "git push -f origin x",
      "git -C folder -c a=b push -uf origin x",
      "git add . && git push origin +main",
      "git push \\\n  --force",
    ].map(
      (command) =>
        ({ does: `denies ${command}`, ...shell(command), expect: "deny", says: "--force-with-lease" }) as const,
    ),
    ...[
      "git push",
      "git push --force-with-lease origin topic",
      "git push origin fix-force",
      "git commit -m 'git push --force is bad'",
      "rm -f x && git push origin x",
    ].map((command) => ({ does: `lets ${command} pass`, ...shell(command), expect: "continue" }) as const),
  ],
});

/** Work that git cannot bring back stays. */
export const noGitDiscard = template({
  title: "No git command that throws work away",
  why: "Uncommitted work cannot be brought back.",
  spec: {
    name: "no_git_discard",
    event: "tool:pre_execute:@shell",
    description: "Denies git reset --hard, clean -f, checkout and restore of files, stash drop and branch -D.",
    rules: sh`
      call effect ["git-loss", "git-discard"] -> deny("This git command throws work away and is blocked here. Commit or git stash first, or ask the user.")`,
    tags: ["guard", "git", "shell"],
  },
  examples: [
    ...[
      "git reset --hard HEAD~1",
      "git clean -xdf",
      "git checkout -- a.txt",
      "git restore .",
      "git stash clear",
      "git branch -D topic",
    ].map(
      (command) => ({ does: `denies ${command}`, ...shell(command), expect: "deny", says: "git stash first" }) as const,
    ),
    ...["git reset HEAD a.txt", "git clean -n", "git checkout -b topic", "git stash", "git branch -d old"].map(
      (command) => ({ does: `lets ${command} pass`, ...shell(command), expect: "continue" }) as const,
    ),
  ],
});

/** Work happens on a branch. */
export const noEditOnMain = template({
  title: "No edits on main or master",
  why: "Work that starts on main ends up there without a review.",
  needs: ["git"],
  spec: {
    name: "no_edit_on_main",
    event: "tool:pre_execute:@write",
    description: "Denies file tools while main or master is checked out.",
    command: sh`
      case $(git symbolic-ref --short -q HEAD 2>/dev/null) in main | master) ;; *) exit 0 ;; esac
      echo 'Files are not edited on main here. Make a branch first: git switch -c my-branch'
      exit 1`,
    tags: ["guard", "git", "files"],
  },
  examples: [
    {
      does: "denies an edit on main",
      ...write("a.ts"),
      before: repository("main"),
      expect: "deny",
      says: "git switch -c",
    },
    {
      does: "lets an edit on a branch pass",
      ...write("a.ts"),
      before: repository("main-menu"),
      expect: "continue",
    },
    { does: "lets an edit outside a repository pass", ...write("a.ts"), expect: "continue" },
  ],
});

const TYPES = "feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert";
const COMMIT_MESSAGE_REASON = "is not a conventional subject of at most 72 characters";
const HEREDOC = "git commit -m \"$(cat <<'EOF'\nfeat: add a door\n\nIt opens.\nEOF\n)\"";

/** A commit says what kind of change it is. */
export const checkCommitMessage = template({
  title: "Conventional commit messages",
  why: "A history of “wip” and “fix” explains nothing.",
  spec: {
    name: "check_commit_message",
    event: "tool:pre_execute:@shell",
    description: "Denies git commit -m when the subject is empty, too long or not of the form “feat(scope): text”.",
    rules: sh`
      # A message is given with -m, --message or a here-document, and none begins with a type.
      call runs "git commit" and args.command matches "commit .*(-\\w*m\\b|--message|<<)" and not args.command matches "[\"'=\\s](${TYPES})(\\([^)]+\\))?!?: \\S|[\"'](Merge|Revert|fixup!|squash!|amend!) " -> deny("The message ${COMMIT_MESSAGE_REASON}. Write it as type(scope): text, with one of these types: ${TYPES.replaceAll("|", ", ")}.")
      call runs "git commit" and args.command matches "[\"'\\n](${TYPES})[(!:][^\"\\n]{70}" -> deny("The message ${COMMIT_MESSAGE_REASON}. Say it in fewer words; the rest belongs into the body.")`,
    tags: ["guard", "git", "shell"],
  },
  examples: [
    ...[
      'git commit -m "wip"',
      "git add . && git commit -am 'Fixed it'",
      "git -C x commit --message=stuff",
      'git commit -m ""',
      `git commit -m "feat: ${"long ".repeat(20)}"`,
      HEREDOC.replace("feat: ", ""),
      "git commit -F - <<'EOF'\nwip\nEOF",
    ].map(
      (command) =>
        ({ does: `denies ${command}`, ...shell(command), expect: "deny", says: COMMIT_MESSAGE_REASON }) as const,
    ),
    ...[
      'git commit -m "feat(door): it\'s open" -m "Because of the wind."',
      "git commit -am 'fix!: close it'",
      HEREDOC,
      'git commit -m "feat: go" && cat <<EOF\nwip\nEOF',
      "git commit --amend --no-edit",
      "git commit -F message.txt",
      "git log --grep commit -m",
      "git status; echo 'commit -m wip'",
    ].map((command) => ({ does: `lets ${command} pass`, ...shell(command), expect: "continue" }) as const),
  ],
});
