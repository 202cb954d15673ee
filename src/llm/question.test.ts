import { expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { compose } from "./question.ts";

test.each<[tool: string, args: object]>([
  ["Write", { file_path: "/p/src/a.ts", content: "const key = 1;" }],
  ["Edit", { file_path: "/p/src/a.ts", old_string: "a", new_string: "const key = 1;" }],
  ["apply_patch", { command: "*** Begin Patch\n*** Add File: src/a.ts\n+const key = 1;\n*** End Patch" }],
  ["Bash", { command: "cat > src/a.ts <<'END'\nconst key = 1;\nEND" }],
])("a prompt sees the path and the text that %s would write, as rules do", (tool, args) => {
  const { prompt, missing } = compose(
    "{{path}} {{paths}} {{content}}",
    HookEvent.toolPreExecute(tool, args, { cwd: "/p" }),
  );
  expect(missing).toEqual([]);
  expect(prompt).toContain("src/a.ts");
  expect(prompt).toContain("const key = 1;");
});

test("what an event does not have is told", () => {
  const { missing } = compose("{{content}}", HookEvent.toolPreExecute("Bash", { command: "ls" }, { cwd: "/p" }));
  expect(missing).toEqual(["content"]);
});
