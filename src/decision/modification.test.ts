import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { modifiable, readModification, replacing, unreadKeys, withModifiable } from "./modification.ts";

const START = { path: "a", mode: 1 };
const pre = HookEvent.toolPreExecute("write", { ...START });
const stop = new HookEvent({ type: "session:stop" });
const post = HookEvent.toolPostExecute("write", { path: "a" }, { ok: true });
const prompt = HookEvent.userPromptSubmit("hello");
const request = HookEvent.llmPreRequest("m", { temperature: 1 });
const permission = HookEvent.permissionCheck("write", "ask", { tool_args: { path: "a" } });

describe("what a hook's modified_data comes to", () => {
  const changed = (value: unknown) => ({ kind: "changed", value });
  const rows: [rule: string, event: HookEvent, modified: Record<string, unknown>, outcome: unknown][] = [
    ["args replaces the input", pre, { args: { path: "b" } }, changed({ path: "b" })],
    ["so does tool_args", pre, { tool_args: { path: "b" } }, changed({ path: "b" })],
    ["and tool_input", pre, { tool_input: { path: "b" } }, changed({ path: "b" })],
    ["patch merges into it", pre, { patch: { path: "b" } }, changed({ path: "b", mode: 1 })],
    ["null removes", pre, { patch: { mode: null } }, changed({ path: "a" })],
    ["both: patch merges into the replacement", pre, { args: { x: 1 }, patch: { y: 2 } }, changed({ x: 1, y: 2 })],
    ["neither leaves it", pre, { anything: 1 }, { kind: "none" }],
    ["nothing leaves it", pre, {}, { kind: "none" }],
    ["the same again is no change", pre, { args: { path: "a", mode: 1 } }, { kind: "none" }],
    ["a patch can begin an input", HookEvent.toolPreExecute("x", undefined), { patch: { a: 1 } }, changed({ a: 1 })],
    ["a permission's input likewise", permission, { patch: { path: "b" } }, changed({ path: "b" })],
    ["a result", post, { result: { ok: false } }, changed({ ok: false })],
    ["a result is no input", post, { args: { path: "b" } }, { kind: "none" }],
    ["a result can be patched", post, { patch: { ok: null } }, changed({})],
    ["a result may change its kind", HookEvent.toolPostExecute("x", {}, null), { result: "none" }, changed("none")],
    ["a prompt", prompt, { prompt: "hello, world" }, changed("hello, world")],
    ["a prompt is no input", prompt, { args: { a: 1 } }, { kind: "none" }],
    ["a patch of the prompt's own name replaces it", prompt, { patch: { prompt: "bye" } }, changed("bye")],
    ["its own word wins over that", prompt, { prompt: "hi", patch: undefined }, changed("hi")],
    ["elsewhere `prompt` is a key like any other", pre, { patch: { prompt: "x" } }, changed({ ...START, prompt: "x" })],
    ["a result under its other name", post, { tool_result: { ok: 1 } }, changed({ ok: 1 })],
    ["and its third", post, { tool_response: { ok: 1 } }, changed({ ok: 1 })],
    ["a request", request, { patch: { temperature: 0 } }, changed({ temperature: 0, llm_model: "m" })],
    ["a request as a whole", request, { args: { llm_model: "n" } }, changed({ llm_model: "n" })],
    ["and under its other name", request, { data: { llm_model: "n" } }, changed({ llm_model: "n" })],
    ["what is no gate may name other keys in vain", HookEvent.sessionStart("s"), { any: 1 }, { kind: "none" }],
    ["a gate without anything to change passes an empty answer", stop, {}, { kind: "none" }],
  ];
  test.each(rows)("%s", (_rule, event, modified, outcome) => {
    expect(readModification(event, modified)).toEqual(outcome);
  });
});

