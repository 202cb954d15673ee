import { describe, expect, it } from "vitest";
import { Unreadable } from "./payload.ts";
import { ourInput, theirInput } from "./shell-input.ts";

describe("every agent's shell call carries its text in `command`", () => {
  it.each([
    ["Bash", { command: "ls" }, { command: "ls" }],
    ["Bash", { cmd: "ls" }, { cmd: "ls", command: "ls" }],
    ["run_command", { command_line: "ls" }, { command_line: "ls", command: "ls" }],
    ["shell", { command: ["bash", "-lc", "ls -l"] }, { command: "ls -l" }],
    ["shell", { command: ["echo", "a b"] }, { command: "echo 'a b'" }],
    ["run_commands", { commands: ["ls", "pwd"] }, { commands: ["ls", "pwd"], command: "ls\npwd" }],
    ["Monitor", { command: "tail -f x", description: "watch" }, { command: "tail -f x", description: "watch" }],
    ["write_stdin", { session_id: 7, chars: "rm x\n" }, { session_id: 7, chars: "rm x\n", command: "rm x\n" }],
    ["write_bash", { shellId: "a", input: "ls" }, { shellId: "a", input: "ls", command: "ls" }],
    ["write-process", { terminal_id: 1, input_text: "ls" }, { terminal_id: 1, input_text: "ls", command: "ls" }],
    ["Write", { cmd: "ls" }, { cmd: "ls" }],
    ["Bash", "ls", { command: "ls" }],
    ["Bash", ["rm", "-rf", "a b"], { command: "rm -rf 'a b'" }],
    ["Bash", { restart: true }, { restart: true }],
  ])("%s with %j is %j", (tool, input, ours) => {
    expect(ourInput(tool, input)).toEqual(ours);
  });

  it.each([{ command: { x: "rm -rf ~" } }, { command: 5 }, { command: ["a", 1] }, '{"command":"rm -rf ~"', 5, [1]])(
    "a call whose command cannot be read is refused: %j",
    (input) => {
      expect(() => ourInput("Bash", input)).toThrow(Unreadable);
    },
  );

  it("text that was to be an object is refused, whatever the tool is", () => {
    expect(() => ourInput("Write", ' {"file_path":"a"')).toThrow(Unreadable);
    expect(ourInput("Write", "a note")).toBe("a note");
  });

  it.each([
    ["rm", { command: "ls" }, "ls"],
    ["rm", { command: "rm" }, "rm"],
    [["rm", "a"], { command: "ls" }, ["sh", "-c", "ls"]],
    [["rm", "a"], { command: "rm a" }, ["rm", "a"]],
    [{ cmd: "rm" }, { cmd: "rm", command: "ls" }, { cmd: "ls" }],
    [{ cmd: "rm" }, { cmd: "rm", command: "rm", cwd: "/" }, { cmd: "rm", cwd: "/" }],
    [{ cmd: "rm" }, { cmd: "ls", command: "rm" }, { cmd: "ls" }],
    [{ cmd: "rm" }, { command: "ls" }, { cmd: "ls" }],
    [{ cmd: "rm" }, { command: "rm" }, { cmd: "rm" }],
    [{ commands: ["rm"] }, { commands: ["rm"], command: "ls" }, { commands: ["ls"] }],
    [{ commands: ["rm"] }, { commands: ["ls"], command: "rm" }, { commands: ["ls"] }],
    [{ command: ["rm", "a"] }, { command: "ls" }, { command: ["sh", "-c", "ls"] }],
    [{ command: ["rm", "a"] }, { command: "rm a" }, { command: ["rm", "a"] }],
    [{ command: "rm" }, { command: "ls" }, { command: "ls" }],
    [{ cmd: "rm" }, { script: "ls" }, { script: "ls" }],
    [
      { session_id: 7, chars: "rm\n" },
      { session_id: 7, chars: "rm\n", command: "ls\n" },
      { session_id: 7, chars: "ls\n" },
    ],
  ])("%j that became %j goes back as %j", (original, changed, theirs) => {
    expect(theirInput(original, changed)).toEqual(theirs);
  });
});
