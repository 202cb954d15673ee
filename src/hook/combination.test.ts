import { describe, expect, it } from "vitest";
import { all, any, pipe, retry, when } from "./combinators.ts";
import { Hook } from "./hook.ts";
import { readHook } from "./read.ts";

const A = { command: "a" };
const B = { command: "b" };
const then = (data: object) => ({ then: data });

/** `code path` of everything that makes an entry unusable. */
const errors = (data: object) =>
  readHook({ event: "*", ...data }).errors.map(({ code, path }) => `${code} ${path?.join(".")}`);
const warnings = (data: object) =>
  readHook({ event: "*", ...data }).warnings.map(({ code, path }) => `${code} ${path?.join(".")}`);

describe("a hook that is made of hooks", () => {
  it.each([
    ["all", { all: [A, B] }],
    ["any", { any: [A, B] }],
    ["pipe", { pipe: [A, B] }],
    ["retry", { retry: { times: 2, of: A, delay: "1s" } }],
    ["when", { when: { tool: "bash", ...then(A), else: B } }],
  ])("is told from its key `%s`, and comes back as it was written", (way, spec) => {
    const hook = Hook.fromJSON({ event: "tool:*", ...spec });
    expect(hook.type).toBe("combine");
    expect(hook.combination?.way).toBe(way);
    expect(hook.toJSON()).toEqual({ event: "tool:*", ...spec });
  });

  it("gives its members what they do not say themselves", () => {
    const hook = new Hook({
      event: "tool:*",
      on_error: "ask",
      timeout: 3,
      all: [A, { ...B, on_error: "continue", timeout: 1 }],
    });
    expect(hook.parts).toMatchObject([
      { eventPattern: "tool:*", onError: "ask", timeout: 3, exitCodes: "any" },
      { eventPattern: "tool:*", onError: "continue", timeout: 1, exitCodes: "any" },
    ]);
    const [part] = new Hook({ matcher: { events: ["Stop"] }, any: [A] }).parts;
    expect(part).toMatchObject({ onError: "continue", timeout: 30, exitCodes: "amplifier" });
  });

  it("shares its origin with everything inside", () => {
    const origin = { layer: "project", place: { file: "hooks.yaml", line: 3 }, index: 0 } as const;
    const hook = Hook.fromJSON({ event: "*", all: [{ retry: { times: 1, of: A } }, B] }, origin);
    expect(hook.parts.map(({ command, layer }) => `${layer} ${command}`)).toEqual(["project a", "project b"]);
  });

  it.each([
    ["two ways at once", { all: [A], any: [B] }, ["hook/many-ways any"]],
    ["no members", { all: [] }, ["hook/wrong-value all"]],
    ["a member that does nothing", { all: [A, { name: "x" }] }, ["hook/missing all.1"]],
    ["a member that is no object", { any: ["x"] }, ["hook/wrong-value any.0", "hook/no-object any.0"]],
    ["a member with ears", { pipe: [{ ...A, event: "*" }] }, ["hook/of-the-whole pipe.0.event"]],
    ["a member with a matcher", { pipe: [{ ...A, matcher: {} }] }, ["hook/of-the-whole pipe.0.matcher"]],
    ["a member in monitor mode", { any: [{ ...A, mode: "monitor" }] }, ["hook/of-the-whole any.0.mode"]],
    [
      "a wrong value deep inside",
      { all: [{ any: [{ ...A, timeout: "soon" }] }] },
      ["hook/wrong-value all.0.any.0.timeout"],
    ],
    ["no repetition", { retry: { times: 0, of: A } }, ["hook/wrong-value retry.times"]],
    ["half a repetition", { retry: { times: 1.5, of: A } }, ["hook/wrong-value retry.times"]],
    ["nothing to repeat", { retry: { times: 1 } }, ["hook/wrong-value retry.of"]],
    ["no condition", { when: { ...then(A) } }, ["hook/no-condition when"]],
    ["nothing to run", { when: { tool: "bash" } }, ["hook/wrong-value when.then"]],
  ])("refuses %s, and says where", (_, data, expected) => {
    expect(errors(data).map((text) => text.replace("undefined", ""))).toEqual(expected);
  });

  it("is at most eight deep", () => {
    const nested = (depth: number): object => (depth === 0 ? A : { all: [nested(depth - 1)] });
    expect(errors(nested(8))).toEqual([]);
    expect(errors(nested(9))).toEqual([`hook/too-deep ${"all.0.".repeat(8)}all`]);
    expect(errors(nested(500))).toHaveLength(1);
  });

  it("points at keys that do nothing", () => {
    expect(warnings({ retry: { times: 1, of: { ...A, comand: "" }, delai: 1 } })).toEqual([
      "hook/unknown-member-key retry.delai",
      "hook/unknown-key retry.of.comand",
    ]);
    expect(warnings({ when: { tools: "x", tool: "x", ...then(A) } })).toEqual(["hook/unknown-member-key when.tools"]);
  });
});

describe("in a program", () => {
  it.each([
    ["all", all("tool:*", A, B), { all: [A, B] }],
    ["any", any("tool:*", A, B), { any: [A, B] }],
    ["pipe", pipe("tool:*", A, B), { pipe: [A, B] }],
    ["retry", retry("tool:*", { times: 2, delay: "1s" }, A), { retry: { times: 2, delay: "1s", of: A } }],
    ["when", when("tool:*", { tool: "bash" }, A, B), { when: { tool: "bash", ...then(A), else: B } }],
  ])("%s makes the hook that a file would describe", (_, hook, written) => {
    expect(hook.toJSON()).toEqual({ event: "tool:*", type: "combine", ...written });
  });

  it("a whole may say everything that a hook can say", () => {
    const hook = all({ matcher: { events: ["Stop"] }, name: "both", timeout: "2s", onError: "deny" }, A, B);
    expect(hook).toMatchObject({ name: "both", timeout: 2, onError: "deny", eventPattern: "Stop" });
  });

  it("a hook as a member keeps its ears and its temper", () => {
    const guard = new Hook({ name: "guard", matcher: { events: ["PreToolUse"], tools: ["bash"] }, ...A });
    const hook = pipe("tool:*", guard, any("tool:*", A, B));
    expect(hook.toJSON()).toMatchObject({
      pipe: [
        {
          when: {
            event: "PreToolUse",
            matcher: { tools: ["bash"] },
            ...then({ name: "guard", onError: "continue", timeout: 30 }),
          },
        },
        { type: "combine", any: [A, B] },
      ],
    });
    expect(hook.parts.map(({ command }) => command)).toEqual(["a", "a", "b"]);
  });
});

describe("the name of an http hook", () => {
  it("does not hold what may be a credential", () => {
    expect(new Hook({ event: "*", url: "https://me:pass@host.example/a?key=1#x" }).name).toBe(
      "* › https://host.example/a",
    );
  });
});
