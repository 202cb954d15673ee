import { describe, expect, test } from "vitest";
import { aggregate } from "../decision/aggregate.ts";
import type { Action, HookResult } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { type RunHook, runChain } from "./chain.ts";

type Args = Record<string, unknown>;
type Says = Partial<HookResult> & { readonly action: Action };
interface Part {
  readonly name: string;
  readonly says: (args: Args) => Says;
  readonly parallel?: boolean;
  readonly mode?: "monitor";
  readonly onError?: string;
  /** Turns of the event loop before it answers. */
  readonly after?: number;
}

const guard = (name: string, bad: unknown, more: Partial<Part> = {}): Part => ({
  name,
  says: ({ command }) => (command === bad ? { action: "deny", reason: `${name}: no ${bad}` } : { action: "continue" }),
  ...more,
});
const patch = (name: string, change: Args, more: Partial<Part> = {}): Part => ({
  name,
  says: () => ({ action: "modify", modifiedData: { patch: change } }),
  ...more,
});

interface RunOptions {
  readonly stopOnFailure?: boolean;
  readonly event?: HookEvent;
  /** Hooks answer without a promise, as rules do. */
  readonly atOnce?: boolean;
}

/** Runs parts as hooks, and records who saw what. */
async function run(parts: Part[], options: RunOptions = {}) {
  const {
    stopOnFailure = false,
    atOnce = false,
    event = HookEvent.toolPreExecute("bash", { command: "ls" }),
  } = options;
  const saw: [name: string, args: unknown][] = [];
  const byHook = new Map(parts.map((part) => [hookOf(part), part]));
  const look = (hook: Hook, current: HookEvent) => {
    const part = byHook.get(hook)!;
    const args = (current.data.tool_args ?? current.data) as Args;
    saw.push([part.name, structuredClone(args)]);
    return part;
  };
  const answer = (hook: Hook, part: Part, current: HookEvent) => {
    const says = part.says((current.data.tool_args ?? current.data) as Args);
    return { ...RAN, hook, ...says, shouldContinue: says.action !== "deny" };
  };
  const runHook: RunHook = async (hook, current) => {
    const part = look(hook, current);
    for (let turn = 0; turn < (part.after ?? 0); turn++) await new Promise(setImmediate);
    return answer(hook, part, current);
  };
  const runAtOnce: RunHook = (hook, current) => answer(hook, look(hook, current), current);
  const outcome = await runChain(event, [...byHook.keys()], atOnce ? runAtOnce : runHook, { stopOnFailure });
  const { results, isChanged } = outcome;
  const changed = isChanged ? { changed: { value: outcome.event.data.tool_args } } : {};
  return { ...outcome, saw, decision: aggregate({ event, results, ...changed }) };
}

function hookOf({ name, parallel, mode, onError }: Part): Hook {
  return Hook.fromJSON({ name, event: "*", command: "true", parallel, mode, onError });
}

const RAN = { success: true, timedOut: false, exitCode: 0, stdout: "", stderr: "", duration: 0, durationMs: 0 };

test("no hooks give no results and change nothing", async () => {
  expect(await run([])).toMatchObject({ results: [], isChanged: false });
});

test("hooks run one after the other, each on what the earlier ones made of the input", async () => {
  const { saw, results, event, decision } = await run([
    patch("first", { a: 1 }),
    patch("second", { b: 2 }),
    { name: "last", says: () => ({ action: "continue" }) },
  ]);
  expect(saw.slice(0, 3)).toEqual([
    ["first", { command: "ls" }],
    ["second", { command: "ls", a: 1 }],
    ["last", { command: "ls", a: 1, b: 2 }],
  ]);
  expect(results.map(({ hook }) => hook.name)).toEqual(["first", "second", "last"]);
  expect(event.data.tool_args).toEqual({ command: "ls", a: 1, b: 2 });
  expect(decision).toMatchObject({ action: "modify", input: { command: "ls", a: 1, b: 2 } });
});

test("the caller's object is never touched", async () => {
  const args = Object.freeze({ command: "ls", deep: Object.freeze({ a: 1 }) });
  const event = HookEvent.toolPreExecute("bash", args);
  const { event: after } = await run([patch("p", { deep: { a: 2 } })], { event });
  expect(after.data.tool_args).toEqual({ command: "ls", deep: { a: 2 } });
  expect(event.data.tool_args).toEqual({ command: "ls", deep: { a: 1 } });
});

