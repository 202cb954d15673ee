import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../tests/cases.ts";
import { aggregate } from "../decision/aggregate.ts";
import type { HookResult } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { decisionRecord } from "./record.ts";
import { redactor } from "./redact.ts";
import { decisionLine } from "./remember.ts";

const OWN_SECRET = "hunter2-hunter2";
const WORDS = [
  ...["ls -la src", "git status", "a", "", "é", "…[shortened from 9 characters]", "[left out]", "0".repeat(5000)],
  ...[`ghp_${"aB3dE5gH7j".repeat(4)}`, "AKIAIOSFODNN7EXAMPLE", OWN_SECRET, encodeURIComponent("hunter2-hunter2")],
  ...[
    `curl -H "Authorization: Bearer ${"aB3dE5gH".repeat(4)}"`,
    "it's",
    "`date`",
    "back\\slash",
    "new\nline",
    "\u0001",
  ],
  ...["--password", "s3cr3t-s3cr3t", "correct horse battery staple", "q8Zk3LpW9vTn2Xb7", "https://u:pass1234@h/x"],
];
const NAMES = [
  "command",
  "file_path",
  "content",
  "password",
  "token",
  "apiKey",
  "auth",
  "__proto__",
  "pat",
  "DATABASE_URL",
];

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...WORDS),
    fc.constantFrom<unknown>(1, 0.5, null, true, undefined),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("any"), { maxKeys: 3 }),
  ),
})).any;

function result(said: Partial<HookResult>): HookResult {
  const hook = Hook.fromJSON({ name: said.reason ?? "guard", event: "tool:pre_execute", command: "true" });
  const ran = { success: true, shouldContinue: true, timedOut: false, exitCode: 0, stdout: "", stderr: "" };
  return { hook, action: "continue", ...ran, duration: 0, durationMs: 1.5, ...said };
}

it.each([
  [
    "a circle",
    () => Object.assign({}, { self: {} as object }),
    (args: { self: object }) => Object.assign(args, { self: args }),
  ],
  [
    "a getter that throws",
    () => ({}),
    (args: object) =>
      Object.defineProperty(args, "a", {
        enumerable: true,
        get: () => {
          throw new Error("no");
        },
      }),
  ],
  [
    "a value that says something else of itself",
    () => ({}),
    (args: object) => Object.assign(args, { toJSON: () => ({ pass: "q8Zk3LpW9vTn2Xb7" }) }),
  ],
] as [string, () => object, (args: never) => object][])("an event may hold anything: %s", (_, make, change) => {
  const event = HookEvent.toolPreExecute("Bash", change(make() as never), { cwd: "/p" });
  const { line } = decisionLine(aggregate({ event, results: [] }), {}, redactor());
  expect(JSON.parse(line).event).toBe("tool:pre_execute");
  expect(line).not.toContain("q8Zk3LpW9vTn2Xb7");
});

it("a line of the journal says what the record says, and nothing that the record leaves out", () => {
  const redact = redactor([OWN_SECRET]);
  let lines = 0;
  fc.assert(
    fc.property(value, fc.constantFrom(...WORDS), fc.constantFrom("continue", "deny"), (args, word, action) => {
      const event = HookEvent.toolPreExecute("Bash", args, { sessionId: word, cwd: "/p", agent: "x" });
      const decision = aggregate({ event, results: [result({ action, reason: word })] });
      const extras = { root: "/p", notes: [word], durationMs: 1, isResident: true };
      const { line } = decisionLine(decision, extras, redact);
      const { id: _, time: __, ...said } = JSON.parse(line);
      const { id: ___, time: ____, ...whole } = JSON.parse(JSON.stringify(decisionRecord(decision, extras, redact)));
      expect(said).toEqual(whole);
      if (!line.includes("[redacted")) lines++;
    }),
    { numRuns: cases(200, 20_000) },
  );
  expect(lines).toBeGreaterThan(20);
});
