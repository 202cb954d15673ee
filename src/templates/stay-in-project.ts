import { write } from "./example-events.ts";
import { ARGS, PATHS, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

const SAYS = "lies outside this project";

/** Files outside the project stay as they are. */
export const stayInProject = template({
  title: "Write inside the project only",
  why: "An edit elsewhere is in no diff and no review.",
  spec: {
    name: "stay_in_project",
    event: "tool:pre_execute:@write",
    description:
      "Denies file tools that write outside the folder the agent works in. It reads paths and follows no links; it is no security boundary.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${PATHS}
      found=$(paths | while IFS= read -r path; do
        case $path in
          .. | ../* | */../* | */.. | '~'*) printf '%s\n' "$path" && break ;;
          "$PWD"/* | "$SLUICE_WORKING_DIR"/*) ;;
          /*) printf '%s\n' "$path" && break ;;
        esac
      done)
      [ -n "$found" ] || exit 0
      printf '%s\n' "$found ${SAYS}. Write below \${SLUICE_WORKING_DIR:-$PWD}, or ask the user to make that change."
      exit 1`,
    tags: ["guard", "files"],
  },
  examples: [
    ...["/etc/hosts", "../other/a.ts", "src/../../a.ts", "~/.bashrc"].map(
      (path) => ({ does: `denies ${path}`, ...write(path), expect: "deny", says: SAYS }) as const,
    ),
    {
      does: "looks at every file of a list",
      event: "tool:pre_execute",
      tool: "edit",
      args: { paths: ["a b.ts", "/etc/hosts"] },
      expect: "deny",
      says: `/etc/hosts ${SAYS}`,
    },
    ...["a.ts", "src/a b.ts", "..a.ts"].map(
      (path) => ({ does: `lets ${path} pass`, ...write(path), expect: "continue" }) as const,
    ),
  ],
});
