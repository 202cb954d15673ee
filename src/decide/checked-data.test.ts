import { describe, expect, test } from "vitest";
import { CheckpointEvent, ErrorEvent, MemoryUpdateEvent, ModelSwitchEvent, NotificationEvent } from "../event/data.ts";
import { Problem } from "../problem/problem.ts";
import { asWire, checked } from "./checked-data.ts";

describe("data that does not fit is refused with its path and the next step", () => {
  const fatal = { error_type: "E", error_message: "x", severity: "critcal" };
  const saved = { checkpoint_id: "c", session_id: "s" };
  const rows = [
    [ErrorEvent, fatal, '`severity` of x is "critcal"; it has to be warning, error, critical.', /mean "critical"/],
    [CheckpointEvent, { session_id: "s" }, "`checkpoint_id` of x is missing.", /what the program passes/],
    [CheckpointEvent, { ...saved, checkpoint_id: "" }, "`checkpoint_id` of x is empty.", /what the program passes/],
    [
      CheckpointEvent,
      { ...saved, checkpoint_id: 7 },
      "`checkpoint_id` of x is 7; it has to be string.",
      /what the program passes/,
    ],
    [
      CheckpointEvent,
      { ...saved, message_count: 1.5 },
      "is 1.5; it has to be a whole number.",
      /what the program passes/,
    ],
    [CheckpointEvent, { ...saved, message_count: -1 }, "is -1; it has to be 0 or more.", /what the program passes/],
    [
      ModelSwitchEvent,
      { old_model: null, new_model: "m".repeat(1001) },
      "has 1001 characters; 1000",
      /what the program passes/,
    ],
    [
      NotificationEvent,
      { message: "m", timestamp: "soon" },
      'is "soon"; it has to be a time',
      /what the program passes/,
    ],
    [
      NotificationEvent,
      { message: "m", timestamp: {} },
      "`timestamp` of x is Object; it has to be",
      /what the program passes/,
    ],
    [
      MemoryUpdateEvent,
      { file_path: "a", content_size: Number.NaN },
      "is NaN; it has to be",
      /what the program passes/,
    ],
  ] as const;
  test.each(rows)("%# %j", (schema, data, what, fix) => {
    const found = problemOf(() => checked(schema, "x", data));
    expect(found.code).toBe("host/bad-data");
    expect(found.message).toContain(what);
    expect(found.fix).toMatch(fix);
  });

  test("a program can read the path", () => {
    expect(problemOf(() => checked(CheckpointEvent, "x", {})).path).toEqual(["checkpoint_id"]);
  });
});

test("names in camelCase become the wire's, other names stay", () => {
  const given = { checkpointType: 1, durationSinceLastMs: 2, storage_path: 3, URL: 4, "x-y": 5, plain: 6 };
  expect(asWire(given)).toEqual({
    checkpoint_type: 1,
    duration_since_last_ms: 2,
    storage_path: 3,
    URL: 4,
    "x-y": 5,
    plain: 6,
  });
});

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
