import { expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { isPathEffect } from "../../effects/effect.ts";
import { HookEvent } from "../../event/event.ts";
import { wayOf } from "./denied-target.ts";

const called = (command: string) => HookEvent.toolPreExecute("Bash", { command }, { cwd: "/nowhere/project" });

it.each([
  ["rm a", ["rm"]],
  ["cat a; rm a", ["cat", "cat rm"]],
  ["cat b; rm a", ["cat", "rm"]],
  ["rm a; cat a", ["rm", "cat"]],
  ["cat a; head a; rm a", ["cat", "cat head", "cat head rm"]],
  ["cat a; cat a; rm a", ["cat", "cat cat", "cat rm"]],
  ["cat a; python3 -c 'print(1)'; rm a", ["cat", "cat python3 rm"]],
])("the way to a path begins with the programs that looked it up before: %s", (command, ways) => {
  const event = called(command);
  const call = toolEffects(event);
  expect(call.effects.filter(isPathEffect).map((touch) => wayOf(touch, call, event))).toEqual(ways);
});

it("the ways to thousands of paths are found in one pass over the effects", () => {
  const event = called("cat a; rm b; ".repeat(60));
  const call = toolEffects(event);
  let reads = 0;
  const effects = new Proxy(call.effects, {
    get: (all, key) => {
      if (/^\d/.test(String(key))) reads++;
      return Reflect.get(all, key);
    },
  });
  for (const touch of call.effects.filter(isPathEffect)) wayOf(touch, { ...call, effects } as typeof call, event);
  expect(reads).toBe(call.effects.length);
});
