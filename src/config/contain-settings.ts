import * as v from "valibot";
import { PROTECTIONS } from "./protection.ts";
import { ageMs, ageSchema, sizeBytes, sizeSchema } from "./undo-settings.ts";

/** Which shell calls run in a box, and what the box allows. */
export interface ContainSettings {
  readonly mode: "unknown" | "all";
  /** Hosts that a contained program may reach; names or patterns such as `*.npmjs.org`. */
  readonly hosts: readonly string[];
  /** Folders of caches that a contained program may write to, besides the usual ones; what it writes there is not kept. */
  readonly caches: readonly string[];
  /** Programs, or conditions of rules, whose calls run outside. */
  readonly exempt: readonly string[];
  readonly limits: {
    /** Bytes of data of one process; unlimited if left out. */
    readonly memory?: number | undefined;
    readonly processes: number;
    readonly timeMs: number;
  };
}

/** `off`, `unknown`, `all`, or an object with the mode and what the box allows. */
export function containSchema() {
  const texts = v.optional(v.array(v.string()));
  return v.union([
    v.picklist(PROTECTIONS.contain.rungs),
    v.looseObject({
      mode: v.optional(v.picklist(PROTECTIONS.contain.rungs)),
      network: v.optional(v.looseObject({ hosts: texts })),
      caches: texts,
      exempt: texts,
      limits: v.optional(
        v.looseObject({
          memory: v.optional(sizeSchema),
          processes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
          time: v.optional(ageSchema),
        }),
      ),
    }),
  ]);
}

/** The mode that a value of the setting asks for; an object without one asks for the looser of the two. */
export function containModeIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return (value as { readonly mode?: unknown }).mode ?? PROTECTIONS.contain.unread;
}

/** Reads the settings of a mode from a value that fits the schema; undefined if nothing is contained. */
export function readContainSettings(mode: string, value: unknown): ContainSettings | undefined {
  if (mode !== "unknown" && mode !== "all") return undefined;
  const { network, caches, exempt, limits } = Object(value) as Readonly<Record<string, unknown>>;
  const { memory, processes, time } = Object(limits) as Readonly<Record<string, unknown>>;
  return {
    mode,
    hosts: textsIn(Object(network).hosts),
    caches: textsIn(caches),
    exempt: textsIn(exempt),
    limits: {
      memory: sizeBytes(memory),
      processes: typeof processes === "number" ? processes : MAX_PROCESSES,
      timeMs: (typeof time === "string" ? ageMs(time) : undefined) ?? MAX_TIME_MS,
    },
  };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

const MAX_PROCESSES = 4096;
const MAX_TIME_MS = 2 * 60 * 60 * 1000;
