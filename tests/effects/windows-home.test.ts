import { expect, it } from "vitest";
import { readCommand } from "../../src/effects.ts";
import { shellPath, withDrive } from "../../src/pattern/path.ts";

it.each([
  ["C:\\Users\\a b", "C:/Users/a b"],
  ["/home/a\\b", "/home/a\\b"],
  ["\\\\host\\share", "\\\\host\\share"],
  [undefined, undefined],
])("a shell's words spell the folder %s as %s", (folder, spelled) => {
  expect(shellPath(folder)).toBe(spelled);
});

it.each([
  ["/c/Users/a", "c:/Users/a"],
  ["/d", "d:"],
  ["/cc/x", "/cc/x"],
  ["C:/x", "C:/x"],
  ["c/x", "c/x"],
])("Windows knows the path %s of Git Bash as %s", (path, known) => {
  expect(withDrive(path)).toBe(known);
});

it.each(["rm ~/notes/a.txt", "rm $HOME/notes/a.txt", "cd ~/notes && rm a.txt"])(
  "`%s` deletes a file of the home of Windows",
  (line) => {
    const { effects } = readCommand(line, { home: "C:\\Users\\ada", cwd: "C:\\work" });
    const deletion = { does: "delete", absolute: "C:/Users/ada/notes/a.txt" };
    expect(effects).toContainEqual(expect.objectContaining(deletion));
  },
);