describe("neighbours marked parallel run together on the same input", () => {
  test("each sees what stood before all of them", async () => {
    const { saw, event } = await run([
      patch("before", { a: 1 }),
      patch("left", { b: 2 }, { parallel: true, after: 3 }),
      patch("right", { c: 3 }, { parallel: true }),
      { name: "behind", says: () => ({ action: "continue" }) },
    ]);
    expect(saw.slice(0, 4)).toEqual([
      ["before", { command: "ls" }],
      ["left", { command: "ls", a: 1 }],
      ["right", { command: "ls", a: 1 }],
      ["behind", { command: "ls", a: 1, b: 2, c: 3 }],
    ]);
    expect(event.data.tool_args).toEqual({ command: "ls", a: 1, b: 2, c: 3 });
  });

  test("of very many not more than a machine bears, in their order, and all get the same input", async () => {
    let [running, most] = [0, 0];
    const hooks = Array.from({ length: 500 }, (_, at) =>
      hookOf({ name: `h${at}`, says: () => ({ action: "continue" }), parallel: true }),
    );
    const event = HookEvent.toolPreExecute("bash", { command: "ls" });
    const runHook: RunHook = async (hook, current) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return { ...RAN, hook, action: "continue", shouldContinue: current === event };
    };
    const { results } = await runChain(event, hooks, runHook, { stopOnFailure: false });
    expect(results.map(({ hook }) => hook)).toEqual(hooks);
    expect(results.every(({ shouldContinue }) => shouldContinue)).toBe(true);
    expect(most).toBe(32);
  });

  test("a hook between them that is not parallel parts them", async () => {
    const { saw } = await run([
      patch("left", { a: 1 }, { parallel: true }),
      { name: "wall", says: () => ({ action: "continue" }) },
      patch("right", { b: 1 }, { parallel: true }),
    ]);
    expect(saw[2]).toEqual(["right", { command: "ls", a: 1 }]);
  });

  const conflicts: [what: string, one: Args, other: Args, field: string | undefined][] = [
    ["the same field", { command: "a" }, { command: "b" }, "command"],
    ["a removal and a value", { command: null }, { command: "b" }, "command"],
    ["a part and its whole", { deep: { x: 1 } }, { deep: 3 }, "deep"],
    ["the same part of a field", { deep: { x: 1 } }, { deep: { x: 2 } }, "deep.x"],
    ["the same field alike", { command: "a" }, { command: "a" }, undefined],
    ["different fields", { a: 1 }, { b: 1 }, undefined],
    ["different parts of one field", { deep: { x: 1 } }, { deep: { y: 1 } }, undefined],
  ];
  test.each(
    conflicts.flatMap(([what, one, other, field]) => [
      [what, one, other, field] as const,
      [what, other, one, field] as const,
    ]),
  )("%s, %j beside %j", async (_what, one, other, field) => {
    const event = HookEvent.toolPreExecute("bash", { command: "ls", deep: { x: 0, y: 0 } });
    const parts = [patch("one", one, { parallel: true }), patch("two", other, { parallel: true })];
    const { decision, results } = await run(parts, { event });
    if (field === undefined) {
      expect(decision.action).toBe("modify");
      return;
    }
    expect(decision.reasons.every((reason) => reason.startsWith(`hooks "one" and "two" change ${field}`))).toBe(true);
    expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "MODIFY_CONFLICT" });
    expect(results.map(({ action, shouldContinue }) => [action, shouldContinue])).toEqual([
      ["deny", false],
      ["deny", false],
    ]);
  });

  test("prompts conflict as a whole", async () => {
    const says = (prompt: string) => (): Says => ({ action: "modify", modifiedData: { prompt } });
    const parts = [
      { name: "one", says: says("x"), parallel: true },
      { name: "two", says: says("y"), parallel: true },
    ];
    const { decision } = await run(parts, { event: HookEvent.userPromptSubmit("hello") });
    expect(decision.reasons).toEqual(['hooks "one" and "two" change the whole input differently at the same time']);
  });
});

test("of two results that contradict each other neither replaces the tool's own", async () => {
  const says = (result: string) => (): Says => ({ action: "modify", modifiedData: { result } });
  const parts = [
    { name: "one", says: says("x"), parallel: true },
    { name: "two", says: says("y"), parallel: true },
  ];
  const { decision, isChanged } = await run(parts, { event: HookEvent.toolPostExecute("bash", {}, "own") });
  expect([isChanged, decision.action]).toEqual([false, "continue"]);
  expect(decision.contexts).toEqual(['hooks "one" and "two" change the whole result differently at the same time']);
});

