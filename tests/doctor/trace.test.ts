import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { examineTrace } from "../../src/doctor/journal.ts";
import { tracePaths } from "../../src/trace/change/trace-paths.ts";
import { appendToTrace } from "../../src/trace/change/trace-file.ts";

/** A project with so many records in its trace. */
function project(records: number) {
  const root = mkdtempSync(join(tmpdir(), "sluice-doctor-trace-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = { XDG_STATE_HOME: join(root, "state") };
  const place = tracePaths({ root, env });
  for (let turn = 0; turn < records; turn++) appendToTrace(place, { turn });
  return { place, found: (most?: number) => examineTrace({ root, env }, most) };
}

it("nothing is said about a trace where none is kept", () => {
  expect(project(0).found()).toEqual([]);
});

it("a whole trace is fine, with what its records say about themselves", () => {
  const { place, found } = project(1);
  expect(found()).toEqual([{ state: "fine", what: "trace OK, hash chain intact: 1 record" }]);
  writeFileSync(place.file, `${readFileSync(place.file, "utf8")}{"torn`);
  expect(found()).toMatchObject([{ state: "fine" }, { state: "note", what: expect.stringContaining("torn") }]);
});

it("a changed record is wrong, with its line and the next step", () => {
  const { place, found } = project(3);
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
  const { place, found } = project(0);
  mkdirSync(place.file, { recursive: true });
  expect(found()).toMatchObject([{ state: "wrong", place: { file: place.file } }]);
});

it("a trace that takes long to read is not looked through, and that is said", () => {
  expect(project(3).found(100)).toMatchObject([
    { state: "note", what: "the trace has 1 MiB and was not looked through." },
  ]);
});
