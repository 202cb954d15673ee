import { expect, test } from "vitest";
import { foreignHooks } from "./foreign-hooks.ts";

test("hooks in TOML are read however they are written: as tables, as inline tables, with lists over several lines", () => {
  const asTables = `[[hooks.PreToolUse]]
matcher = "Bash"

[[hooks.PreToolUse.hooks]]
type = "command" # the only one
command = "check"
tags = [
  "a",
  'b',
]
`;
  const inline = `[hooks]
"PreToolUse" = [{ matcher = "Bash", hooks = [{ type = "command", command = "check", tags = ["a", "b"] }] }]
`;
  const entry = { type: "command", command: "check", tags: ["a", "b"] };
  const group = { matcher: "Bash", hooks: [entry] };
  for (const text of [asTables, inline])
    expect(foreignHooks(text, "toml")).toEqual([{ hookEvent: "PreToolUse", group, entry }]);
});

test("a text that is not TOML has no hooks that could be read", () => {
  expect(foreignHooks('[[hooks.PreToolUse]\nmatcher = "Bash"\n', "toml")).toBeUndefined();
});
