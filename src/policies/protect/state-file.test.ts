import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { protectFolder, readState, removeState, writeState } from "./state-file.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "sluice-state-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, root: join(home, "project"), env: { HOME: "/nowhere" } };
}

it("what is written is read, lies in the home that is named, and is its owner's alone", () => {
  const where = place();
  expect(writeState("a.json", { a: 1 }, where)).toBe(true);
  const file = join(where.home, ".local/state/sluice/protect/a.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readState("a.json", where)).toEqual({ a: 1 });
  expect([removeState("a.json", where), existsSync(file), removeState("a.json", where)]).toEqual([true, false, false]);
});

it("the environment names another place", () => {
  const where = place();
  const env = { XDG_STATE_HOME: join(where.home, "state") };
  expect(protectFolder({ ...where, env })).toBe(join(where.home, "state/sluice/protect"));
});

it.each([
  ["the file", 0o666, ""],
  ["its folder", 0o777, ".."],
])("what others can write to is not believed: %s", (_, mode, up) => {
  const where = place();
  writeState("a.json", { a: 1 }, where);
  chmodSync(join(protectFolder(where), "a.json", up), mode);
  expect(readState("a.json", where)).toBe(undefined);
});

it("a state inside the project that it judges is not believed", () => {
  const where = place();
  const inside = { ...where, root: where.home };
  writeState("a.json", { a: 1 }, inside);
  expect(readState("a.json", inside)).toBe(undefined);
});

it("what is not there, or is torn, says nothing", () => {
  const where = place();
  expect(readState("a.json", where)).toBe(undefined);
  writeState("a.json", {}, where);
  writeFileSync(join(protectFolder(where), "a.json"), "{");
  expect(readState("a.json", where)).toBe(undefined);
});

it("where no folder can be made, nothing is written and nothing breaks", () => {
  const where = place();
  mkdirSync(dirname(protectFolder(where)), { recursive: true });
  writeFileSync(protectFolder(where), "");
  expect(writeState("a.json", {}, where)).toBe(false);
});
