import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { callEffects } from "./call-effects.ts";
import { effectText } from "./effect.ts";
import { GAP } from "./parse/command.ts";
import { workingDirs } from "./working-dirs.ts";

const call = (args: unknown, cwd: string | undefined = "/p") =>
  new HookEvent({ type: "tool:pre_execute", toolName: "shell", data: { tool_args: args }, cwd });

describe("a command line runs where the call says", () => {
  test.each<[unknown, string | undefined, string[]]>([
    [{ command: "ls" }, "/p", ["."]],
    ["ls", "/p", ["."]],
    [{ cwd: "" }, "/p", ["."]],
    [{ cwd: null }, "/p", ["."]],
    [{ cwd: "." }, "/p", ["."]],
    [{ cwd: "/p/" }, "/p", ["."]],
    [{ cwd: "lib" }, "/p", ["lib"]],
    [{ workdir: "/p/lib" }, "/p", ["lib"]],
    [{ workdir: "/tmp" }, "/p", ["/tmp"]],
    [{ working_directory: "../q" }, "/p", ["/q"]],
    [{ workingDirectory: "lib" }, undefined, ["lib"]],
    [{ dir_path: "~/x" }, "/p", ["~/x"]],
    [{ directory: "C:\\x" }, "C:\\p", ["C:/x"]],
    [{ dir: "lib", cwd: "src" }, "/p", ["src", "lib"]],
    [{ dir: "lib", cwd: "/p/lib" }, "/p", ["lib"]],
  ])("%j in %s: %j", (args, cwd, expected) => {
    const init = cwd === undefined ? {} : { cwd };
    const event = new HookEvent({ type: "tool:pre_execute", toolName: "shell", data: { tool_args: args }, ...init });
    expect(workingDirs(event)).toEqual(expected);
  });

  test.each([
    5,
    true,
    ["lib"],
    { path: "lib" },
    " lib",
    "$HOME/x",
    "~other/x",
    "file:///p/lib",
    "a\\b",
    "li\nb",
    "link/..",
    "link/../x",
  ])("%j may be anywhere, and here as well", (cwd) => {
    expect(workingDirs(call({ command: "ls", cwd }))).toEqual([".", GAP]);
  });
});

describe("paths are seen from the event's own folder, wherever the line runs", () => {
  const effects = (args: object, cwd = "/p") =>
    callEffects(call(args, cwd))
      ?.effects.filter(({ does }) => does === "write" || does === "delete")
      .map(effectText) ?? [];

  test.each<[object, string]>([
    [{ command: "touch a", cwd: "lib" }, "lib/a"],
    [{ command: "echo x > a", workdir: "/tmp" }, "/tmp/a"],
    [{ command: "cd sub && echo x > a", workdir: "/p/lib" }, "lib/sub/a"],
    [{ command: "echo x > $PWD/a", workdir: "lib" }, "/p/lib/a"],
    [{ command: ["bash", "-lc", "touch a"], workdir: "/tmp" }, "/tmp/a"],
    [{ command: "touch /p/a", workdir: "/tmp" }, "/p/a"],
  ])("%j writes %s", (args, path) => {
    expect(effects(args).some((text) => text.endsWith(` ${path}`))).toBe(true);
    expect(effects(args)).toHaveLength(1);
  });

  test("a call that states two folders, or an odd one, writes in all of them", () => {
    const two = effects({ command: "touch a", cwd: "lib", dir: "src" }).join();
    expect(two).toContain("lib/a");
    expect(two).toContain("src/a");
    expect(effects({ command: "touch a", cwd: 5 })).toHaveLength(2);
  });
});
