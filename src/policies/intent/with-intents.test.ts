import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXAMPLE, project } from "../../../tests/intent/project.ts";
import { aggregate } from "../../decision/aggregate.ts";
import { HookEvent } from "../../event/event.ts";
import { bindSession, boundIntent } from "./binding.ts";
import { bindApproved, type Governed, withIntents } from "./with-intents.ts";

const SESSION = { agent: "a", sessionId: "s" };
type Place = ReturnType<typeof project>;

const decided = ({ root }: Place, tool: string, args: object) =>
  aggregate({ event: HookEvent.toolPreExecute(tool, args, { cwd: root, ...SESSION }), results: [] });
const rules = ({ root, env }: Place, more: Partial<Governed> = {}): Governed => ({
  root,
  env,
  mode: "enforce",
  onUnknown: "ask",
  canAsk: true,
  ...more,
});
const write = { file_path: "src/db.ts", content: "x" };
const select = { intent_id: "INT-001" };
const bound = ({ root, env }: Place) => boundIntent(root, SESSION, { env });

test("a write outside of the scope is denied, advised against, or nothing is said", () => {
  const place = project();
  bindSession(place.root, SESSION, "INT-001", place);
  const decision = decided(place, "Write", write);
  const said = (mode: Governed["mode"]) => withIntents(decision, rules(place, { mode }));
  expect(said("enforce")).toMatchObject({
    action: "deny",
    results: [
      {
        code: "SCOPE_VIOLATION",
        shouldContinue: false,
        hook: expect.objectContaining({ name: "intents" }),
        success: true,
        timedOut: false,
        exitCode: 0,
        stdout: "",
        stderr: "",
      },
    ],
  });
  expect(said("enforce").results[0]?.hook.origin).toMatchObject({ layer: "managed", place: { file: "built in" } });
  const advised = said("advise");
  expect(advised).toMatchObject({ action: "continue", results: [{ wouldBe: "deny", shouldContinue: true }] });
  expect(advised.contexts).toEqual([
    expect.stringMatching(/^Intents are only advised here\. This would have been stopped: SCOPE_VIOLATION: /),
  ]);
  expect(said("off")).toBe(decision);
});

test("what is unknown is asked about", () => {
  const place = project();
  bindSession(place.root, SESSION, "INT-001", place);
  const said = withIntents(decided(place, "mcp__x__convert", {}), rules(place));
  expect(said).toMatchObject({ action: "ask", results: [{ action: "ask", shouldContinue: true }] });
});

test("what changes nothing, and what is no call, stays as it was decided", () => {
  const place = project();
  const decision = decided(place, "Read", { file_path: "src/db.ts" });
  expect(withIntents(decision, rules(place))).toBe(decision);
  const after = aggregate({ event: HookEvent.toolPostExecute("Write", write, "ok", SESSION), results: [] });
  expect(withIntents(after, rules(place))).toBe(after);
});

test.each(["enforce", "advise", "off"] as const)("a selection binds the session and gives the context: %s", (mode) => {
  const place = project();
  const said = withIntents(decided(place, "select_active_intent", select), rules(place, { mode }));
  expect(said.action).toBe("continue");
  expect(said.contexts).toEqual([expect.stringContaining('<intent id="INT-001"')]);
  expect(bound(place)).toBe("INT-001");
});

test("a selection that is denied or asked about binds nothing, until it is approved", () => {
  const place = project();
  const decision = decided(place, "select_active_intent", select);
  for (const action of ["deny", "ask"] as const) {
    expect(withIntents({ ...decision, action }, rules(place)).action).toBe(action);
    expect(bound(place)).toBe(undefined);
  }
  bindApproved(decided(place, "Write", write), place.root, place);
  expect(bound(place)).toBe(undefined);
  bindApproved(decision, place.root, place);
  expect(bound(place)).toBe("INT-001");
});

test("what hooks made of the call counts", () => {
  const place = project({ ".orchestration/active_intents.yaml": `${EXAMPLE}    - id: B\n      status: IN_PROGRESS\n` });
  const decision = { ...decided(place, "select_active_intent", select), input: { intent_id: "B" } };
  withIntents(decision, rules(place));
  expect(bound(place)).toBe("B");
  bindApproved({ ...decision, input: select }, place.root, place);
  expect(bound(place)).toBe("INT-001");
  bindApproved(decision, place.root, place);
  expect(bound(place)).toBe("B");
});

test("a session that cannot be bound is denied with the reason", () => {
  const place = project();
  bindSession(place.root, { agent: "other", sessionId: "t" }, "INT-001", place);
  const folder = join(place.env.XDG_STATE_HOME, "sluice/intents");
  chmodSync(join(folder, readdirSync(folder)[0] ?? ""), 0o777);
  const said = withIntents(decided(place, "select_active_intent", select), rules(place));
  const reason = expect.stringMatching(/^HOOK_ERROR: the session could not be bound to INT-001: Other users can write/);
  expect(said).toMatchObject({ action: "deny", reasons: [reason] });
});

test("where its file cannot be written, the denial says which, why and what ends that", () => {
  const place = project();
  const state = join(place.env.XDG_STATE_HOME, "sluice");
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, "intents"), "");
  const { reasons } = withIntents(decided(place, "select_active_intent", select), rules(place));
  expect(reasons.join()).toMatch(
    /^HOOK_ERROR: the session could not be bound to INT-001: \/.+ cannot be written, a part of the path is a file\. Make room/,
  );
});
