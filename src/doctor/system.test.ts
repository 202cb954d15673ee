import { expect, it } from "vitest";
import { examineSystem } from "./system.ts";

it.each([
  ["linux", undefined],
  ["darwin", "on macOS"],
  ["win32", "on Windows"],
  ["freebsd", "on freebsd"],
] as const)("what is not proven on %s is said as a fact: %s", (platform, name) => {
  const [finding] = examineSystem(platform);
  if (name === undefined) expect(finding).toBeUndefined();
  else expect(finding).toMatchObject({ state: "note", isFixed: true, what: expect.stringContaining(name) });
});
