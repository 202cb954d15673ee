import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { EVENT_NAMES, type EventName } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { Hook, LAYERS, type Layer } from "../hook/hook.ts";
import { HookRegistry } from "./registry.ts";

const hook = (event: string, more: object = {}) => Hook.fromJSON({ event, command: "true", ...more });
const bash = HookEvent.toolPreExecute("bash", {});

afterEach(() => HookRegistry.resetInstance());

test("a registry finds the hooks that listen", () => {
  const registry = new HookRegistry();
  const [exact, all, other] = [hook("tool:pre_execute"), hook("tool:*"), hook("llm:pre_request")];
  registry.loadHooks([exact, all, other]);
  expect(registry.getHooks(bash)).toEqual([exact, all]);
  expect(registry.hooks).toEqual([exact, all, other]);
  expect(registry.size).toBe(3);
});

test("hooks are loaded all together, or not at all when one cannot be read", () => {
  const registry = new HookRegistry();
  const before = hook("tool:*");
  registry.loadHooks([before]);
  expect(registry.getHooks(bash)).toEqual([before]);
  expect(() => registry.loadHooks([hook("*", { priority: 1 }), { event: "*" }])).toThrow("Command hook requires");
  expect(registry.hooks).toEqual([before]);
  expect(registry.getHooks(bash)).toEqual([before]);
});

test("an empty registry is a registry", () => {
  const registry = new HookRegistry();
  expect([registry.size, registry.hooks, registry.getHooks(bash)]).toEqual([0, [], []]);
});

test("a program shares one registry until it is reset", () => {
  const shared = HookRegistry.getInstance();
  shared.register(hook("*"));
  expect(HookRegistry.getInstance()).toBe(shared);
  expect(HookRegistry.getInstance().size).toBe(1);
  HookRegistry.resetInstance();
  expect(HookRegistry.getInstance()).not.toBe(shared);
  expect(HookRegistry.getInstance().size).toBe(0);
  expect(shared.size).toBe(1);
});

test("a disabled hook is not returned, and switching it acts at once in every registry", () => {
  const [one, two] = [new HookRegistry(), new HookRegistry()];
  const sleeper = hook("*", { enabled: false });
  for (const registry of [one, two]) {
    registry.register(sleeper);
    expect(registry.getHooks(bash)).toEqual([]);
  }
  sleeper.enabled = true;
  for (const registry of [one, two]) expect(registry.getHooks(bash)).toEqual([sleeper]);
  sleeper.enabled = false;
  for (const registry of [one, two]) expect(registry.getHooks(bash)).toEqual([]);
  expect(one.size).toBe(1);
});

test("unregister takes every hook with that very pattern, and says whether there was one", () => {
  const registry = new HookRegistry();
  const kept = hook("tool:*");
  registry.loadHooks([hook("tool:pre_execute"), kept, hook("tool:pre_execute")]);
  expect(registry.unregister("tool:pre_execute")).toBe(true);
  expect(registry.hooks).toEqual([kept]);
  expect(registry.unregister("tool:pre_execute")).toBe(false);
  expect(registry.unregister("*")).toBe(false);
  expect(registry.unregister("PreToolUse")).toBe(false);
});

test("register gives back its own removal, which takes only its own entry", () => {
  const registry = new HookRegistry();
  const same = hook("*");
  const remove = registry.register(same);
  registry.register(same);
  expect(registry.getHooks(bash)).toEqual([same, same]);
  remove();
  remove();
  expect(registry.getHooks(bash)).toEqual([same]);
});

test("clearing forgets the hooks and leaves them as they are", () => {
  const registry = new HookRegistry();
  const one = hook("*");
  registry.loadHooks([one, hook("tool:*")]);
  expect(registry.getHooks(bash)).toHaveLength(2);
  registry.clear();
  expect([registry.size, registry.getHooks(bash)]).toEqual([0, []]);
  expect(one).toMatchObject({ eventPattern: "*", enabled: true });
});

test("what a registry hands out is the caller's own list", () => {
  const registry = new HookRegistry();
  registry.register(hook("*"));
  registry.getHooks(bash).length = 0;
  registry.hooks.length = 0;
  expect(registry.getHooks(bash)).toHaveLength(1);
  expect(registry.size).toBe(1);
});

