import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lookingOnce, seenAt } from "./one-look.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-look-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("in one moment everybody sees the same, and the next moment sees what has become of it", () => {
  const file = join(folder(), "f");
  writeFileSync(file, "1");
  lookingOnce(() => {
    const first = seenAt(file);
    writeFileSync(file, "22");
    expect(seenAt(file)).toBe(first);
    expect(seenAt(file)?.size).toBe(1);
  });
  expect(lookingOnce(() => seenAt(file)?.size)).toBe(2);
});

it("outside of such a moment every look is a new one, also after a moment that broke", () => {
  const file = join(folder(), "f");
  expect(() =>
    lookingOnce(() => {
      seenAt(file);
      throw new Error("broken");
    }),
  ).toThrow("broken");
  writeFileSync(file, "1");
  expect(seenAt(file)?.size).toBe(1);
  writeFileSync(file, "22");
  expect(seenAt(file)?.size).toBe(2);
});

it("what is not there may come within the moment", () => {
  const path = join(folder(), "new");
  lookingOnce(() => {
    expect(seenAt(path)).toBeUndefined();
    mkdirSync(path);
    expect(seenAt(path)?.isDirectory()).toBe(true);
  });
});
