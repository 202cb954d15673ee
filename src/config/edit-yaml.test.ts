import { expect, test } from "vitest";
import { editYaml } from "./edit-yaml.ts";

const LIST = `hooks:
  # About the first.
  # In two lines.
  - name: first
    timeout: 5
    command: a # behind
  # About the second.
  - # inside
    name: second
    timeout: 5
`;

test.each([
  [0, ["About the first.", "In two lines.", "behind", "About the second.", "inside"]],
  [1, ["About the first.", "About the second.", "inside"]],
])("entry %i is written anew with each of its comments once", (changed, comments) => {
  const edits = [0, 1].map((index) =>
    index === changed
      ? ({ kind: "change", index, set: { command: "b" }, remove: ["timeout"] } as const)
      : ({ kind: "keep", index } as const),
  );
  const after = editYaml(LIST, ["hooks"], edits) ?? "";
  expect(after).toContain("command: b");
  for (const comment of comments) expect(after.split(comment), `${comment} in\n${after}`).toHaveLength(2);
});
