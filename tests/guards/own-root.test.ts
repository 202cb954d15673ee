import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judged } from "./judged.ts";

let above: string;
let project: string;

beforeAll(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), "sluice-own-root-")));
  project = join(above, "proj");
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(project, "dist"), { recursive: true });
  mkdirSync(join(above, "other"), { recursive: true });
  writeFileSync(join(project, "src", "a.ts"), "a");
});

afterAll(() => rmSync(above, { recursive: true, force: true }));

describe("a folder in which the call happens is not disposable, also under a temporary folder", () => {
  test.each([
    ["rm -rf PROJECT", "deny"],
    ["rm -rf PROJECT/", "deny"],
    ["rm -rf PROJECT/..", "deny"],
    ["rm -rf ABOVE", "deny"],
    ["rm -rf ABOVE/*", "deny"],
    ["rm -rf PROJECT/src", "deny"],
    ["find PROJECT -delete", "deny"],
    ["rm -rf PROJECT/dist", "continue"],
    ["rm -rf ABOVE/other", "continue"],
  ])("%s: %s", async (line, action) => {
    const command = line.replaceAll("PROJECT", project).replaceAll("ABOVE", above);
    expect((await judged("standard", command, project)).action).toBe(action);
  });
});

describe("tools for files remove folders too", () => {
  test.each([
    ["mcp__fs__remove", { path: ".", recursive: true }, "deny"],
    ["mcp__fs__delete_directory", { path: "PROJECT" }, "deny"],
    ["mcp__fs__delete", { path: "PROJECT" }, "deny"],
    ["mcp__fs__delete", { path: "ABOVE" }, "deny"],
    ["mcp__fs__delete", { path: "src" }, "deny"],
    ["mcp__fs__delete", { paths: ["src"] }, "deny"],
    ["mcp__fs__move_file", { source: "src", destination: "/dev/null" }, "deny"],
    ["mcp__fs__delete", { path: "src/a.ts" }, "continue"],
    ["mcp__fs__delete", { path: "dist" }, "continue"],
    ["mcp__fs__move_file", { source: "src/a.ts", destination: "src/b.ts" }, "continue"],
    ["mcp__fs__move_file", { source: "src", destination: "lib" }, "continue"],
    ["mcp__fs__copy_file", { source: "src/a.ts", destination: "src/b.ts" }, "continue"],
  ])("%s %j: %s", async (tool, args, action) => {
    const given = JSON.parse(JSON.stringify(args).replaceAll("PROJECT", project).replaceAll("ABOVE", above));
    expect((await judged("standard", { tool, args: given }, project)).action).toBe(action);
  });
});
