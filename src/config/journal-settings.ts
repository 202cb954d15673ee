import * as v from "valibot";
import { ageMs, ageSchema, sizeBytes, sizeSchema } from "./undo-settings.ts";

/** How much of the journal is kept, and for how long; what is left out counts as by default. */
export interface JournalSettings {
  readonly days?: number;
  readonly bytes?: number;
}

/** `{ keep: 30d, max: 512MiB }`. */
export function journalSchema() {
  return v.looseObject({ keep: v.optional(ageSchema), max: v.optional(sizeSchema) });
}

/** Reads a setting that fits the schema. */
export function readJournalSettings(value: unknown): JournalSettings {
  const { keep, max } = Object(value) as Readonly<Record<string, unknown>>;
  const [kept, bytes] = [typeof keep === "string" ? ageMs(keep) : undefined, sizeBytes(max)];
  return { ...(kept === undefined ? {} : { days: kept / DAY_MS }), ...(bytes === undefined ? {} : { bytes }) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
