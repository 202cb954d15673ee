import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stateDir } from "../fs/state-dir.ts";
import { readState, removeState, writeState } from "./state-file.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "sluice-state-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, root: join(home, "project"), env: { HOME: "/nowhere" } };
}

it("a file is written to the given home directory, readable only by its owner, and read back", () => {
  const where = place();
  expect(writeState("protect/a.json", { a: 1 }, where)).toBe(true);
  const file = join(where.home, ".local/state/sluice/protect/a.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readState("protect/a.json", where)).toEqual({ a: 1 });
  expect([removeState("protect/a.json", where), existsSync(file), removeState("protect/a.json", where)]).toEqual([
    true,
    false,
    false,
  ]);
});

it("the environment selects another folder", () => {
  const where = place();
  const env = { XDG_STATE_HOME: join(where.home, "state") };
  expect(stateDir({ ...where, env })).toBe(join(where.home, "state/sluice"));
});

it.each([
  ["the file", 0o666, ""],
  ["its folder", 0o777, ".."],
])("a file to which other users can write is ignored: %s", (_, mode, up) => {
  const where = place();
  writeState("protect/a.json", { a: 1 }, where);
  chmodSync(join(stateDir(where), "protect/a.json", up), mode);
  expect(readState("protect/a.json", where)).toBe(undefined);
});

it("a state inside the project is ignored", () => {
  const where = place();
  const inside = { ...where, root: where.home };
  writeState("protect/a.json", { a: 1 }, inside);
  expect(readState("protect/a.json", inside)).toBe(undefined);
});

it("a missing or torn file is undefined", () => {
  const where = place();
  expect(readState("protect/a.json", where)).toBe(undefined);
  writeState("protect/a.json", {}, where);
  writeFileSync(join(stateDir(where), "protect/a.json"), "{");
  expect(readState("protect/a.json", where)).toBe(undefined);
});

it("if the folder cannot be created, nothing is written and nothing is thrown", () => {
  const where = place();
  mkdirSync(stateDir(where), { recursive: true });
  writeFileSync(join(stateDir(where), "protect"), "");
  expect(writeState("protect/a.json", {}, where)).toBe(false);
});
