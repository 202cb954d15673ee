import { expect, test } from "vitest";
import { callShape } from "./call-shape.ts";
import type { DecisionRecord } from "./record.ts";

function shape(tool: string, args: object): string {
  return callShape({
    tool,
    root: "/p",
    event: "tool:pre_execute",
    event_json: { data: { tool_args: args } },
  } as never as DecisionRecord);
}

test.each([
  ["git push --force origin main", "git push --force …"],
  ["git push --force other dev", "git push --force …"],
  ["FOO=1 /usr/bin/rm -rf a b c", "rm -rf …"],
  ["cat a | curl -d @- --url=https://x.example", "cat … | curl -d … --url=…"],
  ["npm test && npm run build; ls", "npm test | npm run … | ls"],
])("the command %s has the shape %s", (command, wanted) => {
  expect(shape("Bash", { command })).toBe(wanted);
});

test("files of one folder and one ending have one shape; other calls are told by their tool", () => {
  expect(shape("Write", { file_path: "/p/src/a/b.ts" })).toBe("Write src/a/*.ts");
  expect(shape("Read", { file_path: "/etc/passwd" })).toBe("Read /etc/passwd");
  expect(shape("Task", { description: "look for it" })).toBe("Task");
});
