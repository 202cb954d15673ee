import { expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { absoluteFiles } from "./absolute-files.ts";

const PATCH =
  "*** Begin Patch\n*** Update File: src/a b.ts\n+x\n*** Add File: c.ts\n+y\n*** Delete File: d.ts\n*** End Patch";

test.each<[string, object, readonly string[]]>([
  ["Write", { file_path: "/p/a.ts", content: "x" }, ["/p/a.ts"]],
  ["Edit", { file_path: "src/a.ts", old_string: "x", new_string: "y" }, ["/p/src/a.ts"]],
  ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y" }] }, ["/p/a.ts"]],
  ["MultiEdit", { edits: [{ file_path: "a.ts" }, { file_path: "b.ts" }] }, ["/p/a.ts", "/p/b.ts"]],
  ["NotebookEdit", { notebook_path: "/p/n.ipynb", new_source: "1" }, ["/p/n.ipynb"]],
  ["apply_patch", { input: PATCH }, ["/p/src/a b.ts", "/p/c.ts", "/p/d.ts"]],
  ["apply_patch", { command: PATCH }, ["/p/src/a b.ts", "/p/c.ts", "/p/d.ts"]],
  ["write_file", { file_path: "a.ts", content: "x" }, ["/p/a.ts"]],
  ["replace", { file_path: "a.ts", old_string: "x", new_string: "y" }, ["/p/a.ts"]],
  ["mcp__filesystem__write_file", { path: "./a.ts", content: "x" }, ["/p/a.ts"]],
  ["mcp__filesystem__move_file", { source: "a.ts", destination: "b.ts" }, ["/p/b.ts", "/p/a.ts"]],
  ["Read", { file_path: "/etc/hosts" }, ["/etc/hosts"]],
  ["read_file", { path: "a.ts" }, ["/p/a.ts"]],
  ["Bash", { command: "cat a.ts > b.ts; rm c.ts 2>/dev/null" }, ["/p/b.ts", "/p/c.ts"]],
  ["Bash", { command: "cd src && sed -i s/a/b/ a.ts" }, ["/p/src/a.ts"]],
  ["run_shell_command", { command: "cat a.ts" }, ["/p/a.ts"]],
  ["Bash", { command: 'touch "$NAME" known.ts *.md' }, ["/p/known.ts"]],
  ["Bash", { command: "echo x > /dev/shm/p/a.ts" }, ["/dev/shm/p/a.ts"]],
  ["Bash", { command: "cat /dev/urandom > /dev/ttyUSB0" }, []],
  ["Bash", { command: "git status" }, []],
  ["WebFetch", { url: "https://example.org/a.ts" }, []],
])("%s %j is about %j", (toolName, args, files) => {
  const event = new HookEvent({ type: "tool:post_execute", toolName, data: { tool_args: args }, cwd: "/p" });
  expect(absoluteFiles(event, undefined)).toEqual(files);
});

test("an event without a tool is about the files that it names", () => {
  const event = new HookEvent({ type: "file:changed", data: { path: "a.ts" }, cwd: "/p" });
  expect(absoluteFiles(event, undefined)).toEqual(["/p/a.ts"]);
});
