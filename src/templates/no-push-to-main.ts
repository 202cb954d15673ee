import { repository, shell } from "./example-events.ts";
import { ARGS, COMMANDS, GIT, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

const SAYS = "Pushing to main is blocked here";

/** Main changes by review alone. */
export const noPushToMain = template({
  title: "No push to main or master",
  why: "Work that nobody has reviewed reaches everybody.",
  needs: ["git"],
  spec: {
    name: "no_push_to_main",
    event: "tool:pre_execute:@shell",
    description:
      "Denies a git push whose target is main or master, also when it is the current branch. It catches accidents; it is no security boundary.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${COMMANDS}
      branch=$(git symbolic-ref --short -q HEAD 2>/dev/null)
      found=$(set -f; commands | sed -nE 's/${GIT}push([[:space:]]|$)/ /p' | while read -r words; do
        names=0
        for word in $words; do
          case $word in --all | --mirror) echo main ;; --tags) names=2 ;; esac
          case $word in -*) continue ;; esac
          names=$((names + 1))
          target=\${word##*:} target=\${target#+}
          [ "$target" != HEAD ] || target=$branch
          [ "$names" -eq 1 ] || printf '%s\n' "\${target#refs/heads/}"
        done
        [ "$names" -gt 1 ] || printf '%s\n' "$branch"
      done | grep -xE 'main|master')
      [ -n "$found" ] || exit 0
      echo '${SAYS}. Push a branch of your own and open a pull request: git push -u origin HEAD:my-branch'
      exit 1`,
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
          says: SAYS,
        }) as const,
    ),
    {
      does: "denies a push to master from another branch",
      ...shell("cd . && git push origin HEAD:master"),
      before: repository("topic"),
      expect: "deny",
      says: SAYS,
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
