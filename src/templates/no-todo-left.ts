import { wrote } from "./example-events.ts";
import { ARGS, sh, VALUES, WRITTEN } from "./shell-text.ts";
import { template } from "./template.ts";

const SAYS = "was left behind";

/** The agent hears of what it left open. */
export const noTodoLeft = template({
  title: "Remind the agent of what it left open",
  why: "A placeholder is written, and forgotten.",
  spec: {
    name: "no_todo_left",
    event: "tool:post_execute:@write",
    description: "Tells the agent when the text it wrote holds a TODO, FIXME, XXX or HACK.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${WRITTEN}
      found=$(written |
        grep -E '(^|[^[:alnum:]_])(TODO|FIXME|XXX|HACK)([^[:alnum:]_]|$)' | head -n 5 | cut -c 1-200)
      [ -n "$found" ] || exit 0
      printf 'This ${SAYS}; finish it now, or tell the user:\n%s\n' "$found"
      exit 1`,
    onError: "continue",
    tags: ["feedback", "files"],
  },
  examples: [
    {
      does: "shows the line to the agent",
      ...wrote("a.ts", 'const a = "x";\n// TODO: the rest\n'),
      expect: "continue",
      says: "// TODO: the rest",
    },
    {
      does: "reads what an edit put in, not what it took out",
      event: "tool:post_execute",
      tool: "Edit",
      args: { file_path: "TODO.md", old_string: "// TODO: the rest", new_string: "done();" },
      expect: "continue",
    },
    { does: "is silent about other words", ...wrote("a.ts", "const TODOS = mastodon;"), expect: "continue" },
  ],
});