test("what a hook wants the agent to know survives its second look", async () => {
  const noting: Part = {
    name: "noting",
    says: ({ command }) => ({ action: "continue", ...(command === "ls" ? { context: "about ls" } : {}) }),
  };
  const { decision } = await run([noting, patch("rewriter", { command: "ls -l" })]);
  expect(decision).toMatchObject({ action: "modify", contexts: ["about ls"] });
});

describe("no approval outlives the input it approved", () => {
  test("a guard before a rewriter looks again and denies", async () => {
    const { decision, saw } = await run([guard("guard", "rm"), patch("rewriter", { command: "rm" })]);
    expect(decision).toMatchObject({ action: "deny", reasons: ["guard: no rm"] });
    expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "DESTRUCTIVE_BLOCKED" });
    expect(saw.at(-1)).toEqual(["guard", { command: "rm" }]);
  });

  test("a guard beside a rewriter looks again too", async () => {
    const parts = [guard("guard", "rm", { parallel: true }), patch("rewriter", { command: "rm" }, { parallel: true })];
    expect((await run(parts)).decision.action).toBe("deny");
  });

  test("of two that change the input together, each looks at what became of it", async () => {
    const picky: Part = {
      name: "picky",
      says: ({ b }) =>
        b === 2 ? { action: "deny", reason: "no b" } : { action: "modify", modifiedData: { patch: { a: 1 } } },
      parallel: true,
    };
    const { decision } = await run([picky, patch("other", { b: 2 }, { parallel: true })]);
    expect(decision).toMatchObject({ action: "deny", reasons: ["no b"] });
  });

  test("a hook whose change left the input as it was looks again too", async () => {
    const content: Part = {
      name: "content",
      says: ({ command }) =>
        command === "rm"
          ? { action: "deny", reason: "no rm" }
          : { action: "modify", modifiedData: { patch: { command: "ls" } } },
    };
    const { decision } = await run([content, patch("rewriter", { command: "rm" })]);
    expect(decision).toMatchObject({ action: "deny", reasons: ["no rm"] });
  });

  test("a guard behind the last change looks once", async () => {
    const { saw } = await run([patch("rewriter", { command: "pwd" }), guard("guard", "rm")]);
    expect(saw.map(([name]) => name)).toEqual(["rewriter", "guard"]);
    const content = await run([patch("rewriter", { a: 1 }), patch("content", { a: 1 })]);
    expect(content.saw.map(([name]) => name)).toEqual(["rewriter", "content"]);
  });

  test("an input that changes back and forth did not settle", async () => {
    const { decision } = await run([patch("one", { command: "a" }), patch("two", { command: "b" })]);
    expect(decision.reasons).toEqual(['the input did not settle: hook "one" changes what later hooks made of it']);
    expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "HOOK_ERROR" });
  });

  test("a rewriter that is content with the final input settles", async () => {
    const { decision } = await run([patch("one", { a: 1 }), patch("two", { b: 2 }), patch("one again", { a: 1 })]);
    expect(decision).toMatchObject({ action: "modify", input: { command: "ls", a: 1, b: 2 } });
  });

  test("an approval of the old input is gone unless it is given again", async () => {
    const approver: Part = {
      name: "approver",
      says: ({ command }) => ({ action: "continue", ...(command === "ls" && { approves: true as const }) }),
    };
    expect((await run([approver])).decision.approved).toBe(true);
    expect((await run([approver, patch("rewriter", { command: "rm" })])).decision.approved).toBe(false);
    expect((await run([approver, patch("rewriter", { a: 1 })])).decision.approved).toBe(true);
  });

  test("a question stays a question, whatever the hook says the second time", async () => {
    const asker: Part = {
      name: "asker",
      says: ({ command }) => (command === "ls" ? { action: "ask", reason: "sure?" } : { action: "continue" }),
    };
    const { decision } = await run([asker, patch("rewriter", { command: "pwd" })]);
    expect(decision).toMatchObject({ action: "ask", reasons: ["sure?"], input: { command: "pwd" } });
  });

  test("after a gate has passed nothing is looked at again", async () => {
    const event = HookEvent.toolPostExecute("bash", {}, "secret");
    const redact: Part = { name: "redact", says: () => ({ action: "modify", modifiedData: { result: "***" } }) };
    const { saw, event: after } = await run([guard("guard", "x"), redact], { event });
    expect(saw.map(([name]) => name)).toEqual(["guard", "redact"]);
    expect(after.data.tool_result).toBe("***");
  });
});

