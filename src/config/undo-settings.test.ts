import * as v from "valibot";
import { expect, test } from "vitest";
import { readUndoSettings, UNDO_DEFAULTS, undoSchema } from "./undo-settings.ts";

test("on means the defaults, off means nothing, and every limit can be stated", () => {
  expect(readUndoSettings("on")).toEqual(UNDO_DEFAULTS);
  expect(readUndoSettings("off")).toBeUndefined();
  expect(readUndoSettings({ keep: "12h", max: "2GiB", call: "1.5MB", files: 10 })).toEqual({
    keepMs: 12 * 60 * 60 * 1000,
    max: 2 * 1024 ** 3,
    call: 1.5 * 1024 ** 2,
    files: 10,
  });
});

test.each([["yes"], [{ keep: "a week" }], [{ max: "much" }], [{ files: 1.5 }], [{ call: -1 }]])(
  "%j is refused",
  (value) => expect(v.is(undoSchema, value)).toBe(false),
);
