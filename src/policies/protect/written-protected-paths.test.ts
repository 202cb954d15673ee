import { expect, test } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import type { CallEffects } from "../../effects/effect.ts";
import { HookEvent } from "../../event/event.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { writtenProtectedPath } from "./written-protected-paths.ts";

const NONE: ProtectedPaths = {
  holds: () => undefined,
  liesIn: () => undefined,
  ownsFolder: () => undefined,
  meantBy: () => undefined,
  endsLike: () => undefined,
  places: [],
};

/** What a line does, with a count of how often the texts of its commands are read. */
function counted(line: string): { call: CallEffects; reads: () => number } {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command: line }, { cwd: "/nowhere/project" }));
  let reads = 0;
  const commands = call.commands.map((command) =>
    Object.create(command, {
      source: {
        get: () => {
          reads++;
          return command.source;
        },
      },
    }),
  );
  return { call: { ...call, commands }, reads: () => reads };
}

test("the text of a command is read a few times, however many files patterns of the call change", () => {
  const { call, reads } = counted(`find . ${"-exec rm {} \\; ".repeat(300)}`);
  const asked: string[] = [];
  writtenProtectedPath(call, { ...NONE, meantBy: (glob) => void asked.push(glob) });
  expect(call.commands.length).toBeGreaterThan(300);
  expect(asked.length).toBeLessThan(5);
  expect(reads()).toBeLessThan(5 * call.commands.length);
});

test("each path is asked about once for each way in which it is changed", () => {
  const { call } = counted("rm -r a; rm -r a; rm a; cp b a; cp b a; rm -r c");
  const asked: string[] = [];
  writtenProtectedPath(call, { ...NONE, holds: (path) => void asked.push(path) });
  expect(asked).toEqual(["/nowhere/project/a", "/nowhere/project/a", "/nowhere/project/a", "/nowhere/project/c"]);
});