describe("a change that cannot be made", () => {
  const broken = { modifiedData: { args: "no object" } };

  test("is a broken answer, and a gate stays shut before it", async () => {
    for (const onError of ["deny", "continue"]) {
      const { results, decision, isChanged } = await run([
        { name: "odd", says: () => ({ action: "modify", ...broken }), onError },
      ]);
      expect(results[0]).toMatchObject({ action: "deny", success: false, failure: { why: "bad_json" } });
      expect(results[0]?.error).toContain("the replacement is not an object");
      expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "HOOK_ERROR" });
      expect(isChanged).toBe(false);
    }
  });

  test("follows onError where nothing can be stopped any more", async () => {
    const event = HookEvent.sessionStart("s");
    for (const onError of ["deny", "ask", "continue"]) {
      const { results } = await run([{ name: "odd", says: () => ({ action: "modify", ...broken }), onError }], {
        event,
      });
      expect(results[0]).toMatchObject({ action: onError, success: false });
    }
  });

  test("may even hold what JSON has no word for", async () => {
    const { decision } = await run([
      { name: "odd", says: () => ({ action: "modify", modifiedData: { args: { n: 1n, f: () => 1 } } }) },
    ]);
    expect(decision).toMatchObject({ action: "deny" });
  });
});

describe("stopOnFailure", () => {
  const parts = [guard("passes", "x"), guard("denies", "ls"), patch("never", { a: 1 })];

  test("ends the chain at the first denial, and returns what ran", async () => {
    const { results, saw } = await run(parts, { stopOnFailure: true });
    expect(results.map(({ hook }) => hook.name)).toEqual(["passes", "denies"]);
    expect(saw).toHaveLength(2);
  });

  test("without it everybody is heard", async () => {
    expect((await run(parts)).results).toHaveLength(3);
  });

  test("a batch is heard whole", async () => {
    const batch = [
      guard("one", "ls", { parallel: true }),
      guard("two", "ls", { parallel: true }),
      guard("three", "ls"),
    ];
    expect((await run(batch, { stopOnFailure: true })).decision.reasons).toEqual(["one: no ls", "two: no ls"]);
  });

  test("asking does not end it", async () => {
    const asks: Part = { name: "asks", says: () => ({ action: "ask", reason: "sure?" }) };
    expect((await run([asks, guard("g", "x")], { stopOnFailure: true })).results).toHaveLength(2);
  });
});

test("a monitor is not asked again", async () => {
  const { saw, decision } = await run([
    guard("watcher", "rm", { mode: "monitor" }),
    patch("rewriter", { command: "rm" }),
  ]);
  expect(saw.map(([name]) => name)).toEqual(["watcher", "rewriter"]);
  expect(decision.action).toBe("modify");
});

test("a hook that asks may change the input too: what is approved is what runs", async () => {
  const asks: Part = {
    name: "asks",
    says: () => ({ action: "ask", reason: "sure?", modifiedData: { patch: { dry_run: true } } }),
  };
  const { decision, saw } = await run([guard("before", "rm"), asks]);
  expect(decision).toMatchObject({ action: "ask", reasons: ["sure?"], input: { command: "ls", dry_run: true } });
  expect(saw.at(-1)).toEqual(["before", { command: "ls", dry_run: true }]);
});

describe("hooks that answer at once are heard like those that take their time", () => {
  const rewriter = patch("rewriter", { command: "rm" });
  const note: Part = { name: "note", says: () => ({ action: "continue", context: "noted" }) };
  const lists: [what: string, parts: Part[]][] = [
    ["one that passes", [guard("guard", "x")]],
    ["one that denies, and others behind it", [guard("guard", "ls"), note, rewriter]],
    ["a rewriter between guards", [guard("first", "rm"), rewriter, guard("last", "ls")]],
    ["neighbours marked parallel", [{ ...note, parallel: true }, { ...rewriter, parallel: true }, guard("last", "x")]],
  ];
  test.each(lists.flatMap(([what, parts]) => [false, true].map((stopOnFailure) => ({ what, parts, stopOnFailure }))))(
    "$what, stopOnFailure $stopOnFailure",
    async ({ parts, stopOnFailure }) => {
      const told = ({ saw, results, isChanged }: Awaited<ReturnType<typeof run>>) => ({
        saw,
        isChanged,
        said: results.map(({ hook, action, reason }) => [hook.name, action, reason]),
      });
      const slow = told(await run(parts, { stopOnFailure }));
      expect(told(await run(parts, { stopOnFailure, atOnce: true }))).toEqual(slow);
      expect(slow.said.length).toBe(
        stopOnFailure && parts[0]?.says({ command: "ls" }).action === "deny" ? 1 : parts.length,
      );
    },
  );
});

