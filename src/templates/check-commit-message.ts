import { shell } from "./example-events.ts";
import { ARGS, COMMAND_TEXT, quoted, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

const COMMIT = "git[[:space:]]([^\"';&|]*[[:space:]])?commit[[:space:]]([^\"';&|]*[[:space:]])?";
const FLAG = "(-[A-Za-z]*m|--message)[[:space:]=]*";
/** The first line of the message, in each way to write one: from a here document, in quotes, bare. */
const READS = [
  `/${COMMIT}([^"';&|]*|${FLAG}"?\\$\\(cat[[:space:]]*)<</{n;s/^/subject: /p;q;}`,
  `s/.*${COMMIT}${FLAG}"([^"]*).*/subject: \\4/p`,
  `s/.*${COMMIT}${FLAG}'([^']*).*/subject: \\4/p`,
  `s/.*${COMMIT}${FLAG}([^"'[:space:]-][^[:space:]]*).*/subject: \\4/p`,
];
const TYPES = "feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert";
const SAYS = "is no conventional subject of at most 72 characters";
const HEREDOC = "git commit -m \"$(cat <<'EOF'\nfeat: add a door\n\nIt opens.\nEOF\n)\"";

/** A commit says what kind of change it is. */
export const checkCommitMessage = template({
  title: "Conventional commit messages",
  why: "A history of “wip” and “fix” tells nobody anything.",
  spec: {
    name: "check_commit_message",
    event: "tool:pre_execute:@shell",
    description: "Denies git commit -m when the subject is empty, too long or not of the form “feat(scope): text”.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${COMMAND_TEXT}
      subject=$(command_text | sed -nE ${READS.map((line) => `-e ${quoted(line)}`).join(" ")} | head -n 1)
      [ -n "$subject" ] || exit 0
      subject=\${subject#subject: }
      if [ "\${#subject}" -le 72 ] &&
        printf '%s\n' "$subject" | grep -qE '^((${TYPES})(\([^)]+\))?!?: .|(Merge|Revert|fixup!|squash!|amend!) )'; then exit 0; fi
      printf '%s\n' "\"$subject\" ${SAYS}. Write it as type(scope): text, with one of these types: ${TYPES.replaceAll("|", ", ")}."
      exit 1`,
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
    ].map((command) => ({ does: `denies ${command}`, ...shell(command), expect: "deny", says: SAYS }) as const),
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
