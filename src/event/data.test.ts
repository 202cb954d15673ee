import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  CheckpointEvent,
  ErrorEvent,
  LONGEST,
  MemoryUpdateEvent,
  ModelSwitchEvent,
  NotificationEvent,
  SessionEvent,
  ToolUseEvent,
} from "./data.ts";

const SCHEMAS = {
  CheckpointEvent,
  ErrorEvent,
  MemoryUpdateEvent,
  ModelSwitchEvent,
  NotificationEvent,
  SessionEvent,
  ToolUseEvent,
};

type Row = readonly [schema: keyof typeof SCHEMAS, given: object, filled: object];

describe("what is left out is filled in", () => {
  const now = { timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) };
  const rows: Row[] = [
    [
      "ErrorEvent",
      { error_type: "TypeError", error_message: "x" },
      { severity: "error", tool: null, session_id: null, stack_trace: null, ...now },
    ],
    [
      "CheckpointEvent",
      { checkpoint_id: "c", session_id: "s" },
      { checkpoint_type: "auto", message_count: 0, duration_since_last_ms: null, storage_path: null, ...now },
    ],
    [
      "ModelSwitchEvent",
      { old_model: null, new_model: "m" },
      { triggered_by: "user", reason: null, session_id: null, profile: null, ...now },
    ],
    [
      "MemoryUpdateEvent",
      { file_path: "AGENTS.md" },
      { update_type: "modified", session_id: null, content_size: null, previous_hash: null, new_hash: null, ...now },
    ],
    ["NotificationEvent", { message: "done" }, { ...now }],
    ["ToolUseEvent", {}, {}],
    ["SessionEvent", {}, {}],
  ];
  test.each(rows)("%s from %j", (schema, given, filled) => {
    const parsed = v.parse(SCHEMAS[schema], given);
    expect(parsed).toEqual({ ...given, ...filled });
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
  });
});

describe("what does not fit is refused with its path", () => {
  const rows: [schema: keyof typeof SCHEMAS, given: object, path: string][] = [
    ["ErrorEvent", { error_type: "E", error_message: "x", severity: "fatal" }, "severity"],
    ["ErrorEvent", { error_message: "x" }, "error_type"],
    ["ErrorEvent", { error_type: "E" }, "error_message"],
    ["CheckpointEvent", { session_id: "s" }, "checkpoint_id"],
    ["CheckpointEvent", { checkpoint_id: "", session_id: "s" }, "checkpoint_id"],
    ["CheckpointEvent", { checkpoint_id: "c" }, "session_id"],
    ["CheckpointEvent", { checkpoint_id: "c", session_id: "s", checkpoint_type: "hourly" }, "checkpoint_type"],
    ["CheckpointEvent", { checkpoint_id: "c", session_id: "s", message_count: 1.5 }, "message_count"],
    ["ModelSwitchEvent", { new_model: "m" }, "old_model"],
    ["ModelSwitchEvent", { old_model: null }, "new_model"],
    ["ModelSwitchEvent", { old_model: null, new_model: "m", triggered_by: "moon" }, "triggered_by"],
    ["MemoryUpdateEvent", {}, "file_path"],
    ["MemoryUpdateEvent", { file_path: "a", update_type: "renamed" }, "update_type"],
    ["NotificationEvent", {}, "message"],
    ["SessionEvent", { event_type: "middle" }, "event_type"],
    ["SessionEvent", { duration_ms: Number.NaN }, "duration_ms"],
    ["ToolUseEvent", { duration_ms: -1 }, "duration_ms"],
    ["CheckpointEvent", { checkpoint_id: "c", session_id: "s", message_count: -1 }, "message_count"],
    ["MemoryUpdateEvent", { file_path: "a", content_size: 0.5 }, "content_size"],
    ["MemoryUpdateEvent", { file_path: "a".repeat(LONGEST.path + 1) }, "file_path"],
    ["ErrorEvent", { error_type: "E", error_message: "x".repeat(LONGEST.text + 1) }, "error_message"],
    ["ModelSwitchEvent", { old_model: null, new_model: "m".repeat(LONGEST.name + 1) }, "new_model"],
    ["NotificationEvent", { message: "x", timestamp: "yesterday" }, "timestamp"],
    ["NotificationEvent", { message: "x", timestamp: new Date(Number.NaN) }, "timestamp"],
  ];
  const shown = rows.map(([schema, given, path]) => [schema, Object.keys(given).join(), path, given] as const);
  test.each(shown)("%s from { %s } names %s", (schema, _keys, path, given) => {
    const { issues } = v.safeParse(SCHEMAS[schema], given);
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual([path]);
  });
});

test("agents may add what they like", () => {
  expect(v.parse(ModelSwitchEvent, { old_model: "a", new_model: "b", cost: 3 })).toMatchObject({ cost: 3 });
});

test("every schema of typed data is a Standard Schema", () => {
  for (const schema of Object.values(SCHEMAS)) expect(schema["~standard"].version).toBe(1);
});

test("a time given as a Date becomes text, and each event has its own", () => {
  const timestamp = new Date("2026-01-02T03:04:05.678Z");
  expect(v.parse(NotificationEvent, { message: "x", timestamp }).timestamp).toBe("2026-01-02T03:04:05.678Z");
  expect(v.parse(NotificationEvent, { message: "x", timestamp: "2026-01-02T03:04:05+02:00" })).toMatchObject({
    timestamp: "2026-01-02T03:04:05+02:00",
  });
});

test("a schema's type has its name", () => {
  expectTypeOf<ErrorEvent["severity"]>().toEqualTypeOf<"warning" | "error" | "critical">();
  expectTypeOf<CheckpointEvent["message_count"]>().toEqualTypeOf<number>();
  expectTypeOf<ModelSwitchEvent["old_model"]>().toEqualTypeOf<string | null>();
  expectTypeOf<MemoryUpdateEvent["timestamp"]>().toEqualTypeOf<string>();
});
