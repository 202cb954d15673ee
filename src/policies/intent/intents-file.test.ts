import { expect, test } from "vitest";
import { EXAMPLE } from "../../../tests/intent/project.ts";
import { readIntentsText } from "./intents-file.ts";

const read = (text: string) => readIntentsText("active_intents.yaml", text);

test("the example of the file is read to the letter", () => {
  expect(read(EXAMPLE)).toMatchObject({
    state: "read",
    problems: [],
    intents: [
      {
        id: "INT-001",
        name: "JWT Authentication Migration",
        status: "IN_PROGRESS",
        ownedScope: ["src/auth/**", "src/middleware/jwt.ts"],
        constraints: ["Must not use external auth providers"],
        acceptanceCriteria: ["Unit tests in tests/auth/ pass"],
      },
    ],
  });
});

test("a file that cannot be read is told in words about intents", () => {
  const file = read("active_intents: [\n");
  const message = file.state === "corrupt" ? file.problem.message : "";
  expect(message).toMatch(/^The file of intents cannot be used: .+\. No intent authorises anything\.$/);
  expect(message).not.toMatch(/hook/);
});

test.each([
  ["allow", "allow"],
  ["ask", "ask"],
  ["deny", "deny"],
  ["maybe", undefined],
  ["true", undefined],
])("what an intent says about the unknown counts where it is a known word: %s", (word, onUnknown) => {
  const file = read(`active_intents:\n  - { id: A, status: IN_PROGRESS, on_unknown: ${word} }\n`);
  expect(file.state === "read" && file.intents[0]?.onUnknown).toBe(onUnknown);
});

test.each<[what: string, text: string]>([
  ["an empty file", ""],
  ["only comments", "# nothing yet\n"],
  ["a list without entries", "active_intents: []\n"],
  ["a key without a value", "active_intents:\n"],
])("%s has no intents", (_, text) => {
  expect(read(text)).toMatchObject({ state: "read", intents: [], problems: [] });
});

test.each<[what: string, text: string, code: string]>([
  ["no YAML", "active_intents: [\n", "intent/unreadable"],
  ["another key", "intents: []\n", "intent/no-list"],
  ["a list at the top", "- id: INT-001\n", "intent/no-list"],
  ["a text instead of the list", "active_intents: all\n", "intent/no-list"],
  ["a doubled key", "active_intents: []\nactive_intents: []\n", "intent/unreadable"],
  ["a tag", "active_intents: !!js/function x\n", "intent/unreadable"],
  ["what nests without end", `active_intents: ${"[".repeat(20_000)}\n`, "intent/unreadable"],
])("%s makes the file corrupt, and says where", (_, text, code) => {
  const file = read(text);
  expect(file.state).toBe("corrupt");
  expect(file).toMatchObject({ problem: { code, place: { file: "active_intents.yaml" } } });
  expect(file.state === "corrupt" && file.problem.format()).not.toMatch(/hooks/);
});

const two = (first: string, second: string) => `active_intents:\n  - ${first}\n  - ${second}\n`;
const good = '{ id: B, name: b, status: IN_PROGRESS, owned_scope: ["b/**"] }';

test.each<[what: string, entry: string, code: string]>([
  ["an entry without an id", "{ name: a }", "intent/no-id"],
  ["an entry that is a text", "just words", "intent/no-entry"],
  ["a scope that is no list", "{ id: A, status: IN_PROGRESS, owned_scope: src }", "intent/no-texts"],
  ["an unknown status", "{ id: A, status: IN_PROGRES }", "intent/status"],
  ["no status", "{ id: A }", "intent/status"],
])("%s is told with its place, and the others stay", (_, entry, code) => {
  const file = read(two(entry, good));
  expect(file).toMatchObject({ state: "read", problems: [{ code, place: { line: 2 } }] });
  expect(file.state === "read" && file.intents.map(({ id }) => id)).toContain("B");
});

test("an id that stands twice belongs to no intent", () => {
  const file = read(two(good, good.replace("name: b", "name: c")));
  expect(file).toMatchObject({ state: "read", intents: [], problems: [{ code: "intent/doubled-id" }, {}] });
});
