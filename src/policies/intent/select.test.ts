import { expect, test } from "vitest";
import { readIntentsText } from "./intents-file.ts";
import { activeHint } from "./select.ts";

const entry = (id: string, scope: string) => `  - { id: ${id}, status: IN_PROGRESS, owned_scope: [${scope}] }\n`;

test.each<[what: string, entries: string, says: string]>([
  ["only what owns something is offered", entry("A", "src/**") + entry("B", ""), "with one of: A."],
  ["a path that owns nothing is no scope", entry("A", "src/**") + entry("B", "../x"), "with one of: A."],
  ["one that owns nothing is named as that", entry("B", ""), "B is in progress, and owns nothing"],
  ["so are many", entry("B", "") + entry("C", ""), "The intents in progress own nothing"],
  ["nothing is in progress", "  - { id: A, status: PENDING, owned_scope: [src/**] }\n", "No intent is in progress"],
])("%s", (_, entries, says) => {
  const file = readIntentsText("intents.yaml", `active_intents:\n${entries}`);
  expect(file.state === "read" && activeHint(file)).toContain(says);
});
