import { shell } from "./example-events.ts";
import { guard } from "./guard.ts";
import { template } from "./template.ts";

const FLAG = "[[:space:]]([^[:space:]]+[[:space:]]+)*";
const RECURSIVE = "(-[A-Za-z]*[rR][A-Za-z]*|--recursive)";
const FORCED = "(-[A-Za-z]*f[A-Za-z]*|--force)";
const BOTH = "-[A-Za-z]*([rR][A-Za-z]*f|f[A-Za-z]*[rR])[A-Za-z]*";

/** No folder disappears without a question. */
export const noRmRf = template({
  title: "No recursive, forced deletion",
  why: "One wrong variable or blank, and the wrong folder is gone.",
  spec: {
    name: "no_rm_rf",
    event: "tool:pre_execute:@shell",
    description: "Denies rm with both -r and -f. It catches accidents; it is no security boundary.",
    command: guard({
      looksAt: "commands",
      denies: `^rm${FLAG}(${BOTH}|${RECURSIVE}[[:space:]]+([^[:space:]]+[[:space:]]+)*${FORCED}|${FORCED}[[:space:]]+([^[:space:]]+[[:space:]]+)*${RECURSIVE})([[:space:]]|$)`,
      says: "Recursive, forced deletion is blocked here. Delete the files by name, move the folder aside, or ask the user.",
    }),
    tags: ["guard", "shell"],
  },
  examples: [
    ...["rm -rf /", "rm -fr build", "rm -r -f x", "cd x && /bin/rm --force a --recursive b", "rm -Rfv 'a b'"].map(
      (command) => ({ does: `denies ${command}`, ...shell(command), expect: "deny", says: "is blocked here" }) as const,
    ),
    ...["rm a.txt", "rm -r build", "rm -f perf-report.txt", "echo rm -rf /", "npm run rm -- -rf"].map(
      (command) => ({ does: `lets ${command} pass`, ...shell(command), expect: "continue" }) as const,
    ),
  ],
});
