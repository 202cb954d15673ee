import { expect, expectTypeOf, test } from "vitest";
import {
  CHECKPOINT,
  ERROR,
  EVENTS,
  eventNamed,
  MEMORY_UPDATE,
  MODEL_SWITCH,
  NOTIFICATION,
  POST_TOOL_USE,
  PRE_TOOL_USE,
  SESSION_END,
  SESSION_START,
  STOP,
  SUBAGENT_STOP,
} from "./catalogue.ts";
import {
  CheckpointEvent,
  ErrorEvent,
  MemoryUpdateEvent,
  ModelSwitchEvent,
  NotificationEvent,
  SessionEvent,
  ToolUseEvent,
} from "./data.ts";
import { EVENT_DATA_TYPES } from "./data-by-event.ts";

test("every spelling of every event leads to the schema of its data", () => {
  for (const [name, { aliases, data }] of Object.entries(EVENTS)) {
    for (const spelling of [name, ...aliases]) expect(EVENT_DATA_TYPES).toHaveProperty([spelling], data);
  }
});

const NAMED = [
  ["PreToolUse", PRE_TOOL_USE, ToolUseEvent],
  ["PostToolUse", POST_TOOL_USE, ToolUseEvent],
  ["SessionStart", SESSION_START, SessionEvent],
  ["SessionEnd", SESSION_END, SessionEvent],
  ["Notification", NOTIFICATION, NotificationEvent],
  ["Stop", STOP, EVENTS["session:stop"].data],
  ["SubagentStop", SUBAGENT_STOP, EVENTS["subagent:stop"].data],
  ["Error", ERROR, ErrorEvent],
  ["Checkpoint", CHECKPOINT, CheckpointEvent],
  ["ModelSwitch", MODEL_SWITCH, ModelSwitchEvent],
  ["MemoryUpdate", MEMORY_UPDATE, MemoryUpdateEvent],
] as const;

test.each(NAMED)("the constant for %s names an event and its schema", (wire, constant, schema) => {
  expect(constant).toBe(wire);
  expect(eventNamed(constant)).toBeDefined();
  expect(EVENT_DATA_TYPES[constant]).toBe(schema);
});

test("the table cannot be changed, and a constant's schema is known to the compiler", () => {
  expect(Object.isFrozen(EVENT_DATA_TYPES)).toBe(true);
  expectTypeOf(EVENT_DATA_TYPES[ERROR]).toEqualTypeOf<typeof ErrorEvent>();
  expectTypeOf(EVENT_DATA_TYPES["session:checkpoint"]).toEqualTypeOf<typeof CheckpointEvent>();
});
