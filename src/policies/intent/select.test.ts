import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../../../tests/intent/project.ts";
import { bindSession } from "./binding.ts";
import { intentsPath, readIntentsText } from "./intents-file.ts";
import { recentChanges } from "./recent-changes.ts";
import { grantCommand, openRequests, whyNotAskable } from "./scope-requests.ts";
import { activeHint } from "./select.ts";
import { selectableIntent, selectForSession } from "./select-for-session.ts";

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

const SESSION = { agent: "a", sessionId: "s" };

test("an intent that cannot be selected is refused, with what can be", () => {
  const { root, env } = project();
  const select = (id: string) => selectForSession(root, SESSION, id, { env });
  expect(select(" INT-001 ")).toContain('<intent id="INT-001"');
  expect(() => select("")).toThrow(
    /no intent is named\. Call select_active_intent with one of: INT-001 \(JWT Authentication Migration\)\./,
  );
  expect(() => select("INT-009")).toThrow('This intent cannot be selected: there is no intent "INT-009". Call');
  writeFileSync(intentsPath(root), `active_intents:\n  - { id: A, owned_scope: [src/**] }\n`);
  expect(() => select("B")).toThrow('there is no intent "B".');
  expect(() => select("A")).toThrow(
    "intent A is without a status; only IN_PROGRESS authorises. No intent is in progress",
  );
  writeFileSync(intentsPath(root), `active_intents:\n${entry("A", "src/**")}${entry("A", "lib/**")}`);
  expect(() => select("A")).toThrow("the id A is in the list more than once. No intent is in progress");
  writeFileSync(intentsPath(root), `active_intents:\n  - { id: A, status: PENDING }\n`);
  expect(() => select("A")).toThrow("intent A is PENDING; only IN_PROGRESS authorises.");
  writeFileSync(intentsPath(root), "active_intents: [");
  expect(() => select("A")).toThrow("cannot be used");
  rmSync(intentsPath(root));
  expect(() => select("INT-001")).toThrow(`The project has no intents: ${intentsPath(root)} is not there.`);
});

test("a session is told how many others work on other intents", () => {
  const { root, env } = project();
  const told = () => selectForSession(root, SESSION, "INT-001", { env });
  const other = (id: string) => bindSession(root, { agent: "a", sessionId: id }, "INT-002", { env });
  bindSession(root, { agent: "a", sessionId: "same" }, "INT-001", { env });
  expect(told()).not.toContain("is worked on by");
  other("x");
  expect(told()).toContain("INT-002 is worked on by another session");
  other("y");
  expect(told()).toContain("INT-002 is worked on by 2 other sessions");
});

test("the latest changes of an intent are told, the newest last", () => {
  const { root } = project();
  const change = (intent_id: string, more: object) => JSON.stringify({ intent_id, ...more });
  const files = [{ relative_path: "src/a.ts" }, {}];
  const lines = [
    ...Array.from({ length: 6 }, (_, at) => change("A", { timestamp: `t${at}`, mutation_class: "NEW", files })),
    change("B", { timestamp: "other" }),
    "torn",
    change("A", {}),
  ];
  writeFileSync(join(root, ".orchestration/agent_trace.jsonl"), lines.join("\n"));
  expect(recentChanges(root, "A").map(({ time }) => time)).toEqual(["t2", "t3", "t4", "t5", ""]);
  expect(recentChanges(root, "A", 2)).toEqual([
    { time: "t5", mutation: "NEW", files: ["src/a.ts", "?"] },
    { time: "", mutation: "", files: [] },
  ]);
  expect(recentChanges(join(root, "nowhere"), "A")).toEqual([]);
});

test.runIf(existsSync("/proc/self/fd"))("the file that changes are read from is closed", () => {
  const { root } = project({ ".orchestration/agent_trace.jsonl": "" });
  const open = readdirSync("/proc/self/fd").length;
  for (let turn = 0; turn < 50; turn++) recentChanges(root, "A");
  expect(readdirSync("/proc/self/fd").length).toBeLessThan(open + 20);
});

test.each([
  ["src/a.ts", undefined],
  ["-x", "it begins like an option"],
  ["!src", "it would take something out of the scope"],
  ["a\u200bb", "it holds invisible characters"],
  ["../x", "it climbs with `..`"],
])("whether a path can be asked for: %j", (path, why) => {
  expect(whyNotAskable(path)).toBe(why);
});

test("the command that grants a request says what it seems to say", () => {
  expect(grantCommand("INT-001", ["src/a b.ts", "it's/$HOME"])).toBe(
    `sluice intents scope add INT-001 "src/a b.ts" 'it'\\''s/$HOME'`,
  );
  expect(grantCommand("a b", ["x"])).toBe('sluice intents scope add "a b" "x"');
});

test("a request is open until what it asks for is owned, however the scope is written", () => {
  const open = (scope: string, paths = "[src/a.ts]") => {
    const request = `{ paths: ${paths}, reason: " ", requested_by: me }`;
    const text = `active_intents:\n  - { id: A, status: IN_PROGRESS, owned_scope: [${scope}], scope_requests: [${request}] }\n`;
    const file = readIntentsText("intents.yaml", text);
    if (file.state !== "read" || file.intents[0] === undefined) throw new Error("not read");
    return openRequests(file, file.intents[0]);
  };
  expect(open("docs/**")).toEqual([{ paths: ["src/a.ts"], reason: "", at: "", by: "me" }]);
  expect(open("docs/**", "src/a.ts")).toHaveLength(1);
  expect(open("docs/**", "[5]")).toEqual([]);
  for (const scope of ["src/a.ts", "src/**", "src/", "./src/a.ts", "src//a.ts"]) expect(open(scope), scope).toEqual([]);
  for (const scope of ["../src/**", '"!src/a.ts"', "src/b.ts"]) expect(open(scope), scope).toHaveLength(1);
});

test("sessions are counted for each intent, and at most ten intents are offered", () => {
  const { root, env } = project();
  for (const [session, id] of Object.entries({ x: "INT-002", y: "INT-003", z: "INT-003" }))
    bindSession(root, { agent: "a", sessionId: session }, id, { env });
  const told = selectForSession(root, SESSION, "INT-001", { env });
  expect(told).toContain("INT-002 is worked on by another session");
  expect(told).toContain("INT-003 is worked on by 2 other sessions");
  const file = readIntentsText(
    "intents.yaml",
    `active_intents:\n${Array.from({ length: 11 }, (_, at) => entry(`I${at}`, "a")).join("")}`,
  );
  expect(file.state === "read" && activeHint(file)).toMatch(/one of: I0, I1, .*I9\.$/);
});

test("what keeps an intent from being selected says the next step", () => {
  const { root } = project();
  const select = (id: string) => () => selectableIntent(root, id);
  const problem = (code: string, fix: string) => expect.objectContaining({ code, fix });
  expect(select("INT-001")().id).toBe("INT-001");
  expect(select("INT-009")).toThrow(
    problem("intent/not-selectable", "`sluice intents list` shows what is in progress."),
  );
  rmSync(intentsPath(root));
  expect(select("INT-001")).toThrow(problem("intent/no-file", "Declare one with `sluice intents new`."));
});
