import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sampleProject } from "../../../tests/undo/sample-project.ts";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { aggregate } from "../../decision/aggregate.ts";
import type { HookResult } from "../../decision/result.ts";
import { HookEvent } from "../../event/event.ts";
import { Hook } from "../../hook/hook.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { readKept, undoFolder } from "./kept-call.ts";
import { isRecoverable, recovered, withLossTold } from "./recover.ts";

const HOOK = Hook.fromJSON({ name: "guard", event: "tool:pre_execute", rules: "tool exists -> continue()" });
const said = (action: HookResult["action"], reason: string, undoable: boolean): HookResult => ({
  hook: HOOK,
  success: true,
  timedOut: false,
  exitCode: 0,
  stdout: "",
  stderr: "",
  durationMs: 1,
  duration: 0.001,
  action,
  shouldContinue: action !== "deny",
  reason,
  ...(undoable ? { undoable: true } : {}),
});

const decided = (results: readonly HookResult[], command = "rm a", cwd = "/p") =>
  aggregate({ event: HookEvent.toolPreExecute("Bash", { command }, { cwd, sessionId: "s" }), results: [...results] });

test.each<[what: string, results: readonly HookResult[], is: boolean]>([
  ["nothing stops the call", [], false],
  ["a rule about losses denies it", [said("deny", "gone", true)], true],
  ["a rule about losses asks", [said("ask", "gone", true)], true],
  ["several of them do", [said("deny", "gone", true), said("ask", "lost", true)], true],
  ["another rule denies it", [said("deny", "no", false)], false],
  ["another rule denies it too", [said("deny", "gone", true), said("deny", "no", false)], false],
  ["others let it pass", [said("deny", "gone", true), said("continue", "", false)], true],
])("a call can be kept and pass where only rules about losses stop it: %s", (_, results, is) => {
  expect(isRecoverable(decided(results))).toBe(is);
});

test("a reason of the decision itself is none that keeping answers, and only a call is kept", () => {
  const decision = decided([said("deny", "gone", true)]);
  expect(isRecoverable({ ...decision, reasons: [...decision.reasons, "cut short"] })).toBe(false);
  expect(isRecoverable({ ...decision, action: "continue" })).toBe(false);
  expect(isRecoverable({ ...decided([]), action: "deny", reasons: [] })).toBe(false);
  const { reason: _, ...unsaid } = said("deny", "", true);
  expect(isRecoverable({ ...decided([unsaid]), reasons: ["cut short"] })).toBe(false);
  expect(isRecoverable({ ...decision, event: HookEvent.sessionStart("s", {}) })).toBe(false);
});

/** What becomes of a denied command in a folder with two files. */
function denied(command: string, isDry = false, input?: object) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-recover-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(join(root, "empty"), { recursive: true });
  for (const name of ["a", "b"]) writeFileSync(join(root, name), "12345");
  const env = { HOME: join(base, "home"), XDG_STATE_HOME: join(base, "state") };
  const decision = decided([said("deny", "gone", true)], command, root);
  const changed = input === undefined ? decision : { ...decision, input };
  const after = recovered(changed, { root, env, settings: UNDO_DEFAULTS, lookups: diskLookups, isDry });
  return { after, kept: readKept(undoFolder(env)) };
}

test("what it destroys is kept first, and the call passes with a note", () => {
  const { after, kept } = denied("rm a");
  const [{ id = "" } = {}] = kept;
  expect(after).toMatchObject({ action: "continue", reasons: [], approved: false, kept: { id, files: 1, bytes: 5 } });
  expect(after.contexts).toEqual([
    `Sluice kept 1 file (5 bytes) first: \`sluice undo ${id}\` brings back what this call destroys.`,
  ]);
  expect(after.toHookDecision()).toMatchObject({ allow: true });
  expect(denied("rm a b").after.contexts[0]).toContain("kept 2 files (10 bytes) first");
  expect(denied("rm -r empty").after.contexts[0]).toContain("kept empty folders first");
});

test.each([
  ["git branch -D topic", "1 git reference"],
  ["git stash clear", "2 git references"],
  ["git reset --hard", "2 files (39 bytes) and 1 git reference"],
])("what %s throws away is kept first: %s", (command, what) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-recover-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = sampleProject(join(base, "project"));
  const env = { HOME: join(base, "home"), XDG_STATE_HOME: join(base, "state") };
  const context = { root, env, settings: UNDO_DEFAULTS, lookups: diskLookups, isDry: true };
  const { contexts } = recovered(decided([said("deny", "gone", true)], command, root), context);
  expect(contexts[0]).toContain(`Sluice would keep ${what} first`);
});

test("what hooks made of the call is what is kept", () => {
  const { after } = denied("rm a", false, { command: "rm a b" });
  expect(after).toMatchObject({ action: "modify", kept: { files: 2 } });
});

test("where it is only shown, nothing is kept", () => {
  const { after, kept } = denied("rm a", true);
  expect(kept).toEqual([]);
  expect(after.contexts[0]).toMatch(/^Sluice would keep 1 file \(5 bytes\) first, so the call passes/);
});

test("where nothing is destroyed the call passes, and where nothing can be kept it is said why", () => {
  const passing = denied("rm missing").after;
  expect(passing).toMatchObject({
    action: "continue",
    contexts: [expect.stringContaining("nothing that is there now")],
  });
  expect(Object.keys(passing)).not.toContain("kept");
  const { after } = denied('rm "$X"');
  expect(after).toMatchObject({ action: "deny" });
  expect(after.reasons).toEqual([
    "gone",
    "Nothing could be kept for `sluice undo`: a path is known only when the command runs.",
  ]);
});

test("an ordinary call of which not all could be kept is asked about where it removes, else noted", () => {
  const [passing, asked] = [decided([]), decided([said("ask", "sure?", false)])];
  const note = "What this call destroys could not be kept for `sluice undo`: too much.";
  const lost = { kind: "not kept", why: "too much" } as const;
  expect(withLossTold(passing, lost)).toMatchObject({ action: "continue", contexts: [note], reasons: [] });
  expect(withLossTold(passing, { ...lost, isRemoval: true })).toMatchObject({
    action: "ask",
    contexts: [],
    reasons: [note],
  });
  expect(withLossTold(asked, { ...lost, isRemoval: true })).toMatchObject({
    action: "ask",
    contexts: [note],
    reasons: ["sure?"],
  });
});
