import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { afterAnswer, callerImpersonator } from "./answer-request.ts";

const FOLDER = realpathSync(tmpdir());

/** A process with an environment of its own. */
function stand(own: Record<string, string>) {
  const folder = process.cwd();
  onTestFinished(() => process.chdir(folder));
  return { own, standIn: callerImpersonator(own) };
}

it("ends no daemon when what is left for after the answer fails", async () => {
  const done: string[] = [];
  afterAnswer(() => {
    throw new Error("no room");
  });
  afterAnswer(() => void done.push("the next"));
  await new Promise((turn) => setImmediate(turn));
  expect(done).toEqual(["the next"]);
});

it("takes the folder and the variables of the caller, and none of those of the caller before", () => {
  const { own, standIn } = stand({ HOME: "/h", PATH: "/bin" });
  expect(standIn({ HOME: "/h", ONE: "1", TMPDIR: "/a" }, FOLDER)).toBe(true);
  expect(own).toEqual({ HOME: "/h", PATH: "/bin", ONE: "1", TMPDIR: "/a" });
  expect(standIn({ HOME: "/h", TMPDIR: "/b" }, FOLDER)).toBe(true);
  expect(own).toEqual({ HOME: "/h", PATH: "/bin", TMPDIR: "/b" });
  expect(process.cwd()).toBe(FOLDER);
});

it.each(["PATH", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "GIT_DIR", "NODE_OPTIONS", "SLUICE_RUN"])(
  "never takes from a caller what says which programs run: %s",
  (name) => {
    const { own, standIn } = stand({ HOME: "/h", PATH: "/bin" });
    expect(standIn({ HOME: "/h", [name]: "/evil" }, FOLDER)).toBe(true);
    expect(own).toEqual({ HOME: "/h", PATH: "/bin" });
  },
);

it.each(["Path", "path", "PathExt", "ComSpec", "git_dir"])(
  "nor, where the case of a name does not count, in any other spelling: %s",
  (name) => {
    const own = { USERPROFILE: "C:\\u", Path: "C:\\bin" };
    const folder = process.cwd();
    onTestFinished(() => process.chdir(folder));
    expect(callerImpersonator(own, "win32")({ USERPROFILE: "C:\\u", [name]: "C:\\evil" }, FOLDER)).toBe(true);
    expect(own).toEqual({ USERPROFILE: "C:\\u", Path: "C:\\bin" });
  },
);

it.each([
  ["another home", { HOME: "/other" }, FOLDER],
  ["another profile", { HOME: "/h", USERPROFILE: "/other" }, FOLDER],
  ["another place for configuration", { HOME: "/h", XDG_CONFIG_HOME: "/c" }, FOLDER],
  ["another place for what is remembered", { HOME: "/h", XDG_STATE_HOME: "/s" }, FOLDER],
  ["a folder that is not there", { HOME: "/h" }, "/no/such/folder"],
])("does not stand in for a caller with %s", (_, env, cwd) => {
  const { own, standIn } = stand({ HOME: "/h" });
  expect(standIn(env, cwd)).toBe(false);
  expect(own).toEqual({ HOME: "/h" });
});

it("stands in the folder that has that name now, also where another one had it for the call before", () => {
  const { standIn } = stand({ HOME: "/h" });
  const around = realpathSync(mkdtempSync(join(tmpdir(), "sluice-stand-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const [place, old] = [join(around, "project"), join(around, "old")];
  mkdirSync(place);
  expect(standIn({ HOME: "/h" }, place)).toBe(true);
  renameSync(place, old);
  mkdirSync(place);
  writeFileSync(join(place, "here"), "");
  expect(standIn({ HOME: "/h" }, place)).toBe(true);
  expect(readdirSync(".")).toEqual(["here"]);
  rmSync(place, { recursive: true });
  expect(standIn({ HOME: "/h" }, place)).toBe(false);
  mkdirSync(place);
  expect(standIn({ HOME: "/h" }, place)).toBe(true);
  expect(readdirSync(".")).toEqual([]);
});
