import { expect, it, onTestFinished, vi } from "vitest";
import type { Command } from "./command.ts";
import { processIo, systemErrorPlace, systemErrorText } from "./io.ts";
import { main } from "./main.ts";

it.each([
  [
    Object.assign(new Error("EACCES: permission denied, open '/a/b.draft'"), { code: "EACCES" }),
    "its permissions forbid it",
  ],
  [Object.assign(new Error("EROFS"), { code: "EROFS" }), "the disk is read-only"],
  [new Error("something else"), undefined],
  ["no error at all", undefined],
])("what a system refuses is said in words: %s", (error, words) => {
  expect(systemErrorText(error)).toBe(words);
});

it.each([
  [{ path: "/a/b", syscall: "mkdir" }, "/a/b"],
  [{ syscall: "read" }, "Standard input"],
  [{ syscall: "write" }, "Standard output"],
  [{}, undefined],
])("and where: %j", (facts, place) => {
  expect(systemErrorPlace(Object.assign(new Error("EIO"), facts))).toBe(place);
});

it("a command in a folder that was deleted says so; the call of an agent names its own folder, and is answered", async () => {
  let cwd: string | undefined;
  vi.spyOn(process, "cwd").mockImplementation(() => {
    if (cwd === undefined) throw new Error("ENOENT: no such file or directory, uv_cwd");
    return cwd;
  });
  vi.spyOn(process, "chdir").mockImplementation((folder) => {
    cwd = folder;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const said: string[] = [];
  const io = { ...processIo(), err: (text: string) => said.push(text) };
  const load = async () => ({ run: async () => "done" as const });
  const command = { group: "inspect", summary: "", usage: "", options: {}, load } as const;
  const root = { type: "string", value: "folder", means: "the project" } as const;
  const commands: readonly Command[] = [
    { ...command, name: "list", options: { root } },
    { ...command, name: "run", isGate: true },
  ];
  expect(io).toMatchObject({ cwd: "/", isCwdDeleted: true });
  expect(await main(["list"], io, commands)).toBe("problem");
  expect(said).toEqual([expect.stringContaining("The folder in which this command was started has been deleted.")]);
  expect(await main(["list", "--root", "/"], io, commands)).toBe("done");
  expect(await main(["run"], io, commands)).toBe("done");
});
