import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { appendToTrace } from "../trace/change/trace-file.ts";
import { tracePaths } from "../trace/change/trace-paths.ts";
import { append, journalFolder } from "../trace/journal.ts";
import { rememberHookEvent } from "../trace/remember.ts";
import { examineJournal, examineTrace } from "./journal.ts";

/** Two projects of one user, and the journal of both. */
function projects() {
  const home = mkdtempSync(join(tmpdir(), "sluice-journal-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [here, there] = [join(home, "here"), join(home, "there")];
  for (const root of [here, there]) mkdirSync(join(root, ".git"), { recursive: true });
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  return {
    here,
    there,
    fails: (root: string, hook: string, id?: string) =>
      append(journalFolder(env), JSON.stringify(failure(root, hook, id))),
    passes: (root: string, hook: string) => append(journalFolder(env), JSON.stringify(success(root, hook))),
    foundWith: (root: string, ...hooks: string[]) =>
      examineJournal({ env, root, hooks: new Set(hooks) }).map(({ state, what }) => `${state} ${what}`),
    tear: () => append(journalFolder(env), '{"v":1,"id":'),
    unreadable: (payload?: object) => rememberHookEvent({ env, kind: "unreadable", action: "deny", payload }),
    examined: (root: string) => examineJournal({ env, root }),
    found: (root: string) => examineJournal({ env, root }).map(({ state, what }) => `${state} ${what}`),
  };
}

function failure(root: string, hook: string, id = "0"): object {
  return recordOf(root, id, { hook, failure: "exit_code", action: "continue", file: join(root, ".sluice/hooks.yaml") });
}

function success(root: string, hook: string): object {
  return recordOf(root, "0", { hook, action: "continue" });
}

function recordOf(root: string, id: string, result: object): object {
  const results = [result];
  const time = new Date().toISOString();
  return { v: 1, id, time, kind: "decision", event: "Stop", action: "continue", reasons: [], root, results };
}

it("what failed in this project is wrong", () => {
  const { here, fails, unreadable, found } = projects();
  for (const _ of [1, 2, 3]) fails(here, "x");
  unreadable({ cwd: join(here, "deeper") });
  expect(found(here)).toEqual([
    "fine 4 calls recorded here in the last day",
    'wrong hook "x" failed 3 times in the last day.',
    "wrong 1 payload could not be read in the last day; the calls were blocked.",
  ]);
});

it("what failed in another project is only worth knowing, and is told with its folder", () => {
  const { here, there, fails, unreadable, found } = projects();
  fails(there, "x");
  unreadable({ cwd: there });
  unreadable();
  expect(found(here).toSorted()).toEqual([
    `note in ${there}: 1 payload could not be read in the last day; the calls were blocked.`,
    `note in ${there}: hook "x" failed 1 time in the last day.`,
    "note in a call without a folder: 1 payload could not be read in the last day; the calls were blocked.",
    "note no call was recorded here in the last day; no agent has called, or no hook matched.",
  ]);
});

it("the next step names the last decision in which a hook failed", () => {
  const { here, fails, examined } = projects();
  for (const id of ["aaaaaa", "bbbbbb"]) fails(here, "x", id);
  fails(here, "y", "cccccc");
  expect(examined(here).map(({ fix }) => fix)).toEqual([
    undefined,
    "`sluice why cccccc` shows how it went the last time.",
    "`sluice why bbbbbb` shows how it went the last time.",
  ]);
});

it("a hook that failed and is gone, or has run since, is only worth knowing", () => {
  const { here, fails, passes, foundWith } = projects();
  for (const hook of ["gone", "mended", "still"]) fails(here, hook);
  passes(here, "mended");
  passes(here, "still");
  fails(here, "still");
  expect(foundWith(here, "mended", "still").toSorted()).toEqual([
    "fine 6 calls recorded here in the last day",
    'note hook "gone" failed 1 time in the last day; it is gone now.',
    'note hook "mended" failed 1 time in the last day, and not since.',
    'wrong hook "still" failed 2 times in the last day.',
  ]);
});

it("one torn line is one line", () => {
  const { here, tear, found } = projects();
  tear();
  expect(found(here)).toContain("note 1 line of the journal is torn.");
});

/** A project with so many records in its trace. */
function traced(records: number) {
  const root = mkdtempSync(join(tmpdir(), "sluice-doctor-trace-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = { XDG_STATE_HOME: join(root, "state") };
  const place = tracePaths({ root, env });
  for (let turn = 0; turn < records; turn++) appendToTrace(place, { turn });
  return { place, found: (most?: number) => examineTrace({ root, env }, most) };
}

it("nothing is said about a trace where none is kept", () => {
  expect(traced(0).found()).toEqual([]);
});

it("a whole trace is fine, with what its records say about themselves", () => {
  const { place, found } = traced(1);
  expect(found()).toEqual([{ state: "fine", what: "trace OK, hash chain intact: 1 record" }]);
  writeFileSync(place.file, `${readFileSync(place.file, "utf8")}{"torn`);
  expect(found()).toMatchObject([{ state: "fine" }, { state: "note", what: expect.stringContaining("torn") }]);
});

it("a changed record is wrong, with its line and the next step", () => {
  const { place, found } = traced(3);
  writeFileSync(place.file, readFileSync(place.file, "utf8").replace('"turn":1', '"turn":7'));
  expect(found()).toMatchObject([
    {
      state: "wrong",
      what: "the trace is broken: the record was changed. 1 record fits up to there.",
      fix: expect.stringContaining("sluice trace verify"),
      place: { file: place.file, line: 2 },
    },
  ]);
});

it("a folder in the place of the trace is wrong", () => {
  const { place, found } = traced(0);
  mkdirSync(place.file, { recursive: true });
  expect(found()).toMatchObject([{ state: "wrong", place: { file: place.file } }]);
});

it("a trace that takes long to read is not looked through, and that is said", () => {
  expect(traced(3).found(100)).toMatchObject([
    { state: "note", what: "the trace has 1 MiB and was not looked through." },
  ]);
});
