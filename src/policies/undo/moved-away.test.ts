import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { movedHere, rememberMoves } from "../../runners/disposable-paths.ts";
import { rememberMovedAway } from "./moved-away.ts";

const PLACES = ["away/b", "away/b~/x", "home/a", "home/b", "project/b", "project/sub/b", "project/a"];

/** Where a command has moved something to, of these places. */
function remembered(command: string | undefined, cwd = "project") {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-moved-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("HOME", join(base, "home"));
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
  for (const name of ["project/sub", "away", "home"]) mkdirSync(join(base, name), { recursive: true });
  for (const name of ["project/a", "away/c"]) writeFileSync(join(base, name), "");
  const around = { cwd: join(base, cwd), sessionId: "s" };
  const args = { command: command?.replaceAll("BASE", base) };
  const event =
    command === undefined ? HookEvent.sessionStart("s", {}, around) : HookEvent.toolPreExecute("Bash", args, around);
  rememberMovedAway(event, join(base, "project"));
  expect(movedHere(join(base, "away"), "other")).toBe(false);
  return {
    places: PLACES.filter((name) => movedHere(join(base, name), "s")),
    isWritten: existsSync(join(base, "state")),
  };
}

test("where the notes about moves cannot be read, anything outside of the project may have been moved there", () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-moved-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
  rememberMoves([join(base, "a")], "s");
  expect([movedHere(join(base, "a"), "s"), movedHere(join(base, "b"), "s")]).toEqual([true, false]);
  const folder = join(base, "state/sluice/moved");
  const [name = ""] = readdirSync(folder);
  appendFileSync(join(folder, name), `${Date.now()} "torn`);
  expect(movedHere(join(base, "b"), "s")).toBe(true);
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
  expect(movedHere(join(base, "b"), "s")).toBe(true);
});

test.each<[command: string, places: string[]]>([
  ["mv a BASE/away/b", ["away/b"]],
  ["mv a ../away/b", ["away/b"]],
  ["mv a '~/b'", ["home/b"]],
  ["mv a ~", ["home/a"]],
  ["mv -T a ~", ["home/a", "home/b"]],
  ["mv a BASE/away/b~/x", ["away/b~/x"]],
])("what %s moves out of the project is remembered: %j", (command, places) => {
  expect(remembered(command)).toEqual({ places, isWritten: true });
});

test.each([
  "mv a sub/b",
  "mv a BASE/project/b",
  'mv a "BASE/away/$X"',
  "cp a BASE/away/b",
  "echo x > BASE/away/b",
  "rm BASE/away/b",
  "mv BASE/away/b a",
  "ls",
  undefined,
])("nothing is moved out of the project by %s", (command) => {
  expect(remembered(command)).toEqual({ places: [], isWritten: false });
});

test("from another folder, paths are those of the folder in which the call works", () => {
  expect(remembered("mv BASE/project/a b", "away").places).toEqual(["away/b"]);
});
