import { homedir, tmpdir } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { workingDirectory } from "./working-directory.ts";

const ORDER: readonly (readonly [
  sentence: string,
  hook: string | undefined,
  event: string | undefined,
  executor: string | undefined,
  where: string,
])[] = [
  ["the hook's own folder comes first", "/hook", "/event", "/executor", "/hook"],
  ["then the event's", undefined, "/event", "/executor", "/event"],
  ["then the executor's", undefined, undefined, "/executor", "/executor"],
  ["then this process's", undefined, undefined, undefined, process.cwd()],
  ["an empty folder is none", undefined, "", "/executor", "/executor"],
  ["a relative folder of the hook starts at the event's", "sub", "/event", "/executor", "/event/sub"],
  ["or at the executor's", "../up", undefined, "/executor/x", "/executor/up"],
  ["an event whose folder is gone leaves it to the executor", undefined, "/event", tmpdir(), tmpdir()],
  ["a tilde is the home folder", "~/hooks", "/event", undefined, `${homedir()}/hooks`],
  ["a tilde inside a name is a tilde", "~x", "/event", undefined, "/event/~x"],
];

describe("where a hook runs", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(ORDER)("%s", (_, workingDir, cwd, executors, where) => {
    const hook = new Hook({ event: "*", command: "pwd", workingDir });
    expect(workingDirectory(hook, new HookEvent({ type: "session:start", cwd }), executors)).toBe(where);
  });

  it("is not a folder at all when this process's was deleted", () => {
    vi.spyOn(process, "cwd").mockImplementation(() => {
      throw new Error("ENOENT: no such file or directory, uv_cwd");
    });
    const hook = new Hook({ event: "*", command: "pwd" });
    const event = new HookEvent({ type: "session:start" });
    expect(workingDirectory(hook, event, undefined)).toBe("/deleted working directory");
    expect(workingDirectory(hook, event, "/executor")).toBe("/executor");
  });
});