describe("hooks run by layer, then priority, then registration", () => {
  const from = (layer: Layer, priority: number, name: string) =>
    Hook.fromJSON({ event: "*", command: "true", priority, name }, { layer, place: { file: "f" }, index: 0 });
  const hooks = [
    from("local", 1, "f"),
    from("project", 1, "e"),
    from("user", 50, "b"),
    hook("*", { name: "c" }),
    hook("*", { name: "d" }),
    from("managed", 900, "a"),
  ];

  test.each(["register", "loadHooks"] as const)("with %s", (how) => {
    const registry = new HookRegistry();
    if (how === "loadHooks") registry.loadHooks(hooks);
    else for (const each of hooks) registry.register(each);
    expect(registry.getHooks(bash).map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(registry.hooks.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});

test("a hook that names its tools in several ways is found once", () => {
  const registry = new HookRegistry();
  registry.register(hook("PreToolUse:@shell,tool:*:bash,tool:pre_execute:b*"));
  registry.register(Hook.fromJSON({ matcher: { tools: ["bash", "bash", "@shell"] }, command: "true" }));
  expect(registry.getHooks(bash)).toHaveLength(2);
});

test("data decides each time anew", () => {
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON({ matcher: { command_patterns: ["rm *"] }, command: "true" }));
  for (const [command, count] of [
    ["rm x", 1],
    ["ls", 0],
    ["rm y", 1],
  ] as const)
    expect(registry.getHooks(HookEvent.toolPreExecute("bash", { command }))).toHaveLength(count);
});

test("a stream of new tool names leaves every answer right", () => {
  const registry = new HookRegistry();
  registry.register(hook("tool:pre_execute:tool-7"));
  const heard: number[] = [];
  for (let round = 0; round < 3000; round++)
    if (registry.getHooks(HookEvent.toolPreExecute(`tool-${round}`, {})).length > 0) heard.push(round);
  expect(heard).toEqual([7]);
  expect(registry.getHooks(HookEvent.toolPreExecute("tool-7", {}))).toHaveLength(1);
});

/** What a registry is, without any index or memory. */
class Plain {
  entries: { hook: Hook; turn: number }[] = [];
  #turns = 0;

  add(added: Hook): number {
    this.entries.push({ hook: added, turn: this.#turns });
    return this.#turns++;
  }

  get(event: HookEvent): Hook[] {
    const layer = (each: Hook) => LAYERS.indexOf(each.layer);
    return this.entries
      .filter((entry) => entry.hook.enabled && entry.hook.matches(event))
      .sort((a, b) => layer(a.hook) - layer(b.hook) || a.hook.priority - b.hook.priority || a.turn - b.turn)
      .map((entry) => entry.hook);
  }
}

describe("however calls follow one another, the answer is that of a plain list", () => {
  const patterns = [
    "*",
    "tool:*",
    "tool:pre_execute:bash",
    "PreToolUse:@shell",
    "PostToolUse:b*",
    "session",
    "session:error",
  ];
  const anyHook = fc
    .record({
      pattern: fc.constantFrom(...patterns),
      tools: fc.constantFrom(undefined, ["bash"], ["@shell", "write"], ["*"]),
      priority: fc.constantFrom(1, 100),
      enabled: fc.boolean(),
      layer: fc.constantFrom(...LAYERS),
    })
    .map(({ pattern, tools, layer, ...more }) =>
      Hook.fromJSON(
        { event: pattern, command: "true", ...more, ...(tools && { matcher: { tools } }) },
        { layer, place: { file: "f" }, index: 0 },
      ),
    );
  const step = fc.oneof(
    fc.record({ do: fc.constant("register" as const), hook: anyHook }),
    fc.record({ do: fc.constant("load" as const), hooks: fc.array(anyHook, { maxLength: 3 }) }),
    fc.record({ do: fc.constant("remove" as const), which: fc.nat() }),
    fc.record({ do: fc.constant("unregister" as const), pattern: fc.constantFrom(...patterns) }),
    fc.record({ do: fc.constant("switch" as const), which: fc.nat(), on: fc.boolean() }),
    fc.record({ do: fc.constant("clear" as const) }),
    fc.record({
      do: fc.constant("ask" as const),
      type: fc.constantFrom<EventName>(...EVENT_NAMES),
      tool: fc.constantFrom(undefined, "bash", "Bash", "write", "x"),
    }),
  );

  test("register, load, remove, unregister, switch, clear, ask", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
        const [registry, plain] = [new HookRegistry(), new Plain()];
        const removals = new Map<number, () => void>();
        for (const act of steps) {
          if (act.do === "register") removals.set(plain.add(act.hook), registry.register(act.hook));
          if (act.do === "load") {
            registry.loadHooks(act.hooks);
            for (const each of act.hooks) plain.add(each);
          }
          if (act.do === "remove") {
            const turn = [...removals.keys()][act.which % (removals.size || 1)];
            removals.get(turn ?? -1)?.();
            plain.entries = plain.entries.filter((entry) => entry.turn !== turn);
          }
          if (act.do === "unregister") {
            const left = plain.entries.filter((entry) => entry.hook.eventPattern !== act.pattern);
            expect(registry.unregister(act.pattern)).toBe(left.length < plain.entries.length);
            plain.entries = left;
          }
          if (act.do === "switch") {
            const entry = plain.entries[act.which % (plain.entries.length || 1)];
            if (entry) entry.hook.enabled = act.on;
          }
          if (act.do === "clear") {
            registry.clear();
            plain.entries = [];
          }
          const asked = act.do === "ask" ? act : { type: "tool:pre_execute" as const, tool: "bash" };
          const event = new HookEvent({ type: asked.type, toolName: asked.tool });
          const [found, wanted] = [registry.getHooks(event), plain.get(event)];
          expect(found.length).toBe(wanted.length);
          expect(found.every((each, index) => each === wanted[index])).toBe(true);
          expect(registry.size).toBe(plain.entries.length);
        }
      }),
    );
  });
});
