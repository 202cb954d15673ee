import { expect, test } from "vitest";
import { readIntentsText } from "./intents-file.ts";

/** The entries of a list as they are read, and what is told about them. */
function read(entries: string) {
  const file = readIntentsText("intents.yaml", `active_intents:\n${entries}`);
  if (file.state !== "read") throw new Error(file.state);
  const problems = file.problems.map(({ message, fix, place, code }) => ({ message, fix, line: place?.line, code }));
  return { intents: file.intents, problems };
}

const KNOWN = "Known are PENDING, IN_PROGRESS, BLOCKED, COMPLETED, CANCELLED.";
const NO_ID = (number: number) => ({
  message: `Intent ${number} of the list has no \`id\`, so it cannot be selected.`,
  fix: 'Give it one, such as `id: "INT-001"`.',
});
const NO_TEXTS = {
  message: "`owned_scope` of intent A is not a list of strings; what is not a string in it has no effect.",
  fix: 'Write `owned_scope:` and below it one `- "…"` a line.',
};

test.each<[entries: string, line: number, problem: { message: string; fix: string }]>([
  [
    "  - 5\n",
    2,
    {
      message: "Intent 1 of the list is not an entry with keys; it authorises nothing.",
      fix: "Write it as `- id: INT-001` with `name`, `status` and `owned_scope` below.",
    },
  ],
  ["  - { status: PENDING }\n", 2, NO_ID(1)],
  ["  - { id: A, status: PENDING }\n  - { id: ' ' }\n", 3, NO_ID(2)],
  ["  - { id: true }\n", 2, NO_ID(1)],
  ["  - { id: null }\n", 2, NO_ID(1)],
  ["  - { id: [A] }\n", 2, NO_ID(1)],
  ["  - { id: A }\n", 2, { message: "Intent A has no status; only IN_PROGRESS authorises.", fix: KNOWN }],
  [
    "  - id: A\n    status: IN_PROGRES\n",
    3,
    {
      message: 'Intent A has the status "IN_PROGRES"; only IN_PROGRESS authorises.',
      fix: `Did you mean "IN_PROGRESS"? ${KNOWN}`,
    },
  ],
  ["  - { id: A, status: PENDING, owned_scope: 5 }\n", 2, NO_TEXTS],
  ["  - { id: A, status: PENDING, owned_scope: { a: b } }\n", 2, NO_TEXTS],
  ["  - { id: A, status: PENDING, owned_scope: [a, { b: c }] }\n", 2, NO_TEXTS],
])("what cannot be meant is told at its line: %j", (entries, line, problem) => {
  expect(read(entries).problems).toMatchObject([{ ...problem, line, code: expect.stringMatching(/^intent\//) }]);
});

test("two intents with the same id authorise nothing, and each is reported with its line", () => {
  const { intents, problems } = read(
    "  - { id: A, status: PENDING }\n  - { id: B, status: PENDING }\n  - { id: A, status: PENDING }\n",
  );
  expect(intents.map(({ id, index }) => [id, index])).toEqual([["B", 1]]);
  const doubled = {
    message: "The id A is here and elsewhere in the list; which one is meant is unclear, so it authorises nothing.",
    fix: "Give each intent an id of its own.",
  };
  expect(problems).toMatchObject([
    { ...doubled, line: 2 },
    { ...doubled, line: 4 },
  ]);
});

test.each<[entry: string, read: object]>([
  ["{ id: 5, status: PENDING }", { id: "5", name: "", ownedScope: [], constraints: [], acceptanceCriteria: [] }],
  ["{ id: A, status: PENDING, name: ' N ' }", { name: " N " }],
  ["{ id: A, status: PENDING, owned_scope: null }", { ownedScope: [] }],
  ["{ id: A, status: PENDING, owned_scope: [a, 1] }", { ownedScope: ["a", "1"] }],
  [
    "{ id: A, status: PENDING, constraints: [c], acceptance_criteria: [d] }",
    { constraints: ["c"], acceptanceCriteria: ["d"] },
  ],
  ["{ id: A, status: PENDING, on_unknown: ask }", { onUnknown: "ask" }],
  ["{ id: A, status: PENDING, on_unknown: allow }", { onUnknown: "allow" }],
  ["{ id: A, status: PENDING, on_unknown: deny }", { onUnknown: "deny" }],
  ["{ id: A, status: PENDING, on_unknown: other }", { onUnknown: undefined }],
])("an entry is read as it is written: %s", (entry, expected) => {
  const { intents, problems } = read(`  - ${entry}\n`);
  expect(intents).toMatchObject([expected]);
  expect(problems).toEqual([]);
});
