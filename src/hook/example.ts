import * as v from "valibot";

/** What an example may expect; `allow` is another word for `continue`, and `warn` is one that says something. */
export const EXPECTATIONS = ["deny", "ask", "modify", "continue", "allow", "warn"] as const;

/** One example as it is written: what happens, and the expected result. */
export function exampleShape() {
  return v.looseObject({
    name: v.optional(v.string()),
    event: v.optional(v.string()),
    tool: v.optional(v.string()),
    args: v.optional(v.unknown()),
    tool_args: v.optional(v.unknown()),
    prompt: v.optional(v.string()),
    data: v.optional(v.looseObject({})),
    expect: v.picklist(EXPECTATIONS),
    reason: v.optional(v.string()),
    input: v.optional(v.unknown()),
  });
}

/** All examples of a hook: a list, or what is called and nothing more, by their expected results. */
export function examplesShape() {
  const calls = v.optional(v.array(v.union([v.string(), v.looseObject({})])));
  return v.union([
    v.array(exampleShape()),
    v.looseObject({ deny: calls, ask: calls, modify: calls, continue: calls, allow: calls, warn: calls }),
  ]);
}

/** What a user writes under `examples`. */
export type ExamplesSpec = v.InferOutput<ReturnType<typeof examplesShape>>;
