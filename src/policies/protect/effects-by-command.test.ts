import { expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { effectsOf, isUndescribed, wrappersOf } from "./effects-by-command.ts";

const called = (tool: string, args: object) =>
  toolEffects(HookEvent.toolPreExecute(tool, args as Record<string, unknown>, { cwd: "/nowhere/project" }));

it("the effects of each command are those that it has, in their order", () => {
  const call = called("Bash", { command: "rm a b; cat c; rm d" });
  const own = call.commands.map((_, at) => effectsOf(at, call));
  for (const [at, effects] of own.entries()) expect(effects).toEqual(call.effects.filter((one) => one.command === at));
  expect(own.flat()).toHaveLength(call.effects.length);
  expect(effectsOf(7, call)).toEqual([]);
});

it("effects of a tool without a command line belong to no command", () => {
  const call = called("Write", { file_path: "a", content: "" });
  expect(call.effects.length).toBeGreaterThan(0);
  for (const at of [0, 1]) expect(effectsOf(at, call)).toEqual(call.effects.filter(({ command }) => command === at));
});

it("programs that run another one are known by their first word", () => {
  expect([...wrappersOf(called("Bash", { command: "env -i A=1 nice ls; cat x" }).commands)].sort()).toEqual([
    "env",
    "nice",
  ]);
  expect([...wrappersOf(called("Bash", { command: "ls" }).commands)]).toEqual([]);
});

it.each([
  ["frobnicate a", true],
  ["ls a", false],
  ["rm a", false],
  ["cp a b", false],
  ["frobnicate", true],
])("whether it is known what a command changes: %s: %s", (command, isUnknown) => {
  const call = called("Bash", { command });
  expect(call.commands.map((one, at) => isUndescribed(one, at, call))).toEqual([isUnknown]);
});
