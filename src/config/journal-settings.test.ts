import * as v from "valibot";
import { expect, it } from "vitest";
import { journalSchema, readJournalSettings } from "./journal-settings.ts";

it.each([
  [
    { keep: "30d", max: "512MiB" },
    { days: 30, bytes: 512 * 1024 ** 2 },
  ],
  [{ keep: "12h" }, { days: 0.5 }],
  [{ max: 1000 }, { bytes: 1000 }],
  [{}, {}],
])("%j says how much of the journal is kept", (written, meant) => {
  expect(v.safeParse(journalSchema(), written).success).toBe(true);
  expect(readJournalSettings(written)).toEqual(meant);
});

it.each([{ keep: "soon" }, { max: "lots" }, "30d", { keep: 30 }])("%j is refused", (written) => {
  expect(v.safeParse(journalSchema(), written).success).toBe(false);
});
