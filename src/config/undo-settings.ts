import * as v from "valibot";

/** How much is kept for undo, and for how long. */
export interface UndoSettings {
  /** Milliseconds for which it is kept. */
  readonly keepMs: number;
  /** Bytes of everything that is kept. */
  readonly max: number;
  /** Bytes of one call. */
  readonly call: number;
  /** Files of one call. */
  readonly files: number;
}

/** The defaults. */
export const UNDO_DEFAULTS: UndoSettings = {
  keepMs: 7 * 24 * 60 * 60 * 1000,
  max: 1024 ** 3,
  call: 200 * 1024 ** 2,
  files: 20_000,
};

/** A time span as it is written. */
export const ageSchema = v.pipe(
  v.string(),
  v.check((text) => ageMs(text) !== undefined, "a time such as 7d, 12h or 30m"),
);
/** A size as it is written, in bytes where it is a number. */
export const sizeSchema = v.union([
  v.pipe(v.number(), v.minValue(0)),
  v.pipe(
    v.string(),
    v.check((text) => sizeBytes(text) !== undefined, "a size such as 1GiB or 200MiB"),
  ),
]);

/** `on`, `off`, or the limits. */
export const undoSchema = v.union([
  v.picklist(["on", "off"]),
  v.looseObject({
    keep: v.optional(ageSchema),
    max: v.optional(sizeSchema),
    call: v.optional(sizeSchema),
    files: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
]);

/** Reads a setting that fits the schema; undefined when nothing is to be kept. */
export function readUndoSettings(value: unknown): UndoSettings | undefined {
  if (value === "off" || value === false) return undefined;
  const { keep, max, call, files } = Object(value) as Readonly<Record<string, unknown>>;
  return {
    keepMs: (typeof keep === "string" ? ageMs(keep) : undefined) ?? UNDO_DEFAULTS.keepMs,
    max: sizeBytes(max) ?? UNDO_DEFAULTS.max,
    call: sizeBytes(call) ?? UNDO_DEFAULTS.call,
    files: typeof files === "number" ? files : UNDO_DEFAULTS.files,
  };
}

/** A time span in milliseconds. */
export function ageMs(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Number(amount) * (AGES[unit] ?? 0) * 1000;
}

/** A size in bytes. */
export function sizeBytes(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(value.trim()) ?? [];
  return amount === undefined
    ? undefined
    : Math.round(Number(amount) * 1024 ** " KMGT".indexOf(unit.toUpperCase() || " "));
}

const AGES: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
