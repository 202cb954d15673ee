import { expect, test } from "vitest";
import { readIntentsText } from "./intents-file.ts";
import { grantCommand, openRequests, whyNotAskable } from "./scope-requests.ts";

/** What is open of a request for these paths, under a scope. */
function open(scope: readonly string[], requests: unknown) {
  const entry = { id: "A", status: "IN_PROGRESS", owned_scope: scope, scope_requests: requests };
  const file = readIntentsText("x.yaml", JSON.stringify({ active_intents: [{ id: "B" }, entry] }));
  const intent = file.state === "read" ? file.intents.find(({ id }) => id === "A") : undefined;
  if (file.state !== "read" || intent === undefined) throw new Error("not read");
  return openRequests(file, intent);
}

test("a request is told with who asked, when and why, as far as that is written down", () => {
  const whole = { paths: ["a.ts"], reason: "why", requested_at: "2026-01-01", requested_by: "claude" };
  expect(open([], [whole, { paths: "b.ts", reason: " ", requested_by: 5 }])).toEqual([
    { paths: ["a.ts"], reason: "why", at: "2026-01-01", by: "claude" },
    { paths: ["b.ts"], reason: "", at: "", by: undefined },
  ]);
});

test.each<[scope: string, path: string, isOpen: boolean]>([
  ["src/**", "src/a.ts", false],
  ["src/**", "src/.env", false],
  ["src/**", "src/**", false],
  ["src/", "src/a.ts", false],
  ["./src/a.ts", "src/a.ts", false],
  ["src/a.ts", "./src//a.ts", false],
  ["src/*", "src/deep/", true],
  ["src/*.ts", "src/deep/a.ts", true],
  ["src/**", "srcs/a.ts", true],
  ["#odd/**", "#odd/a", false],
  ["!src/**", "src/a.ts", true],
  ["/etc/**", "/etc/x", true],
  ["/etc/**", "/etc/**", false],
])("under the scope %j a request for %j is open: %s", (scope, path, isOpen) => {
  expect(open([scope], [{ paths: [path] }])).toHaveLength(isOpen ? 1 : 0);
});

test("only what is not owned yet is open, and what is no request is none", () => {
  expect(open(["a/**"], [{ paths: ["a/x", "b/x", 5] }])).toMatchObject([{ paths: ["b/x"] }]);
  expect(open([], [{ paths: [] }, "x", null, { paths: [5] }])).toEqual([]);
  for (const none of ["x", null, { paths: ["a"] }]) expect(open([], none)).toEqual([]);
});

test("the command that grants paths says what it seems to say", () => {
  expect(grantCommand("INT-001", ["src/**", "a b", "it's $x", "ä.ts"])).toBe(
    `sluice intents scope add INT-001 "src/**" "a b" 'it'\\''s $x' "ä.ts"`,
  );
  expect(grantCommand("a b;c", ["x"])).toBe(`sluice intents scope add 'a b;c' "x"`);
});

test.each([
  ["src/a.ts", undefined],
  ["a\u200bb", "invisible"],
  ["a\nb", "invisible"],
  ["!src/**", "take something out"],
  ["-rf", "like an option"],
  ["../x", "climbs"],
])("why %j cannot be asked for", (path, why) => {
  const told = whyNotAskable(path);
  if (why === undefined) expect(told).toBe(undefined);
  else expect(told).toContain(why);
});
