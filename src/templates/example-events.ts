import type { TemplateExample } from "./template.ts";

type Happening = Pick<TemplateExample, "event" | "tool" | "args">;

/** A shell command is about to run. */
export function shell(command: string, tool = "Bash"): Happening {
  return { event: "tool:pre_execute", tool, args: { command } };
}

/** A file is about to be written. */
export function write(path: string, content = "text", tool = "Write"): Happening {
  return { event: "tool:pre_execute", tool, args: { file_path: path, content } };
}

/** A file is about to be read. */
export function read(path: string): Happening {
  return { event: "tool:pre_execute", tool: "read_file", args: { path } };
}

/** A file was written. */
export function wrote(path: string, content = "text", tool = "Write"): Happening {
  return { event: "tool:post_execute", tool, args: { file_path: path, content } };
}

/** A shell line that makes the folder a git repository with one commit, on the branch that is named. */
export function repository(branch = "main"): string {
  return [
    "git init -q .",
    `git symbolic-ref HEAD refs/heads/${branch}`,
    "git config user.name Ada",
    "git config user.email ada@example.org",
    "git commit -q --allow-empty -m 'chore: begin'",
  ].join(" && ");
}
