import { shell } from "./example-events.ts";
import { guard } from "./guard.ts";
import { GIT } from "./shell-text.ts";
import { template } from "./template.ts";

const ACTS = [
  "reset[[:space:]](.*[[:space:]])?--hard",
  "clean[[:space:]](.*[[:space:]])?(-[A-Za-z]*f[A-Za-z]*|--force)",
  "(checkout|restore)[[:space:]](.*[[:space:]])?(\\.|:/|--[[:space:]].*|--force|-f)",
  "stash[[:space:]]+(drop|clear)",
  "branch[[:space:]](.*[[:space:]])?-D",
];

/** Work that git cannot bring back stays. */
export const noGitDiscard = template({
  title: "No git command that throws work away",
  why: "Uncommitted work cannot be brought back.",
  spec: {
    name: "no_git_discard",
    event: "tool:pre_execute:@shell",
    description:
      "Denies git reset --hard, clean -f, checkout and restore of files, stash drop and branch -D. It catches accidents; it is no security boundary.",
    command: guard({
      looksAt: "commands",
      denies: `${GIT}(${ACTS.join("|")})([[:space:]]|$)`,
      says: "This git command throws work away and is blocked here. Commit or git stash first, or ask the user.",
    }),
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
