import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { ensurePrivateDir, isOwnDir, makePrivateDir, stateDir, WORLD_WRITES, whyUnsafe } from "./state-dir.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-state-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

test.each([
  [{ env: { XDG_STATE_HOME: "/s" }, home: "/h" }, "/s/sluice"],
  [{ env: { XDG_STATE_HOME: "relative" }, home: "/h" }, "/h/.local/state/sluice"],
  [{ env: {}, home: "/h" }, "/h/.local/state/sluice"],
  [{ env: { HOME: "/of-env" } }, "/of-env/.local/state/sluice"],
  [{ env: { HOME: "" } }, join(homedir(), ".local/state/sluice")],
  [{ env: { HOME: "relative" } }, join(homedir(), ".local/state/sluice")],
])("the state of %j is in %s", (where, expected) => expect(stateDir(where)).toBe(expected));

it("a new directory of the state is private, and an existing one keeps its mode", () => {
  const at = join(folder(), "a", "b");
  makePrivateDir(at);
  expect(modeOf(at)).toBe(0o700);
  chmodSync(at, 0o750);
  makePrivateDir(at);
  expect(modeOf(at)).toBe(0o750);
});

it("creating a directory throws if nothing can be created there", () => {
  expect(() => makePrivateDir("/proc/sluice/a/b")).toThrow();
  expect(ensurePrivateDir("/proc/sluice")).toBe(false);
  const at = join(folder(), "file");
  writeFileSync(at, "");
  expect(() => makePrivateDir(join(at, "a"))).toThrow("EEXIST");
});

it("a directory with secrets loses the permissions of other users", () => {
  const at = folder();
  chmodSync(at, 0o755);
  expect(ensurePrivateDir(at)).toBe(true);
  expect(modeOf(at)).toBe(0o700);
  symlinkSync(at, `${at}-link`);
  onTestFinished(() => rmSync(`${at}-link`));
  expect(ensurePrivateDir(`${at}-link`)).toBe(false);
  writeFileSync(join(at, "file"), "");
  expect(ensurePrivateDir(join(at, "file"))).toBe(false);
  expect(ensurePrivateDir(join(at, "file", "below"))).toBe(false);
});

it("a directory of programs is used only if no other user can write to it", () => {
  const at = join(folder(), "cache");
  expect(isOwnDir(at)).toBe(true);
  chmodSync(at, 0o770);
  expect(isOwnDir(at)).toBe(false);
});

it("a file that other users could have written is not trusted", () => {
  const at = folder();
  const file = join(at, "f");
  writeFileSync(file, "");
  chmodSync(file, 0o644);
  expect([whyUnsafe(at, "folder"), whyUnsafe(file, "file"), whyUnsafe(join(at, "none"), "file")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(whyUnsafe(file, "folder")).toBe("other-kind");
  symlinkSync("f", join(at, "link"));
  expect(whyUnsafe(join(at, "link"), "file")).toBe("other-kind");
  chmodSync(file, 0o664);
  expect(whyUnsafe(file, "file")).toBe("writable");
  mkdirSync(join(at, "group"));
  chmodSync(join(at, "group"), 0o770);
  expect(whyUnsafe(join(at, "group"), "folder")).toBe("writable");
  expect(whyUnsafe(join(at, "group"), "folder", { forbidden: WORLD_WRITES })).toBeUndefined();
  expect(whyUnsafe("/", "folder")).toBe(process.getuid?.() === 0 ? undefined : "foreign");
});
