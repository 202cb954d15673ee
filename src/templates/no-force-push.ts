import { shell } from "./example-events.ts";
import { guard } from "./guard.ts";
import { GIT } from "./shell-text.ts";
import { template } from "./template.ts";

/** Nobody's pushed work is overwritten. */
export const noForcePush = template({
  title: "No forced push",
  why: "A forced push throws away what others have pushed.",
  spec: {
    name: "no_force_push",
    event: "tool:pre_execute:@shell",
    description: "Denies git push --force, -f, --mirror and +branch. It catches accidents; it is no security boundary.",
    command: guard({
      looksAt: "commands",
      denies: `${GIT}push[[:space:]](.*[[:space:]])?(--force|--mirror|-[A-Za-z]*f[A-Za-z]*|\\+[^[:space:]]+)([[:space:]]|$)`,
      says: "A forced push is blocked here. Push to a new branch, use git push --force-with-lease, or ask the user.",
    }),
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
      "git push --force-with-lease",
      "git push origin fix-force",
      "git commit -m 'git push --force is bad'",
      "rm -f x && git push origin x",
    ].map((command) => ({ does: `lets ${command} pass`, ...shell(command), expect: "continue" }) as const),
  ],
});
