import { expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { toolEffects } from "./call-effects.ts";
import { effectsOf, wrappersOf } from "./effects-by-command.ts";
import { isUndescribed } from "./undescribed-changes.ts";

const called = (tool: string, args: object) =>
  toolEffects(HookEvent.toolPreExecute(tool, args as Record<string, unknown>, { cwd: "/nowhere/project" }));

it("the effects of each command are those that it has, in their order", () => {
  const call = called("Bash", { command: "rm a b; cat c; rm d" });
  const own = call.commands.map((_, at) => effectsOf(at, call));
  for (const [at, effects] of own.entries()) expect(effects).toEqual(call.effects.filter((one) => one.command === at));
  expect(own.flat()).toHaveLength(call.effects.length);
  expect(effectsOf(7, call)).toEqual([]);
});

it("those of a long line are sorted once for all of its commands", () => {
  const call = called("Bash", { command: `rm a b; cat c; ${"touch d; ".repeat(40)}` });
  expect(effectsOf(0, call)).toBe(effectsOf(0, call));
  expect(effectsOf(1, call)).toBe(effectsOf(1, call));
  expect(effectsOf(99, call)).toEqual([]);
  expect(wrappersOf(call.commands)).toBe(wrappersOf(call.commands));
});

it("an effect of no command belongs to none of them", () => {
  const effect = { does: "unknown", doubt: { why: "too long", what: "x" }, command: undefined } as const;
  const call = { effects: [effect, effect] };
  for (const at of [0, 1, 2]) expect(effectsOf(at, call)).toEqual([]);
  expect(effectsOf(-1, call)).toEqual([effect, effect]);
  const many = { effects: Array.from({ length: 40 }, () => effect) };
  for (const at of [0, 1, 2]) expect(effectsOf(at, many)).toEqual([]);
  expect(effectsOf(-1, many)).toHaveLength(40);
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
  expect([...wrappersOf(called("Bash", { command: "npm exec ls" }).commands)]).toEqual(["npm"]);
  expect([...wrappersOf(called("Bash", { command: "ls" }).commands)]).toEqual([]);
});

it("of a program that runs another one, it is known what that one changes", () => {
  const call = called("Bash", { command: "env -i frobnicate a; time ls a; frobnicate b; npm exec ls; sudo ls" });
  const told = call.commands.map((one, at) => [one.program?.text, isUndescribed(one, at, call)]);
  expect(told).toEqual([
    ["env", false],
    ["frobnicate", true],
    ["ls", false],
    ["frobnicate", true],
    ["npm", false],
    ["ls", false],
    ["sudo", false],
    ["ls", false],
  ]);
});

it.each([
  ["frobnicate a", true],
  ["ls a", false],
  ["rm a", false],
  ["cp a b", false],
  ["frobnicate", true],
  ["> a", false],
  ["A=1", false],
])("whether it is known what a command changes: %s: %s", (command, isUnknown) => {
  const call = called("Bash", { command });
  expect(call.commands.map((one, at) => isUndescribed(one, at, call))).toEqual([isUnknown]);
});

it("all commands of a line are looked at with one pass over its effects", () => {
  const { commands, effects } = called("Bash", { command: "rm a; cat b; frobnicate c; ".repeat(40) });
  let reads = 0;
  const counting = new Proxy(effects, {
    get: (all, key) => {
      if (/^\d/.test(String(key))) reads++;
      return Reflect.get(all, key);
    },
  });
  const call = { commands, effects: counting };
  expect(commands.filter((one, at) => isUndescribed(one, at, call))).toHaveLength(40);
  expect(reads).toBe(effects.length);
});
