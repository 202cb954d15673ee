import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  CheckpointEvent,
  ErrorEvent,
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
    ["ErrorEvent", { error_type: "TypeError", error_message: "x" }, { severity: "error", ...now }],
    ["CheckpointEvent", { checkpoint_id: "c", session_id: "s" }, { checkpoint_type: "auto", message_count: 0, ...now }],
    ["ModelSwitchEvent", { old_model: null, new_model: "m" }, { triggered_by: "user", ...now }],
    ["MemoryUpdateEvent", { file_path: "AGENTS.md" }, { update_type: "modified", ...now }],
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
  ];
  test.each(rows)("%s from %j names %s", (schema, given, path) => {
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
