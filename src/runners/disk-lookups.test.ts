import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { HookEvent } from "../event/event.ts";
import { diskLookups, isMissing, resolvedElsewhere } from "./disk-lookups.ts";

let base: string;
let project: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-real-")));
  project = join(base, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(base, "far", "deep"), { recursive: true });
  writeFileSync(join(project, "src", "a.ts"), "");
  symlinkSync(join(base, "far", "deep"), join(project, "link"));
  symlinkSync("src", join(project, "alias"));
  symlinkSync(join(base, "far", "not-yet"), join(project, "open"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ["src/a.ts", true, undefined],
  ["./src/a.ts", true, undefined],
  ["src/new.ts", true, undefined],
  ["src/../src/a.ts", true, "src/a.ts"],
  ["alias/a.ts", true, "src/a.ts"],
  ["link/x", true, "BASE/far/deep/x"],
  ["link/../x", true, "BASE/far/x"],
  ["open", true, "BASE/far/not-yet"],
  ["open", false, undefined],
  ["link", true, "BASE/far/deep"],
  ["link", false, undefined],
  ["link/x", false, "BASE/far/deep/x"],
  ["BASE/project/src/a.ts", true, undefined],
])("%s, followed %s, leads to %s", (path, isFollowed, place) => {
  const opened = (text: string | undefined) => text?.replace("BASE", base);
  expect(resolvedElsewhere(project, opened(path) ?? "", isFollowed)).toBe(opened(place));
});

test.each([
  ["src/a.ts", false],
  ["src/new.ts", true],
  ["new/new.ts", false],
  ["link", false],
])("whether nothing lies at %s yet, in a folder that is there: %s", (path, expected) => {
  expect(isMissing(project, path)).toBe(expected);
});

test("a script that changes between two calls is read again, also where its size and its time stay", () => {
  const script = join(project, "deploy.sh");
  const read = () =>
    diskLookups(HookEvent.toolPreExecute("bash", { command: "x" }, { cwd: project })).script?.("deploy.sh");
  expect(read()).toBeUndefined();
  writeFileSync(script, "rm -rf one");
  // The file has been left alone for a while.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  expect([read(), read()]).toEqual(["rm -rf one", "rm -rf one"]);
  writeFileSync(script, "rm -rf two");
  expect(read()).toBe("rm -rf two");
  const { atime, mtime } = statSync(script);
  writeFileSync(`${script}.new`, "rm -rf six");
  utimesSync(`${script}.new`, atime, mtime);
  renameSync(`${script}.new`, script);
  expect(read()).toBe("rm -rf six");
  rmSync(script);
  expect(read()).toBeUndefined();
  mkdirSync(script);
  expect(read()).toBeUndefined();
  clock.mockRestore();
});
