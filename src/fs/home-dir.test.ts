import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { homeDir } from "./home-dir.ts";

afterEach(() => vi.unstubAllEnvs());

test("HOME is the home directory if it is absolute", () => {
  expect(homeDir({ HOME: "/h" })).toBe("/h");
});

test.each(["", ".", "project", "./x"])("HOME=%s is ignored: the project's files are not the user's", (HOME) => {
  vi.stubEnv("HOME", HOME);
  expect(homeDir({ HOME })).toBe(userInfo().homedir);
  expect(isAbsolute(homeDir())).toBe(true);
});
