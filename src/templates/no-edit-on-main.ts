import { repository, write } from "./example-events.ts";
import { sh } from "./shell-text.ts";
import { template } from "./template.ts";

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
