import { describe, expect, test } from "vitest";
import { EVENT_NAMES, EVENTS, EventType, eventNamed, eventSpec, eventSpellings, eventsMatchedBy } from "./catalogue.ts";

type Row = readonly [name: string, aliases: readonly string[], gate: boolean, modifies: string | null];

/** The table of the manual, row by row. */
const TABLE: readonly Row[] = [
  ["tool:pre_execute", ["PreToolUse", "pre_tool_use"], true, "input"],
  ["tool:post_execute", ["PostToolUse", "post_tool_use"], false, "output"],
  ["tool:error", ["PostToolUseFailure"], false, null],
  ["llm:pre_request", [], true, "input"],
  ["llm:post_response", [], false, "output"],
  ["llm:stream_start", [], false, null],
  ["llm:stream_end", [], false, null],
  ["llm:model_switch", ["ModelSwitch", "MODEL_SWITCH"], true, null],
  ["session:start", ["SessionStart", "session_start"], false, null],
  ["session:end", ["SessionEnd"], false, null],
  ["session:message", [], false, null],
  ["session:stop", ["Stop", "stop"], true, null],
  ["session:checkpoint", ["Checkpoint", "CHECKPOINT"], false, null],
  ["session:error", ["Error", "ERROR"], false, null],
  ["session:pre_compact", ["PreCompact"], true, null],
  ["session:post_compact", ["PostCompact"], false, null],
  ["session:notification", ["Notification"], false, null],
  ["subagent:start", ["SubagentStart"], true, null],
  ["subagent:stop", ["SubagentStop"], true, null],
  ["permission:check", ["PermissionRequest"], true, "input"],
  ["permission:prompt", [], false, null],
  ["permission:granted", [], false, null],
  ["permission:denied", ["PermissionDenied"], false, null],
  ["user:prompt_submit", ["UserPromptSubmit", "user_prompt_submit"], true, "prompt"],
  ["user:interrupt", [], false, null],
  ["memory:update", ["MemoryUpdate", "MEMORY_UPDATE"], true, null],
  ["file:changed", ["FileChanged"], false, null],
];

describe("every event of the manual is in the table", () => {
  test.each(TABLE)("%s, also called %j; gate: %s; a hook may modify: %s", (name, aliases, gate, modifies) => {
    const event = eventNamed(name);
    expect(event).toBe(name);
    const spec = eventSpec(event!);
    expect(spec.aliases).toEqual(expect.arrayContaining([...aliases]));
    expect(spec.gate).toBe(gate);
    expect(spec.modifies).toBe(modifies);
    expect(spec.when).not.toBe("");
  });

  test.each(TABLE.flatMap(([name, aliases]) => aliases.map((alias) => [alias, name] as const)))(
    "%s is another word for %s",
    (alias, name) => {
      expect(eventNamed(alias)).toBe(name);
    },
  );

  test.each(TABLE)("%s has a constant of its own", (name) => {
    const constant = name.replace(":", "_").toUpperCase();
    expect(EventType).toHaveProperty(constant, name);
  });
});

test("the constants are exactly the canonical names and cannot be changed", () => {
  expect(Object.values(EventType).sort()).toEqual([...EVENT_NAMES].sort());
  expect(Object.isFrozen(EventType)).toBe(true);
});

test("a name is category and event, nothing else", () => {
  for (const name of EVENT_NAMES) expect(name).toMatch(/^[a-z]+:[a-z_]+$/);
});

test("no two events share a name or an alias", () => {
  const all = EVENT_NAMES.flatMap((name) => [name, ...EVENTS[name].aliases]);
  expect(new Set(all).size).toBe(all.length);
});

test("PostToolUse names the success and matches the failure as well", () => {
  expect(eventNamed("PostToolUse")).toBe("tool:post_execute");
  expect(eventsMatchedBy("PostToolUse")).toEqual(["tool:post_execute", "tool:error"]);
  expect(eventsMatchedBy("post_tool_use")).toEqual(["tool:post_execute", "tool:error"]);
  expect(eventsMatchedBy("tool:post_execute")).toEqual(["tool:post_execute"]);
  expect(eventsMatchedBy("PostToolUseFailure")).toEqual(["tool:error"]);
});

test.each(["", "tool", "pretooluse", "tool:", "toString", "__proto__", "constructor"])("%j names no event", (name) => {
  expect(eventNamed(name)).toBeUndefined();
  expect(eventsMatchedBy(name)).toEqual([]);
});

test("every spelling can be suggested", () => {
  expect(eventSpellings()).toEqual(expect.arrayContaining(["tool:pre_execute", "PreToolUse", "MODEL_SWITCH"]));
});