test("a batch of which one denies ends the chain where the first denial does", async () => {
  const parts = [guard("one", "ls", { parallel: true }), guard("two", "x", { parallel: true }), guard("three", "x")];
  expect((await run(parts, { stopOnFailure: true })).saw.map(([name]) => name)).toEqual(["one", "two"]);
});

test("a denied call is not looked at again, whatever became of its input", async () => {
  const { saw, decision } = await run([guard("first", "x"), patch("rewriter", { a: 1 }), guard("denies", "ls")]);
  expect(saw.map(([name]) => name)).toEqual(["first", "rewriter", "denies"]);
  expect(decision.action).toBe("deny");
});

test.each(["continue", "deny"] as const)(
  "a hook that says %s changes nothing, whatever data it sends",
  async (action) => {
    const sends: Part = { name: "sends", says: () => ({ action, modifiedData: { patch: { command: "rm" } } }) };
    const alone = await run([sends]);
    expect([alone.isChanged, alone.event.data.tool_args]).toEqual([false, { command: "ls" }]);
    const beside = await run([{ ...sends, parallel: true }, patch("other", { a: 1 }, { parallel: true })]);
    expect(beside.event.data.tool_args).toEqual({ command: "ls", a: 1 });
  },
);

test("what a hook says the second time takes the place of what it said first", async () => {
  const noting: Part = {
    name: "noting",
    says: ({ command }) => ({ action: "continue", context: `about ${command}` }),
  };
  const { decision } = await run([noting, patch("rewriter", { command: "pwd" })]);
  expect(decision.contexts).toEqual(["about pwd"]);
});

test.each([
  [{ command: "rm", path: "x" }, ['modified_data has command, path, which changes nothing; put it under "patch"']],
  [{}, undefined],
  [{ patch: {} }, undefined],
])("a change that names nothing to change is noted: %j", async (modifiedData, notes) => {
  const { results, isChanged } = await run([{ name: "odd", says: () => ({ action: "modify", modifiedData }) }]);
  expect(results[0]?.notes).toEqual(notes);
  expect(isChanged).toBe(false);
});

test("the note follows those that the run has already", async () => {
  const says = (): Says => ({ action: "modify", modifiedData: { command: "rm" }, notes: ["cut"] });
  const { results } = await run([{ name: "odd", says }]);
  expect(results[0]?.notes).toEqual(["cut", expect.stringContaining("changes nothing")]);
});

test("a broken change and an input that does not settle are errors of the hook; the record shows their beginning", async () => {
  const long = { args: "x".repeat(1000) };
  const broken = await run([{ name: "odd", says: () => ({ action: "modify", modifiedData: long }) }]);
  expect(broken.results[0]?.code).toBe("HOOK_ERROR");
  expect(broken.results[0]?.failure).toMatchObject({ got: JSON.stringify(long).slice(0, 200) });
  const restless = await run([patch("one", { command: "a" }), patch("two", { command: "b" })]);
  expect(restless.results[0]?.code).toBe("HOOK_ERROR");
});

describe("an event that became another may fit other hooks", () => {
  const chain = async (first: Says) => {
    const [one, two, late] = ["one", "two", "late"].map((name) => hookOf({ name, says: () => first }));
    const asked: unknown[] = [];
    const ran: string[] = [];
    const { results } = await runChain(
      HookEvent.toolPreExecute("bash", { command: "ls" }),
      [one!, two!],
      (hook, event) => {
        ran.push(`${hook.name} ${JSON.stringify(event.data.tool_args)}`);
        return {
          ...RAN,
          shouldContinue: true,
          hook,
          ...(hook === one && ran.length === 1 ? first : { action: "continue" }),
        };
      },
      {
        stopOnFailure: false,
        waiting: async (event, hooks, count) => {
          asked.push([event.data.tool_args, hooks.map(({ name }) => name), count]);
          return [late!];
        },
      },
    );
    return { asked, ran, names: results.map(({ hook }) => hook.name) };
  };

  test("those that fit it now run next, and no others", async () => {
    const { asked, ran, names } = await chain({ action: "modify", modifiedData: { patch: { command: "pwd" } } });
    expect(asked).toEqual([[{ command: "pwd" }, ["one", "two"], 1]]);
    expect(names).toEqual(["one", "late"]);
    expect(ran).toEqual(['one {"command":"ls"}', 'late {"command":"pwd"}']);
  });

  test("a change that changes nothing calls no others", async () => {
    const { asked, names } = await chain({ action: "modify", modifiedData: { patch: { command: "ls" } } });
    expect([asked, names]).toEqual([[], ["one", "two"]]);
  });
});