describe("a change that cannot be made is refused with its reason", () => {
  const rows: [event: HookEvent, modified: Record<string, unknown>, why: string][] = [
    [pre, { args: "rm" }, "the replacement is not an object"],
    [pre, { args: null }, "the replacement is not an object"],
    [pre, { args: [1] }, "the replacement is not an object"],
    [pre, { patch: "rm" }, "`patch` is not an object"],
    [pre, { patch: [1] }, "`patch` is not an object"],
    [pre, { args: "x", patch: { a: 1 } }, "`patch` needs an object to merge into"],
    [prompt, { prompt: { text: "x" } }, "the replacement is not a string"],
    [prompt, { patch: { a: 1 } }, "`patch` needs an object to merge into"],
    [HookEvent.sessionStart("s"), { args: {} }, "nothing of session:start can be changed"],
    [HookEvent.toolError("x", {}, "e"), { patch: {} }, "nothing of tool:error can be changed"],
    [new HookEvent({ type: "user:prompt_expand" }), { prompt: "x" }, "nothing of user:prompt_expand can be changed"],
    [stop, { any: 1 }, "nothing of session:stop can be changed"],
    [prompt, { patch: "x" }, "`patch` is not an object"],
    [prompt, { prompt: "x", patch: { prompt: "y" } }, "`patch` needs an object to merge into"],
    [post, { result: [1], patch: { a: 1 } }, "`patch` needs an object to merge into"],
    [pre, { args: { a: Symbol("x") }, patch: { b: 1 } }, "it holds a symbol"],
    [pre, { args: JSON.parse('{"a":{"__proto__":1}}') }, 'it names "__proto__"'],
    [pre, { patch: { prototype: 1 } }, 'it names "prototype"'],
    [pre, { patch: { a: [{ constructor: 1 }] } }, 'it names "constructor"'],
    [pre, { patch: { a: () => 1 } }, "it holds a function"],
  ];
  test.each(rows.map((row, index) => [index, row[2], ...row] as const))("%i: %s", (_, __, event, modified, why) => {
    expect(readModification(event, modified)).toEqual({ kind: "refused", why });
  });
});

describe("the caller's own input may hold anything", () => {
  const circle: Record<string, unknown> = { path: "a", callback: () => 1, constructor: "mine" };
  circle.self = circle;

  test("functions, circles and odd names do not keep a hook from changing a field", () => {
    const modification = readModification(HookEvent.toolPreExecute("x", circle), { patch: { path: "b" } });
    expect(modification).toEqual({ kind: "changed", value: { ...circle, path: "b" } });
    expect(circle.path).toBe("a");
  });
});

test("what was changed goes back under the spelling it came in", () => {
  const event = new HookEvent({ type: "PreToolUse", data: { tool_input: { a: 1 }, other: 2 } });
  expect(modifiable(event)).toEqual({ a: 1 });
  expect(withModifiable(event, { a: 2 }).data).toEqual({ tool_input: { a: 2 }, other: 2 });
  expect(withModifiable(request, { llm_model: "n" }).data).toEqual({ llm_model: "n" });
  expect(withModifiable(prompt, "bye").data).toEqual({ prompt: "bye" });
});

test("what an event has under two spellings is replaced under both, and what is another value stays", () => {
  const input = { a: 1 };
  const twice = new HookEvent({ type: "PreToolUse", data: { tool_args: input, tool_input: input } });
  expect(withModifiable(twice, { a: 2 }).data).toEqual({ tool_args: { a: 2 }, tool_input: { a: 2 } });
  const apart = new HookEvent({ type: "PreToolUse", data: { tool_args: input, tool_input: { b: 1 } } });
  expect(withModifiable(apart, { a: 2 }).data).toEqual({ tool_args: { a: 2 }, tool_input: { b: 1 } });
});

test("a replacement can be written as an answer that says so", () => {
  for (const event of [pre, post, prompt, request, permission]) {
    const value = event === prompt ? "new" : { new: 1 };
    expect(readModification(event, replacing(event, value))).toEqual({ kind: "changed", value });
  }
  expect(replacing(stop, 1)).toEqual({ args: 1 });
});

test.each([
  [pre, { command: "x", other: 1 }, ["command", "other"]],
  [pre, { command: "x", patch: {} }, []],
  [pre, { command: "x", tool_input: {} }, []],
  [post, { args: {} }, ["args"]],
  [pre, {}, []],
] as const)("keys that change nothing are named, unless another key changes something: %#", (event, modified, keys) => {
  expect(unreadKeys(event, modified)).toEqual(keys);
});

test("neither the event nor the hook's answer is touched, nor shared with the outcome", () => {
  const modified = fc.record({ args: fc.object(), patch: fc.object() }, { requiredKeys: [] });
  const before = Reflect.ownKeys(Object.prototype);
  fc.assert(
    fc.property(fc.object(), modified, (args, data) => {
      const event = HookEvent.toolPreExecute("x", deepFrozen(args));
      const outcome = readModification(event, deepFrozen(data));
      if (outcome.kind !== "changed") return;
      withModifiable(event, outcome.value);
      expect(outcome.value).not.toBe(args);
      expect(outcome.value).not.toBe(data.args);
      expect(Object.isFrozen(outcome.value)).toBe(false);
    }),
  );
  expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
});

function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFrozen(inner);
  return value;
}
